"""The figures of a comparison without judgments: three in sight, all with formula and paper behind a button."""

from __future__ import annotations

from dataclasses import dataclass

from docgraph.domain.comparison import Comparison, Figure
from docgraph.views.words import counts


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
