"""Reads workbooks (.xlsx) whose sheets are tables of requirements, as tables in CSV are read."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time
from itertools import islice
from typing import TYPE_CHECKING, Any

from docgraph.boundary.confined import Confined
from docgraph.boundary.files.regular import check_method, entries_of
from docgraph.boundary.limits import MAX_COLUMNS, MAX_OFFICE_BYTES, MAX_SHEET_ROWS
from docgraph.boundary.text import check_size, clean, one_line
from docgraph.domain.graph import Document, Relationship
from docgraph.domain.report import Rejected
from docgraph.plugins.loaders._trees import requirement_table
from docgraph.plugins.loaders.pandoc import EXTRA

if TYPE_CHECKING:
    from openpyxl.workbook import Workbook

MAX_UNPACKED = 100_000_000
MAX_SHEETS = 100
MAX_ABOVE = 20
"""Rows that may stand above a header: a title, who made it, when."""
_NONE = "no sheet of the workbook is a table of requirements: no column id beside a text or others' ids"


class XlsxLoader:
    """A row is a document and columns that name others are relationships, on every sheet with a column id.

    Formulas count by the values that were kept with them, dates as ``2026-01-31``; a header may stand below a title.
    """

    name = "xlsx"
    suffixes: tuple[str, ...] = (".xlsx",)
    holds_many = True
    confined = Confined(imports=("openpyxl", "encodings.cp437"))  # names in archives are decoded by that

    def load(self, data: bytes, *, source: str) -> Iterator[Document | Relationship | Rejected]:
        """Rows, then relationships, sheet by sheet. Raises ValueError with a one-line reason."""
        check_size(data, MAX_OFFICE_BYTES)
        book = _opened(data)
        try:
            tables = [(sheet.title, table) for sheet in book.worksheets[:MAX_SHEETS] if (table := _table(sheet))]
        except (KeyError, TypeError, ValueError, SyntaxError, zipfile.BadZipFile, OSError, EOFError) as error:
            raise ValueError(f"the workbook cannot be read: {one_line(str(error), 150)}") from None
        finally:
            book.close()
        if not tables:
            raise ValueError(_NONE)
        for name, (header, rows) in tables:
            for item in requirement_table.read(header, rows, source):
                if isinstance(item, Rejected):
                    item = item.model_copy(update={"place": f"sheet {one_line(name, 40)}, {item.place}"})
                yield item


def _opened(data: bytes) -> Workbook:
    for entry in entries_of(data, MAX_UNPACKED, name="the workbook", fault="the file is not a workbook"):
        check_method(entry)
    try:
        from openpyxl import load_workbook
        from openpyxl.utils.exceptions import InvalidFileException
    except ImportError:
        raise ValueError(f"this format needs an optional package that is not installed: {EXTRA}") from None
    try:
        return load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
    except (InvalidFileException, KeyError, TypeError, ValueError, SyntaxError, OSError, EOFError) as error:
        raise ValueError(f"the workbook cannot be read: {one_line(str(error), 150)}") from None


def _table(sheet: Any) -> tuple[Sequence[str], list[requirement_table.Row]] | None:
    """(header, rows below it) of a sheet; None where no row near the top is a header of requirements."""
    rows = _rows(sheet)
    header = next((cells for _, cells in islice(rows, MAX_ABOVE + 1) if requirement_table.is_table(cells)), None)
    return None if header is None else (header, list(rows))


def _rows(sheet: Any) -> Iterator[tuple[int, list[str]]]:
    """(number from 1, cells) of the rows that are not empty, without the empty cells at their ends."""
    for number, values in enumerate(sheet.iter_rows(values_only=True), start=1):
        if number > MAX_SHEET_ROWS:
            raise ValueError(f"a sheet has more than {MAX_SHEET_ROWS:,} rows: split it")
        cells = [_text(value) for value in values[: MAX_COLUMNS + 1]]
        while cells and not cells[-1].strip():
            cells.pop()
        if len(cells) > MAX_COLUMNS:
            raise ValueError(f"row {number} has more than {MAX_COLUMNS:,} cells")
        if cells:
            yield number, cells


def _text(value: Any) -> str:
    """A cell as it is read: dates as ISO 8601, whole numbers without a fraction."""
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(sep=" ", timespec="minutes")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return clean(str(value))


build = XlsxLoader
