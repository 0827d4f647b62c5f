"""The figures of a comparison, from the runs alone and from judgments: some in sight, all with formula and paper."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from docgraph.domain.comparison import Comparison, Figure
from docgraph.domain.judgment import JudgedFigure
from docgraph.views.words import counts
from docgraph.views.words.counts import UNKNOWN, measured, plural
from docgraph.views.words.judgments import Judged


@dataclass(frozen=True)
class Number:
    """One of the numbers in sight: what it is, its value, and a line under it."""

    title: str
    value: str
    note: str


@dataclass(frozen=True)
class FigureRow:
    """One measure over chunks and over documents, as text; ``needs`` = what it waits for, in the place of a formula."""

    title: str
    chunks: str
    documents: str
    note: str
    formula: str
    source: str
    needs: str = ""


def value_text(figure: Figure | None) -> str:
    """A value with two digits (three where two would read as a whole 1), ``both empty``, or ``--``."""
    if figure is not None and figure.value is None and figure.note == "both empty":
        return "both empty"
    return counts.measured(figure.value if figure is not None else None)


def numbers(comparison: Comparison) -> tuple[Number, ...]:
    """Shared chunks, rank overlap, and the order of what was kept."""
    kept, n = len(comparison.chunks_with("kept")), len(comparison.chunks)
    jaccard, rbo = comparison.figure("jaccard"), comparison.figure("rbo_90")
    kendall = comparison.figure("kendall")
    order = f"Kendall τ, n = {kendall.n}" if kendall else "Kendall τ"
    order = kendall.note if kendall and kendall.value is None and kendall.note else order
    return (
        Number("Shared passages", f"{kept:,} of {n:,}" if n else "both empty", f"Jaccard {value_text(jaccard)}"),
        Number("Rank overlap", value_text(rbo), "RBO, p = 0.9"),
        Number("Same order", value_text(kendall), order),
    )


def figure_rows(comparison: Comparison) -> tuple[FigureRow, ...]:
    """Every measure there is, in the measures' order: value with n over chunks and over documents."""
    names = list(dict.fromkeys(f.name for f in comparison.figures))
    return tuple(_row(comparison, name) for name in names)


def _row(comparison: Comparison, name: str) -> FigureRow:
    chunks, documents = comparison.figure(name, "chunks"), comparison.figure(name, "documents")
    own = chunks or documents
    assert own is not None, "a row is made for a figure that is there"
    notes = dict.fromkeys(f"{f.of}: {f.note}" for f in (chunks, documents) if f and f.note)
    return FigureRow(
        title=own.title,
        chunks=_with_n(chunks),
        documents=_with_n(documents),
        note="; ".join(notes),
        formula=own.formula,
        source=own.source,
    )


def _with_n(figure: Figure | None) -> str:
    text = value_text(figure)
    return text if figure is None or text == "both empty" else f"{text}  n = {figure.n:,}"


IN_SIGHT = "ndcg"
NOT_JUDGED, NONE_RELEVANT = "not judged", "none yet"
NEEDED = "Judge which documents answer the question to see this number."


@dataclass(frozen=True)
class ToJudge:
    """The side whose documents are to be judged next, and how many of them nobody has judged."""

    side: Literal["a", "b"]
    n: int

    @property
    def words(self) -> str:
        """``judge 7 documents``."""
        return f"judge {plural(self.n, 'document')}"


def judged_number(comparison: Comparison, judged: Judged | None) -> Number:
    """``nDCG@6``, ``0.63 → 0.81``, ``2 relevant, 4 of 9 shown judged``; in words while there is no value."""
    figure = next((each for each in comparison.judged if each.name == IN_SIGHT), None)
    if figure is None:
        return Number("nDCG", NOT_JUDGED, "needs judgments")
    shown = [document.document_id for document in comparison.documents]
    known = sum(document_id in judged for document_id in shown) if judged is not None else None
    counted = f"{UNKNOWN if known is None else f'{known:,}'} of {len(shown):,} shown judged"
    value = change_text(figure)
    return Number(
        f"{figure.title}@{figure.k}",
        NONE_RELEVANT if value == UNKNOWN else value,
        f"{figure.n_relevant:,} relevant, {counted}",
    )


def change_text(figure: JudgedFigure) -> str:
    """``0.63 → 0.81``; ``--`` for both sides when no value is known."""
    if figure.a is None and figure.b is None:
        return UNKNOWN
    return f"{measured(figure.a)} → {measured(figure.b)}"


def judged_rows(comparison: Comparison) -> tuple[FigureRow, ...]:
    """Every judged measure over documents, in the measures' order; one row that says what is needed without any."""
    if not comparison.judged:
        return (FigureRow("nDCG", UNKNOWN, UNKNOWN, "", "", "", needs=NEEDED),)
    return tuple(
        FigureRow(
            f"{each.title}@{each.k}",
            "",
            change_text(each),
            _counts(each),
            each.formula,
            each.source,
        )
        for each in comparison.judged
    )


def _counts(figure: JudgedFigure) -> str:
    relevant = f"{plural(figure.n_relevant, 'document')} judged relevant"
    a, b = (
        f"{n:,} of {m:,}" for n, m in ((figure.n_judged_a, figure.n_shown_a), (figure.n_judged_b, figure.n_shown_b))
    )
    return "; ".join(part for part in (relevant, f"judged {a} in A, {b} in B", figure.note) if part)


def to_judge(comparison: Comparison, judged: Judged | None, *, only_a: bool = False) -> ToJudge | None:
    """B's documents while nobody judged one of them, then A's; ``None`` when all are judged or nobody knows.

    ``only_a``: B is not planned anywhere yet.
    """
    if judged is None:
        return None
    sides: tuple[Literal["a", "b"], ...] = ("a",) if only_a else ("b", "a")
    for side in sides:
        run = comparison.a.run if side == "a" else comparison.b.run
        n = sum(document_id not in judged for document_id in run.context.document_ids)
        if n:
            return ToJudge(side, n)
    return None
