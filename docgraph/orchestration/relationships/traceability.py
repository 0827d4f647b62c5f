"""The traceability matrix of a workspace, and the matrix as a file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from io import BytesIO
from typing import Literal, NamedTuple

from docgraph.boundary.installed import need_extra
from docgraph.curation.exchange.writing import DOCUMENT_COLUMNS, cells, counts, matrix_csv, names
from docgraph.curation.traceability import traceability_matrix
from docgraph.domain.curation import TraceabilityMatrix
from docgraph.errors import UserError
from docgraph.orchestration.session import HasSession

MAX_CELL = 32_767
"""Characters that a cell of Excel holds."""
MAX_ROWS, MAX_COLUMNS = 1_048_576, 16_384
"""Rows, the head included, and columns of one sheet."""
WIDEST = 60
_MADE = datetime(2000, 1, 1)
"""Stands as the time of making in every file, so that equal data give equal bytes."""


class Table(NamedTuple):
    """A sheet: its name, the names of its columns, its rows; ``marked`` shades empty cells from this column on."""

    name: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    marked: int | None = None


def xlsx(tables: Iterable[Table]) -> bytes:
    """The tables as sheets of one file, their heads in bold and kept in sight. Raises UserError when one is too large,
    PluginError without the extra ``evaluate``.

    A cell that is too long for Excel is cut and ends with an ellipsis.
    """
    need_extra("evaluate", "a workbook")
    import xlsxwriter  # the command line waits for it with this one export alone

    written = BytesIO()
    book = xlsxwriter.Workbook(written, {"in_memory": True})
    book.set_properties({"created": _MADE})
    head, text = book.add_format({"bold": True}), book.add_format({"text_wrap": True, "valign": "top"})
    empty = book.add_format({"bg_color": "#FFF2CC"})
    for table in tables:
        _check(table)
        sheet = book.add_worksheet(table.name)
        for at, name in enumerate(table.columns):
            sheet.write_string(0, at, _cell(name), head)
            longest = max((len(row[at]) for row in table.rows), default=0)
            sheet.set_column(at, at, min(max(len(name), longest) + 2, WIDEST))
        for line, row in enumerate(table.rows, start=1):
            for at, cell in enumerate(row):
                if cell:
                    sheet.write_string(line, at, _cell(cell), text)
                elif table.marked is not None and at >= table.marked:
                    sheet.write_blank(line, at, None, empty)
        sheet.freeze_panes(1, 1)
        if table.rows:
            sheet.autofilter(0, 0, len(table.rows), len(table.columns) - 1)
    book.close()
    return written.getvalue()


def _check(table: Table) -> None:
    for n, most, what in (
        (len(table.rows) + 1, MAX_ROWS, "rows"),
        (len(table.columns), MAX_COLUMNS, "columns"),
    ):
        if n > most:
            raise UserError(f"an Excel sheet cannot hold {n:,} {what}: {most:,} at most", hint="write a CSV")


def _cell(text: str) -> str:
    plain = text.encode("utf-8", "replace").decode("utf-8")
    return plain if len(plain) <= MAX_CELL else plain[: MAX_CELL - 1] + "…"


MatrixKind = Literal["csv", "xlsx"]
KINDS: tuple[MatrixKind, ...] = ("csv", "xlsx")
MAX_NAMED = 12


def matrix(
    self: HasSession, doc_type: str | None = None, relation_types: Sequence[str] | None = None
) -> TraceabilityMatrix:
    """Documents (all, or of one type) against the documents they link to and are linked from, on one snapshot.

    ``relation_types`` None = every enabled type, with the columns that have an entry; named types have both columns,
    enabled or not. A target that is not stored fills no gap. Raises UserError for a type that no document or no
    relationship has.
    """
    with self.session.reading() as snapshot:
        documents, known = tuple(snapshot.documents()), snapshot.relation_types()
        if doc_type is not None:
            _check_names("document", doc_type, sorted({each.doc_type for each in documents if each.doc_type}))
        for name in () if relation_types is None else relation_types:
            _check_names("relationship", name, sorted(known))
        here = snapshot.workspace
        return traceability_matrix(
            documents,
            snapshot.relationships(),
            workspace=here.name,
            revision=here.revision,
            doc_type=doc_type,
            relation_types=relation_types,
            off=here.off_relation_types,
        )


def matrix_file(self: HasSession, matrix: TraceabilityMatrix, kind: MatrixKind = "csv") -> bytes:
    """A matrix as a file for spreadsheets, one row a document; equal matrices give equal bytes.

    ``xlsx`` has the counts of the columns on a second sheet. Raises UserError for another format, and for a matrix
    larger than Excel's limits.
    """
    del self  # one of the names of a workspace, as the others are
    if kind not in KINDS:
        raise UserError(f"{str(kind)[:40]!r} is not a file format", hint=f"there are: {', '.join(KINDS)}")
    if kind == "csv":
        return b"".join(matrix_csv(matrix))
    return xlsx(
        (
            Table("Matrix", names(matrix), tuple(cells(matrix)), marked=len(DOCUMENT_COLUMNS)),
            Table("Counts", ("column", "documents with one", "holes"), counts(matrix)),
        )
    )


def _check_names(what: str, name: str, known: Sequence[str]) -> None:
    """Raises UserError for a type that none has."""
    if name not in known:
        more = f" and {len(known) - MAX_NAMED:,} more" if len(known) > MAX_NAMED else ""
        there = f"there are: {', '.join(known[:MAX_NAMED])}{more}" if known else "there are none"
        raise UserError(f"no {what} has the type {str(name)[:80]!r}", hint=there)
