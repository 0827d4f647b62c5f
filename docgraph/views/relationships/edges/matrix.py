"""A traceability matrix as the page shows it: which rows and columns are wanted, and what stands in the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict

from docgraph.domain.curation import (
    MatrixColumn,
    MatrixDirection,
    MatrixEnd,
    MatrixRow,
    TraceabilityMatrix,
)

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


class GridColumn(TypedDict):
    """A column of the page: the relation type in one direction, and what is said of it."""

    type: str
    direction: MatrixDirection
    name: str
    sentence: str


class GridRow(TypedDict):
    """A row of the page: a document, a text for each column, and which columns (from 0) are holes."""

    id: str
    title: str
    cells: list[str]
    holes: list[int]


class MatrixGrid(TypedDict):
    """The table as plain data."""

    columns: list[GridColumn]
    rows: list[GridRow]


def matrix_grid(rows: Sequence[MatrixRow], columns: Sequence[MatrixColumn]) -> MatrixGrid:
    """The table of the page: of each row the document by id and title, then the ids of the other ends, by column.

    ``columns`` = the first ones of the rows' own, all or some; what stands behind them in the rows is left out.
    """
    n = len(columns)
    return {
        "columns": [
            {"type": each.relation_type, "direction": each.direction, "name": each.name, "sentence": each.sentence}
            for each in columns
        ],
        "rows": [
            {
                "id": row.document_id,
                "title": row.title,
                "cells": [_cell(ends) for ends in row.cells[:n]],
                "holes": [at for at in row.holes if at < n],
            }
            for row in rows
        ],
    }


def _cell(ends: Sequence[MatrixEnd]) -> str:
    more = f"; {len(ends) - MAX_ENDS:,} more" if len(ends) > MAX_ENDS else ""
    return "; ".join(map(str, ends[:MAX_ENDS])) + more
