"""Reads record files (one JSON object per line): numbered objects, and the reason for each line that is none."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from docgraph.boundary.limits import MAX_RECORD, MAX_REFUSED
from docgraph.boundary.shape import check_json
from docgraph.boundary.text import decode
from docgraph.domain.report import Rejected


def records(data: bytes, *, max_bytes: int) -> Iterator[tuple[int, dict[str, Any] | Rejected]]:
    """(line number from 1, object or the reason why it is none); blank lines are passed over.

    Raises ValueError with a one-line reason when the file as a whole cannot be read.
    """
    text = decode(data, max_bytes=max_bytes, max_line=max_bytes)
    for number, line in enumerate(_lines(text), start=1):
        if line.strip():
            yield number, _record(line, number)


def _lines(text: str) -> Iterator[str]:
    """One after the other: the lines of a text take many times its memory where there are millions of them."""
    start = 0
    while (end := text.find("\n", start)) >= 0:
        yield text[start:end]
        start = end + 1
    yield text[start:]


def check_readable(n_records: int, n_refused: int) -> None:
    """Raises ValueError where more of a file's records so far are refused than read, and more than can be told."""
    if n_refused >= MAX_REFUSED and 2 * n_refused > n_records:
        said = f"{n_refused:,} of its first {n_records:,} records are refused"
        raise ValueError(f"the rest of the file is not read: {said}")


def line_place(number: int) -> str:
    """How a report names a line."""
    return f"line {number}"


def _record(line: str, number: int) -> dict[str, Any] | Rejected:
    place = line_place(number)
    if len(line) > MAX_RECORD:
        reason = f"{place} has {len(line):,} characters; at most {MAX_RECORD:,} are read: split the record"
        return Rejected(reason=reason, place=place)
    try:
        check_json(line)
    except ValueError as error:
        return Rejected(reason=f"{place} is refused: {error}", place=place)
    try:
        value = json.loads(line, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        return Rejected(reason=f"{place} is not JSON: {error.msg} at character {error.colno}", place=place)
    except ValueError as error:
        return Rejected(reason=f"{place} is not JSON: {str(error).splitlines()[0][:150]}", place=place)
    if not isinstance(value, dict):
        return Rejected(reason=f"{place} is not an object but a JSON {_kind(value)}", place=place)
    return value


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON value")


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    kinds = {bool: "boolean", int: "number", float: "number", str: "string", list: "array"}
    return kinds.get(type(value), type(value).__name__)
