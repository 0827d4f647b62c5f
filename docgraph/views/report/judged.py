"""What every report says of the judged figures of a comparison, in plain unescaped words."""

from __future__ import annotations

from dataclasses import dataclass

from docgraph.domain.comparison import Comparison
from docgraph.domain.judgment import JudgedFigure
from docgraph.views.words import counts
from docgraph.views.words.texts import line

HEAD = ("measure", "A", "B", "difference")


@dataclass(frozen=True)
class JudgedRow:
    """One judged measure of both sides; a value is ``--`` when no document is judged relevant."""

    title: str
    a: str
    b: str
    difference: str
    formula: str
    source: str


def judged(comparison: Comparison) -> tuple[JudgedRow, ...]:
    """Every judged measure, in the order of the measures; none when nobody judged a document of the question."""
    return tuple(map(_judged, comparison.judged))


def judged_about(comparison: Comparison) -> str:
    """What the values rest on; empty without judged figures.

    ``2 documents are judged relevant; 3 of 6 documents of A and 4 of 6 of B are judged; nobody judged 2 of the 8 …``
    """
    if not comparison.judged:
        return ""
    one = comparison.judged[0]
    verb = "is" if one.n_relevant == 1 else "are"
    relevant = f"{counts.plural(one.n_relevant, 'document')} {verb} judged relevant" if one.n_relevant else ""
    known = (
        f"{one.n_judged_a:,} of {counts.plural(one.n_shown_a, 'document')} of A "
        f"and {one.n_judged_b:,} of {one.n_shown_b:,} of B are judged"
    )
    return line("; ".join(part for part in (relevant, known, one.note) if part))


def _judged(figure: JudgedFigure) -> JudgedRow:
    a, b = figure.a, figure.b
    difference = counts.UNKNOWN if a is None or b is None else _signed(b - a)
    return JudgedRow(
        title=line(f"{figure.title}@{figure.k}"),
        a=counts.measured(a),
        b=counts.measured(b),
        difference=difference,
        formula=line(figure.formula),
        source=line(figure.source),
    )


def _signed(difference: float) -> str:
    """``+0.18``, ``−0.05``, ``0``."""
    short = f"{abs(difference):.2f}"
    if float(short) == 0:
        return "0" if difference == 0 else f"{'+' if difference > 0 else '−'}<0.01"
    return f"{'+' if difference > 0 else '−'}{short}"
