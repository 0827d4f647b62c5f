"""The rows of a file of questions: JSON lines, one JSON value, CSV; each with its place, or why it is none."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from docgraph.boundary.json_lines import line_place, records
from docgraph.boundary.judgments.foreign import check_heading
from docgraph.boundary.limits import MAX_JSON_FILE_VALUES
from docgraph.boundary.shape import check_json
from docgraph.boundary.text import decode
from docgraph.domain.report import Rejected

MAX_BYTES = 100_000_000


class Row(NamedTuple):
    """One row: its number from 1, how a report names it, and its fields by name, or why it has none."""

    number: int
    place: str
    fields: dict[str, Any] | Rejected


def rows_of(data: bytes, *, name: str) -> Iterator[Row]:
    """The rows of a file in their order, blank ones passed over; its kind is told by its name and its first character.

    Raises ValueError with one line when the file as a whole cannot be read.
    """
    if is_csv(name):
        return _csv_rows(data, name)
    whole = _whole_json(data)
    if whole is None:
        return (Row(number, line_place(number), row) for number, row in records(data, max_bytes=MAX_BYTES))
    return _entries(whole)


def is_csv(name: str) -> bool:
    """Whether the name is that of a file of columns."""
    return name.lower().endswith((".csv", ".tsv"))


def _whole_json(data: bytes) -> Any:
    """The value of a file that is one JSON list or object over several lines; None for JSON lines."""
    if data[:1_000].lstrip(b"\xef\xbb\xbf \t\r\n")[:1] not in (b"[", b"{"):
        return None
    text = decode(data, max_bytes=MAX_BYTES, max_line=MAX_BYTES).strip()
    first = text.partition("\n")[0].rstrip()
    # Lines of JSON: the first is a whole object, so an object over several lines never begins like one.
    if text.startswith("{") and (first == text or first.endswith("}")):
        return None
    try:
        check_json(text, max_values=MAX_JSON_FILE_VALUES)
        return json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        if text.startswith("{"):
            return None  # lines of which the first is broken: each is named
        raise ValueError(f"it begins like one JSON list, and is none: {str(error).splitlines()[0][:150]}") from error


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON value")


def _entries(whole: Any) -> Iterator[Row]:
    for number, each in enumerate(whole if isinstance(whole, list) else [whole], start=1):
        place = f"entry {number}"
        if isinstance(each, dict):
            yield Row(number, place, each)
        else:
            reason = f"{place} is not an object: {json.dumps(each)[:60]}"
            yield Row(number, place, Rejected(reason=reason, place=place))


def _csv_rows(data: bytes, name: str) -> Iterator[Row]:
    """Fields by the names in the heading; all columns called ``relevant…`` make one list.

    Raises ValueError for a heading that is none, and where the file stops being CSV.
    """
    text = decode(data, max_bytes=MAX_BYTES, max_line=MAX_BYTES)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter="\t" if name.lower().endswith(".tsv") else ",")
    try:
        heading = [each.strip().lower() for each in next(reader)]
        check_heading(heading)
        if double := next((each for n, each in enumerate(heading) if each and _is_double(each, heading[:n])), ""):
            raise ValueError(f"two columns of its heading are called {double[:60]!r}")
        for values in reader:
            if not any(value.strip() for value in values):
                continue
            place = line_place(reader.line_num)
            fields: dict[str, Any] | Rejected = _fields(heading, values)
            if more := [value for value in values[len(heading) :] if value.strip()]:
                reason = (
                    f"{place} has {len(values):,} values for {len(heading):,} columns, the last is {more[-1][:40]!r}: "
                    "put what holds a comma between quotes"
                )
                fields = Rejected(reason=reason, place=place)
            yield Row(reader.line_num, place, fields)
    except csv.Error as error:
        raise ValueError(f"line {reader.line_num} is not CSV: {error}") from error


def _is_double(column: str, before: Sequence[str]) -> bool:
    return not column.startswith("relevant") and column in before


def _fields(heading: Sequence[str], values: Sequence[str]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for column, value in zip(heading, values, strict=False):
        if column.startswith("relevant"):
            fields.setdefault("relevant", []).extend(each.strip() for each in value.split(";") if each.strip())
        elif column == "cannot_judge":
            fields[column] = [each.strip() for each in value.split(";") if each.strip()]
        elif column or value.strip():
            fields[column] = value.strip()
    return fields
