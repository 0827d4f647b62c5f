"""A traceability matrix as the cells of a sheet, and as a CSV for spreadsheets."""

from __future__ import annotations

import csv
from collections.abc import Iterator

from docgraph.boundary.text import one_line
from docgraph.curation.exchange.cells import defused
from docgraph.curation.exchange.writing import MARK_OF_UTF8, Written
from docgraph.domain.curators.traceability import TraceabilityMatrix

DOCUMENT_COLUMNS = ("document", "title", "document type")
BETWEEN = "; "
"""Stands between the ids of one cell."""
AT_ONCE = 500


def names(matrix: TraceabilityMatrix) -> tuple[str, ...]:
    """What the columns of the sheet are called."""
    return (*DOCUMENT_COLUMNS, *(column.name for column in matrix.columns))


def cells(matrix: TraceabilityMatrix) -> Iterator[tuple[str, ...]]:
    """The rows of the sheet: the document, then the ids of every column; nothing in a cell = no relationship."""
    for row in matrix.rows:
        ends = (BETWEEN.join(str(end) for end in cell) for cell in row.cells)
        yield (row.document_id, one_line(row.title), one_line(row.doc_type), *ends)


def counts(matrix: TraceabilityMatrix) -> tuple[tuple[str, ...], ...]:
    """A row for every column of the matrix: its name, how many documents have a stored end there, how many none."""
    return tuple((each.name, str(each.n_filled), str(each.n_holes)) for each in matrix.columns)


def matrix_csv(matrix: TraceabilityMatrix) -> Iterator[bytes]:
    """The matrix in UTF-8 with its mark, commas, CRLF, one row a document; no cell is taken for a formula."""
    written = Written()
    writer = csv.writer(written, lineterminator="\r\n")
    writer.writerow([defused(name) for name in names(matrix)])
    yield MARK_OF_UTF8 + written.taken()
    for at, row in enumerate(cells(matrix), start=1):
        writer.writerow([defused(cell) for cell in row])
        if at % AT_ONCE == 0:
            yield written.taken()
    yield written.taken()
