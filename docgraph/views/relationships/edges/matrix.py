"""A traceability matrix as the page shows it: which rows and columns are wanted, and what stands in the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from docgraph.domain.curators.traceability import MatrixColumn, MatrixEnd, MatrixRow, TraceabilityMatrix

MAX_ENDS = 12
"""Ids in one cell of the page; the files have all of them."""


@dataclass(frozen=True)
class RowFilter:
    """Which rows are wanted; an empty value asks for all. ``text`` = part of a title or an id, also of an end."""

    text: str = ""
    holes: bool = False

    @property
    def on(self) -> bool:
        """Whether anything is left out."""
        return self != RowFilter()


def wanted_rows(matrix: TraceabilityMatrix, wanted: RowFilter) -> tuple[MatrixRow, ...]:
    """The rows that a filter lets through, by id."""
    words = wanted.text.casefold().split()
    rows = matrix.with_holes().rows if wanted.holes else matrix.rows
    return tuple(row for row in rows if all(word in _text(row) for word in words)) if words else rows


def _text(row: MatrixRow) -> str:
    ends = (end.document_id for cell in row.cells for end in cell)
    return "\n".join((row.document_id, row.title, *ends)).casefold()


def matrix_table(rows: Sequence[MatrixRow], columns: Sequence[MatrixColumn]) -> dict[str, list[str]]:
    """Columns of the table, one value a row: the document by id and title, then the ids of the other ends."""
    table = {"Document": [row.document_id for row in rows], "Title": [row.title for row in rows]}
    for at, column in enumerate(columns):
        table[column.name] = [_cell(row.cells[at]) for row in rows]
    return table


def _cell(ends: Sequence[MatrixEnd]) -> str:
    more = f"; {len(ends) - MAX_ENDS:,} more" if len(ends) > MAX_ENDS else ""
    return "; ".join(map(str, ends[:MAX_ENDS])) + more
