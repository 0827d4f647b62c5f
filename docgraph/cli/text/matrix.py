"""How a traceability matrix is printed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from docgraph.cli.text.output import console, count, line, table
from docgraph.domain.curation import MatrixEnd, MatrixRow, TraceabilityMatrix

BETWEEN = 3
"""Room between two columns."""


def show_matrix(matrix: TraceabilityMatrix, *, limit: int, only_holes: bool) -> None:
    """The rows, at most ``limit`` of them, then how many documents have something in every column.

    A matrix that is wider than the screen is told in lines, one for each cell and one for the holes of a document.
    """
    shown = matrix.rows[:limit]
    if matrix.columns and shown:
        names = ("document", *(column.name for column in matrix.columns))
        rows = [(row.document_id, *(_ends(cell) for cell in row.cells)) for row in shown]
        widths = [max(len(name), *(len(row[at]) for row in rows)) for at, name in enumerate(names)]
        if sum(widths) + BETWEEN * len(widths) <= console().width:
            table(names, rows)
        else:
            table(("document", "column", "documents"), list(_lines(shown, names[1:])), wrap=True)
        line("")
    for column in matrix.columns:
        line(column.sentence)
    if matrix.columns:
        line("")
    kind = f" of type {matrix.doc_type}" if matrix.doc_type else ""
    holes = " with a hole" if only_holes else ""
    cut = "; --limit shows more" if len(shown) < len(matrix.rows) else ""
    of = f"{count(len(matrix.rows), 'document')}{kind}{holes} in {matrix.workspace}"
    line((f"{len(shown):,} shown of {of}{cut}", "dim"))


def _lines(rows: Sequence[MatrixRow], names: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    for row in rows:
        for name, cell in zip(names, row.cells, strict=True):
            if cell:
                yield (row.document_id, name, _ends(cell))
        if row.holes:
            yield (row.document_id, "holes", ", ".join(names[at] for at in row.holes))


def _ends(cell: Sequence[MatrixEnd]) -> str:
    return "; ".join(map(str, cell))
