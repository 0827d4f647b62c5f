"""The scoreboard as rows: which are shown in which order, what is said of each, and the sentence above them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from docgraph.domain.overrides import edge_text
from docgraph.domain.scoreboard import EdgeClass, EdgeScore, Scoreboard
from docgraph.views.words.counts import UNKNOWN, plural
from docgraph.views.words.counts import score as score_words

GROUPS: Mapping[str, str] = {"edges": "Relationships", "types": "Types", "extractors": "Extractors"}
"""What a row is → its name on the screen."""

CLASSES: tuple[EdgeClass, ...] = ("star", "free_rider", "other", "dead")
CLASS_TITLES: Mapping[EdgeClass, str] = {
    "star": "Helpful",
    "free_rider": "No benefit",
    "other": "Others",
    "dead": "Unused",
}
FIRST: Mapping[EdgeClass, int] = {"star": 4, "free_rider": 4, "other": 4, "dead": 2}
"""Rows of a class that stand while all classes do."""

_ORDERS: Mapping[str, tuple[str, Callable[[EdgeScore], float]]] = {
    "class": ("class", lambda row: 0.0),
    "fired": ("questions", lambda row: -row.fired),
    "put_in": ("chunks", lambda row: -row.put_in),
    "score": ("best score", lambda row: -(row.best_score if row.best_score is not None else -2.0)),
    "tokens": ("tokens", lambda row: -row.tokens),
    "pushed_out": ("displaced", lambda row: -row.pushed_out),
    "good": ("judged good", lambda row: -row.good),
    "bad": ("judged bad", lambda row: -row.bad),
}
ORDERS: Mapping[str, str] = {name: title for name, (title, _) in _ORDERS.items()}
"""Name in the address → how an order is called; the first is the scoreboard's own."""


@dataclass(frozen=True)
class Section:
    """Rows of one class under its head; ``n`` = how many there are in all. ``edge_class`` ``None`` = no classes."""

    edge_class: EdgeClass | None
    rows: tuple[EdgeScore, ...]
    n: int


def counts(board: Scoreboard) -> dict[EdgeClass, int]:
    """How many relationships are of which class; together all there are, listed or not."""
    found = {each: len(board.of_class(each)) for each in CLASSES}
    return {**found, "dead": board.n_dead}


def sentence(board: Scoreboard) -> str:
    """``142 of 509 relationships fired; 9 carry the gain, 17 take places for nothing.``"""
    n, found = board.n_relationships - board.n_dead, counts(board)
    said = f"{n:,} of {plural(board.n_relationships, 'relationship')} used"
    if not board.n_judged:
        return f"{said}; no question is judged, so their benefit is not known."
    stars, riders = found["star"], found["free_rider"]
    carry = "1 helps" if stars == 1 else f"{stars:,} help"
    take = "1 brings no benefit" if riders == 1 else f"{riders:,} bring no benefit"
    return f"{said}; {carry}, {take}."


def class_words(edge_class: EdgeClass, board: Scoreboard) -> str:
    """What the head of a class says behind its name."""
    n = counts(board)[edge_class]
    said = plural(n, "relationship")
    if edge_class == "star":
        return f"{said}: judged questions get worse without {'it' if n == 1 else 'them'}"
    if edge_class == "free_rider":
        takes, brings = ("it uses", "adds") if n == 1 else ("they use", "add")
        return f"{said}: {takes} positions and {brings} nothing judged relevant"
    if edge_class == "dead":
        return f"{said}: used in none of {plural(board.n, 'question')}"
    if not board.n_judged:
        return f"{said}: used, benefit not known"
    return f"{said}: used, with little effect"


def chip_words(edge_class: EdgeClass, board: Scoreboard) -> str:
    """``9 helpful``, ``17 without benefit``; ``-- helpful`` where no question is judged."""
    n, words = counts(board)[edge_class], {"star": "helpful", "free_rider": "without benefit", "dead": "unused"}
    is_known = board.n_judged or edge_class not in ("star", "free_rider")
    return f"{n:,} {words.get(edge_class, edge_class)}" if is_known else f"{UNKNOWN} {words[edge_class]}"


def sections(board: Scoreboard, *, group: str, edge_class: str, order: str, most: int) -> tuple[Section, ...]:
    """What is shown: all classes with their first rows, or ``most`` rows of one; types and extractors have none."""
    if group in ("types", "extractors"):
        rows = in_order(board.types if group == "types" else board.extractors, order)
        return (Section(None, rows[:most], len(rows)),)
    found, made = counts(board), []
    for each in CLASSES:
        if found[each] and edge_class in ("", each):
            rows = in_order(board.of_class(each), order)
            made.append(Section(each, rows[: FIRST[each] if not edge_class else most], found[each]))
    return tuple(made)


def in_order(rows: Sequence[EdgeScore], order: str) -> tuple[EdgeScore, ...]:
    """By an order of ``ORDERS``; what is equal, or of no such order, stays as the scoreboard has it."""
    return tuple(sorted(rows, key=_ORDERS.get(order, _ORDERS["class"])[1]))


def row_id(row: EdgeScore) -> str:
    """What names a row in the address: the relationship, or the name of the group."""
    return edge_text(row.key) if row.key is not None else row.name


@dataclass(frozen=True)
class Cells:
    """What a row says, column by column; what is not known is ``--``."""

    fired: str
    put_in: str
    best: str
    tokens: str
    pushed_out: str
    judged: str
    without: Literal["worse", "better", "both", "equal", ""]
    without_words: str


def cells(row: EdgeScore, board: Scoreboard) -> Cells:
    """The columns of one row; what would be lost without a whole group was not asked."""
    pushed = UNKNOWN if row.key is None or (row.fired and row.worse_without is None) else f"{row.pushed_out:,}"
    judged = f"{row.good:,} / {row.bad:,}" if row.good + row.bad else UNKNOWN
    without, words = _without(row, board)
    return Cells(
        fired=f"{row.fired:,}",
        put_in=f"{row.put_in:,}",
        best=score_words(row.best_score),
        tokens=f"{row.tokens:,}",
        pushed_out=pushed,
        judged=judged,
        without=without,
        without_words=words,
    )


def _without(row: EdgeScore, board: Scoreboard) -> tuple[Literal["worse", "better", "both", "equal", ""], str]:
    worse, better = row.worse_without, row.better_without
    if worse is None or better is None or not row.fired or not board.n_judged:
        return "", UNKNOWN
    if worse and better:
        return "both", f"{worse:,} worse, {better:,} better"
    if worse or better:
        return ("worse", f"{worse:,} worse") if worse else ("better", f"{better:,} better")
    return "equal", "equal"
