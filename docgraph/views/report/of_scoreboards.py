"""A scoreboard of relationships, and of limits, as blocks."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from docgraph.domain.edit import edge_words
from docgraph.domain.scoreboard import CapPressure, EdgeClass, EdgeScore, LimitSweep, Scoreboard
from docgraph.views.blocks import Block, Heading, Line, Table, Title, first_rows
from docgraph.views.words.counts import UNKNOWN, plural
from docgraph.views.words.evaluation import (
    LIMIT_TITLES,
    asked_of,
    change_words,
    found_words,
    mean_words,
    proof_words,
    settings_to_copy,
    suggestion_reason,
    suggestion_title,
    title_of,
    tokens_words,
)

_CLASSES: Sequence[tuple[EdgeClass, str, str]] = (
    ("star", "Helpful", "judged questions get worse without them"),
    ("free_rider", "No benefit", "take positions and add nothing judged relevant"),
    ("other", "Others", ""),
)
_HEADS = ("used", "chunks", "best", "tokens", "displaced", "good/bad", "worse/better without", "relationship")
_LIMIT_HEADS = ("value", "relevant read", "measure", "documents", "tokens")


def scoreboard_blocks(board: Scoreboard, *, limit: int) -> Iterator[Block]:
    """The classes of relationships with what they add, then the types."""
    used = f"{board.n_relationships - board.n_dead:,} of {board.n_relationships:,} relationships are used"
    yield Title(f"{board.name}: {used} over {plural(board.n, 'question')}", f"({board.seconds:.1f} s)")
    if board.stopped:
        yield Line("stopped: finished results are shown", "warning")
    for edge_class, title, aside in _CLASSES:
        found = board.of_class(edge_class)
        if found:
            yield Heading(title, f"{min(len(found), limit):,} of {len(found):,}{aside and '; '}{aside}")
            yield Table(_HEADS, [_edge_row(each) for each in found[:limit]], right=_HEADS[:-1])
    yield Heading("Types", f"by {board.measure} over {plural(board.n_judged, 'judged question')}")
    yield Table(_HEADS, [_edge_row(each) for each in board.types], right=_HEADS[:-1])
    rows = [(e.linked_by, e.fired, e.bad, e.document_id) for e in board.boilerplate]
    aside = "many documents link there, without a gain"
    yield from first_rows("Boilerplate targets", ("linked by", "used", "bad", "document"), rows, aside, shown=limit)
    yield from first_rows("No answer", ("id", "reason"), board.failures)


def _edge_row(each: EdgeScore) -> tuple[Any, ...]:
    without = None if each.worse_without is None else f"{each.worse_without:,}/{each.better_without or 0:,}"
    displaced = None if each.key is None else each.pushed_out
    name = each.name or (each.key and edge_words(each.key)) or UNKNOWN
    judged = f"{each.good:,}/{each.bad:,}"
    return each.fired, each.put_in, each.best_score, each.tokens, displaced, judged, without, name


def limits_blocks(found: CapPressure) -> Iterator[Block]:
    """A table for each limit with its values, then the suggestion with its evidence."""
    yield Title(f"{found.name}: {asked_of(found)}", f"({found.seconds:.1f} s)")
    for sweep in found.sweeps:
        yield from _sweep(found, sweep)
    yield Heading(suggestion_title(found))
    yield Line(suggestion_reason(found))
    for each in found.changes:
        said = f"{change_words(each)}: tune {found_words(each.tune)}; hold-out {proof_words(each, found.measure)}"
        yield Line(f"{said}; {tokens_words(each)}")
    if (change := found.suggested) is not None:
        yield Line(f"to copy: {json.dumps(settings_to_copy(found, change))}")
    yield Line("No setting was changed.", "quiet")
    yield from first_rows("No answer", ("id", "reason"), found.failures)


def _sweep(found: CapPressure, sweep: LimitSweep) -> Iterator[Block]:
    about = f"relevant documents read, of {found.n_relevant:,}; {title_of(found.measure)}; today {sweep.today:,}"
    yield Heading(LIMIT_TITLES[sweep.field], about)
    without = {each.value: each.found for each in sweep.without}
    heads = (*_LIMIT_HEADS, "read without") if without else _LIMIT_HEADS
    rows = [
        (
            f"{each.value:,}{' today' if each.value == sweep.today else ''}",
            each.found,
            mean_words(each.mean, found.measure),
            mean_words(each.documents, "documents"),
            mean_words(each.tokens, "tokens"),
            *((without.get(each.value),) if without else ()),
        )
        for each in sweep.points
    ]
    yield Table(heads, rows, right=heads[1:])
