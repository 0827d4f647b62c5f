"""Reads the header of a reStructuredText file: an RFC-822 block at its top, or a docinfo field list."""

from __future__ import annotations

import re
from collections.abc import Sequence

from docgraph.boundary.imports.header_lines import left_out
from docgraph.boundary.limits import MAX_HEADER_LINES, MAX_HEADER_VALUE
from docgraph.boundary.text import one_line
from docgraph.domain.report import Rejected

_FIELD = re.compile(r"([A-Za-z][A-Za-z0-9_-]{0,60}):(?:[ \t]+|$)(.*)")
_DOCINFO = re.compile(r":([A-Za-z][A-Za-z0-9 _-]{0,60}):(?:[ \t]+|$)(.*)")
_FIELDS_A_FAULT = 3
_RULE = re.compile(r"([^\w\s])\1{2,}\s*")


def split_header(text: str, *, first_line: int = 1) -> tuple[dict[str, str], str, tuple[Rejected, ...]]:
    """(fields, body, lines of the header that are left out).

    Names are in lower case with underscores, values on one line with continuation lines joined. An RFC-822 block (at
    least two fields, then a blank line) is cut from the body; a docinfo list (``:Author: …`` at the top or under the
    title) stays in it, for it is part of the text. A line that is no field costs that line, where most are;
    ``first_line`` is where ``text`` starts in its file.
    """
    lines = text.split("\n")
    start = next((place for place, line in enumerate(lines) if line.strip()), 0)
    end = _block_end(lines, start)
    fields, left = _fields(lines[start:end], _FIELD, start + first_line)
    if len(fields) >= 2 and len(fields) >= _FIELDS_A_FAULT * len(left):  # what is cut from the text is surely a header
        return fields, "\n".join(lines[end:]).lstrip("\n"), left
    start = _under_title(lines, start)
    fields, left = _fields(lines[start : _block_end(lines, start)], _DOCINFO, start + first_line)
    return fields, text, left


def _block_end(lines: Sequence[str], start: int) -> int:
    end = start
    while end < len(lines) and lines[end].strip() and end - start <= MAX_HEADER_LINES:
        end += 1
    return end


def _under_title(lines: Sequence[str], start: int) -> int:
    """Where the text under a document title starts, or ``start`` when there is no title."""
    place = start
    for step in range(3):
        if place + step < len(lines) and step and _RULE.fullmatch(lines[place + step]):
            place += step + 1
            while place < len(lines) and not lines[place].strip():
                place += 1
            return place
    return start


def _fields(
    lines: Sequence[str], pattern: re.Pattern[str], first_line: int
) -> tuple[dict[str, str], tuple[Rejected, ...]]:
    """(fields, lines that are neither a field nor the continuation of one).

    Nothing where the block does not begin with a field, fewer than half of its lines are fields, or it is too long.
    """
    if not lines or len(lines) > MAX_HEADER_LINES or not pattern.match(lines[0]):
        return {}, ()
    fields: dict[str, list[str]] = {}
    current: list[str] | None = None
    left: list[Rejected] = []
    n_fields = 0
    for number, line in enumerate(lines, start=first_line):
        if line[0] in " \t" and current is not None:
            current.append(line.strip())
            continue
        found = pattern.match(line)
        if found is None:
            left.append(left_out(line.strip(), number, "it is no field"))
            current = None
            continue
        n_fields += 1
        name = re.sub(r"[- ]", "_", found[1].lower())
        current = fields.setdefault(name, [])
        if current:
            current.append(",")  # a field that stands twice is a list
        current.append(found[2].strip())
    if len(left) > n_fields:
        return {}, ()
    joined = {name: " ".join(values).replace(" , ", ", ") for name, values in fields.items()}
    return {name: one_line(value, MAX_HEADER_VALUE) for name, value in joined.items()}, tuple(left)
