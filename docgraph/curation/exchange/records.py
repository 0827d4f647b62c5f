"""The records of a CSV or of JSON Lines, whatever program has saved them, each with the line on which it starts."""

from __future__ import annotations

import csv
import json
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Literal

from docgraph.boundary.limits import MAX_COLUMNS, MAX_RECORD, MAX_ROW, MAX_ROWS, MAX_SHEET_ROWS
from docgraph.boundary.limits import MAX_EXCHANGE_BYTES as MAX_BYTES
from docgraph.boundary.shape import check_json
from docgraph.curation.exchange.writing import COLUMNS, VERSION, mark_of, restored
from docgraph.domain.exchange import ExchangeProblem

MAX_SHOWN = 200
SEPARATORS = (",", ";", "\t")
READ = ("edge", "state", "texts", "from", "type", "to", "decision", "reason")
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_EXPORTED = "export it again: docgraph relationships export"
IN_PARTS = "import it in parts: rows that are not in a file stay as they are"


@dataclass(frozen=True, slots=True)
class Record:
    """One record: ``cells`` = column → text as it was exported, ``value`` = everything that a JSON line holds."""

    line: int
    kind: Literal["header", "relationship", "dismissal", "triage"]
    cells: Mapping[str, str] = field(default_factory=dict)
    value: Mapping[str, Any] = field(default_factory=dict)
    ignored: tuple[str, ...] = ()


def problem(line: int, message: str, hint: str, *, column: str, value: str) -> ExchangeProblem:
    """What is wrong in a line, with the beginning of the value."""
    shown = value if len(value) <= MAX_SHOWN else value[: MAX_SHOWN - 1] + "…"
    return ExchangeProblem(line=line, column=column, value=shown, message=message, hint=hint)


class Unreadable(Exception):
    """A file that cannot be read from some line on; carries the problem."""

    def __init__(self, line: int, message: str, hint: str, *, column: str = "", value: str = "") -> None:
        super().__init__(message)
        self.problem = problem(line, message, hint, column=column, value=value)


def records_of(data: bytes) -> Iterator[Record]:
    """The header, then the records. Raises Unreadable at what makes the rest of the file unreadable."""
    text = _decoded(data)
    if not text.strip():
        raise Unreadable(0, "the file is empty", _EXPORTED)
    if "\n" not in text:  # as spreadsheets of old Macs wrote
        text = text.replace("\r", "\n")
    read = _json_records(text) if text.lstrip()[:1] == "{" else _csv_records(text)
    for number, record in enumerate(read):
        if number > MAX_ROWS:
            raise Unreadable(record.line, f"the file has more rows than are read: {MAX_ROWS:,}", IN_PARTS)
        yield record


def _decoded(data: bytes) -> str:
    if len(data) > MAX_BYTES:
        raise Unreadable(0, f"the file has {len(data):,} bytes; at most {MAX_BYTES:,} are read", IN_PARTS)
    encoding = "utf-16" if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1 if encoding != "utf-16" else 0
        found = data[error.start : error.start + 1].hex()
        hint = "save it as “CSV UTF-8”: its letters are in an older encoding"
        raise Unreadable(line, f"is not UTF-8: byte 0x{found} at position {error.start:,}", hint) from None


# ---------------------------------------------------------------- CSV


def _csv_records(text: str) -> Iterator[Record]:
    first = text[: text.find("\n") + 1] or text
    separator = max(SEPARATORS, key=first.count)
    rows = _numbered(_Rows(text, separator))
    line, header = next(rows)
    columns, mark, ignored = _columns(header, line)
    yield Record(line, "header", {"mark": mark}, ignored=ignored)
    for line, row in rows:
        if not "".join(row).strip():
            continue
        if len(row) > len(header) and (extra := [cell for cell in row[len(header) :] if cell.strip()]):
            hint = "put quotes around cells that hold the separator, and write quotes inside them twice"
            message = f"the row has {len(row)} cells, the header {len(header)}"
            raise Unreadable(line, message, hint, value=extra[0])
        cells = {name: restored(row[place]) if place < len(row) else "" for place, name in columns.items()}
        yield Record(line, "relationship", cells)


def _lines(text: str) -> Iterator[str]:
    """The lines of a text; a line ends at a line feed alone, as Python's own splitting knows many more ends."""
    return (found.group() for found in _LINE.finditer(text))


class _Rows:
    """The rows of a CSV, each from a bounded number of characters, whatever its quotes hold together."""

    def __init__(self, text: str, separator: str) -> None:
        self._left = MAX_ROW
        self._reader = csv.reader(self._fed(text), delimiter=separator, strict=True)

    @property
    def n_lines(self) -> int:
        """Lines read so far."""
        return self._reader.line_num

    def read(self) -> list[str]:
        """The next row. Raises StopIteration, csv.Error, and _TooLong before a row of too many characters is made."""
        self._left = MAX_ROW
        return next(self._reader)

    def _fed(self, text: str) -> Iterator[str]:
        for line in _lines(text):
            self._left -= len(line)
            if self._left < 0:
                raise _TooLong(f"it has more than {MAX_ROW:,} characters")
            yield line


class _TooLong(Exception):
    """A row of more characters than are read."""


def _numbered(rows: _Rows) -> Iterator[tuple[int, list[str]]]:
    """Rows with the line on which each starts. Raises Unreadable for quotes that are not closed or stand wrong."""
    for number in count(1):
        line = rows.n_lines + 1
        _check_sheet(number, line)
        try:
            row = rows.read()
        except StopIteration:
            return
        except (csv.Error, _TooLong) as error:
            hint = "put quotes around cells that hold quotes or separators, and write quotes inside them twice"
            raise Unreadable(line, f"the row cannot be read: {error}", hint) from None
        yield line, row


def _check_sheet(n_rows: int, line: int) -> None:
    if n_rows > MAX_SHEET_ROWS:
        said = f"the file has more rows, empty ones among them, than are read: {MAX_SHEET_ROWS:,}"
        raise Unreadable(line, said, IN_PARTS)


def _columns(header: Sequence[str], line: int) -> tuple[dict[int, str], str, tuple[str, ...]]:
    """Place → column that is read, the mark of the export ("" = none), and the columns that nobody knows."""
    if len(header) > MAX_COLUMNS:
        message = f"the header has {len(header):,} columns; at most {MAX_COLUMNS:,} are read"
        raise Unreadable(line, message, _EXPORTED)
    columns: dict[int, str] = {}
    mark, ignored = "", []
    for place, cell in enumerate(header):
        name = restored(cell).strip()
        plain = name.casefold().replace(" ", "_")
        if plain in columns.values():
            raise Unreadable(line, "the header names a column twice", "delete one of the two", column=name, value=name)
        if plain in READ:
            columns[place] = plain
        elif name.startswith((mark_of("", whole=True), mark_of("", whole=False))):
            mark = name
        elif name and plain not in COLUMNS:
            ignored.append(name[:MAX_SHOWN])
    named = set(columns.values())
    if not (named >= {"edge", "state"} or named >= {"from", "type", "to"}) or ("edge" in named) != ("state" in named):
        message = "the header has to name from, type and to, or edge and state as they were exported"
        raise Unreadable(line, message, _EXPORTED, value=", ".join(header))
    return columns, mark, tuple(ignored)


# ---------------------------------------------------------------- JSON Lines


def _json_records(text: str) -> Iterator[Record]:
    for line, content in enumerate(_lines(text), 1):
        _check_sheet(line, line)
        if not content.strip():
            continue
        value = _object(line, content)
        match value.pop("kind", "relationship"):
            case "export":
                yield Record(line, "header", {"mark": _mark(line, value)})
            case "relationship":
                yield Record(line, "relationship", _cells(line, value))
            case "dismissal" | "triage" as kind:
                yield Record(line, kind, value=value)
            case "history":
                continue
            case other:
                hint = "it is one of export, relationship, dismissal, triage, history"
                raise Unreadable(line, "is not a kind of row", hint, column="kind", value=str(other))


def _object(line: int, content: str) -> dict[str, Any]:
    try:
        if len(content) > MAX_RECORD:
            raise ValueError(f"it has {len(content):,} characters; at most {MAX_RECORD:,} are read")
        check_json(content)
    except ValueError as error:
        raise Unreadable(line, f"the line is refused: {error}", _EXPORTED, value=content) from None
    try:
        value = json.loads(content)
    except ValueError as error:
        raise Unreadable(
            line, f"the line is not valid JSON: {error}", "write one object per line", value=content
        ) from None
    if not isinstance(value, dict):
        raise Unreadable(line, "the line is not a JSON object", "write one object per line", value=content)
    return value


def _cells(line: int, value: Mapping[str, Any]) -> dict[str, str]:
    cells = {}
    for name in READ:
        cell = value.get(name)
        if cell is not None and not isinstance(cell, str):
            raise Unreadable(line, "has to be a text", "put quotes around it", column=name, value=json.dumps(cell))
        if name in value:
            cells[name] = cell or ""
    return cells


def _mark(line: int, value: Mapping[str, Any]) -> str:
    if value.get("version") != VERSION:
        raise Unreadable(line, f"is not {VERSION}", _EXPORTED, column="version", value=str(value.get("version")))
    return mark_of(str(value.get("revision", "")), whole=value.get("whole") is True)
