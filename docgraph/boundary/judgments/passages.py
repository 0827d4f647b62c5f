"""Reads judgments of passages out of a file: JSON lines, or CSV with the same names in its heading."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any

from docgraph.boundary.json_lines import line_place, records
from docgraph.boundary.text import FORMULA, decode
from docgraph.domain.report import Rejected
from docgraph.errors import UserError

MAX_BYTES = 100_000_000
HINT = 'write one JSON object on each line: {"query": "Why is the queue bounded?", "chunk_id": "ADR-003#0", "grade": 2}'
FIELDS = ("query", "document_id", "chunk_id", "text_hash", "grade", "by", "at", "note")
"""What a line may say; ``query``, ``grade`` and ``chunk_id`` it has to."""

_NEEDED = ("query", "chunk_id", "grade")


def read_passages(data: bytes, *, name: str) -> tuple[tuple[tuple[int, dict[str, Any]], ...], tuple[Rejected, ...]]:
    """(line number, fields) of what can be taken for a judgment, and what cannot, with its reason.

    Fields that are none of ``FIELDS`` are left out. In CSV an empty ``grade`` is *can't judge*, and an apostrophe
    before what a sheet would take for a formula falls away, as ``export-judgments`` writes it. Raises UserError when
    the file as a whole cannot be read, or holds nothing.
    """
    is_csv = name.lower().endswith(".csv")
    try:
        rows = list(_csv_rows(data) if is_csv else records(data, max_bytes=MAX_BYTES))
    except ValueError as error:
        raise UserError(f"the judgments {name[:80]!r} cannot be read: {error}", hint=HINT) from error
    found: list[tuple[int, dict[str, Any]]] = []
    rejected: list[Rejected] = []
    for number, row in rows:
        made = row if isinstance(row, Rejected) else _fields(row, number)
        if isinstance(made, Rejected):
            rejected.append(made)
        else:
            found.append((number, made))
    if not rows:
        raise UserError(f"the file {name[:80]!r} holds no judgment", hint=HINT)
    return tuple(found), tuple(rejected)


def _fields(row: dict[str, Any], number: int) -> dict[str, Any] | Rejected:
    place = line_place(number)
    if missing := next((field for field in _NEEDED if field not in row), None):
        return Rejected(reason=f"{place} says nothing under {missing!r}", place=place)
    if strange := next((field for field in FIELDS if field != "grade" and not isinstance(row.get(field, ""), str)), ""):
        return Rejected(reason=f"{place}: {strange!r} is no text: {str(row[strange])[:60]!r}", place=place)
    return {field: row[field] for field in FIELDS if field in row}


def _csv_rows(data: bytes) -> Iterator[tuple[int, dict[str, Any] | Rejected]]:
    reader = csv.reader(io.StringIO(decode(data, max_bytes=MAX_BYTES, max_line=MAX_BYTES), newline=""))
    try:
        heading = [each.strip().lower() for each in next(reader, [])]
        if missing := next((field for field in _NEEDED if field not in heading), None):
            raise ValueError(f"its heading has no column {missing!r}: {', '.join(heading)[:60]!r}")
        for values in reader:
            if any(value.strip() for value in values):
                row: dict[str, Any] = dict(zip(heading, map(_plain, values), strict=False))
                yield reader.line_num, row | {"grade": _grade(row.get("grade", ""))}
    except csv.Error as error:
        raise ValueError(f"line {reader.line_num} is not CSV: {error}") from error


def _plain(value: str) -> str:
    return value[1:] if value.startswith("'") and value[1:].lstrip(" ").startswith(FORMULA) else value


def _grade(value: str) -> int | str | None:
    said = value.strip()
    return int(said) if said in ("0", "1", "2") else said or None
