"""Tables as an Excel file: every cell is text as it stands, never a formula, a link or a number."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from io import BytesIO
from typing import NamedTuple

from docgraph.errors import UserError

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
    """The tables as sheets of one file, their heads in bold and kept in sight. Raises UserError when one is too large.

    A cell that is too long for Excel is cut and ends with an ellipsis.
    """
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
            raise UserError(f"a sheet of Excel has no place for {n:,} {what}: {most:,} at most", hint="write a CSV")


def _cell(text: str) -> str:
    plain = text.encode("utf-8", "replace").decode("utf-8")
    return plain if len(plain) <= MAX_CELL else plain[: MAX_CELL - 1] + "…"
