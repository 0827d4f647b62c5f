"""Reads the header of a reStructuredText file: an RFC-822 block at its top, or a docinfo field list."""

from __future__ import annotations

import re
from collections.abc import Sequence

from docgraph.boundary.limits import MAX_HEADER_LINES, MAX_HEADER_VALUE
from docgraph.boundary.text import one_line

_FIELD = re.compile(r"([A-Za-z][A-Za-z0-9_-]{0,60}):(?:[ \t]+|$)(.*)")
_DOCINFO = re.compile(r":([A-Za-z][A-Za-z0-9 _-]{0,60}):(?:[ \t]+|$)(.*)")
_RULE = re.compile(r"([^\w\s])\1{2,}\s*")


def split_header(text: str) -> tuple[dict[str, str], str]:
    """(fields, body). Names are in lower case with underscores, values on one line with continuation lines joined.

    An RFC-822 block (at least two fields, then a blank line) is cut from the body; a docinfo list (``:Author: …``
    at the top or under the title) stays in it, for it is part of the text.
    """
    lines = text.split("\n")
    start = next((place for place, line in enumerate(lines) if line.strip()), 0)
    end = _block_end(lines, start)
    fields = _fields(lines[start:end], _FIELD)
    if fields is not None and len(fields) >= 2:
        return fields, "\n".join(lines[end:]).lstrip("\n")
    start = _under_title(lines, start)
    return _fields(lines[start : _block_end(lines, start)], _DOCINFO) or {}, text


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


def _fields(lines: Sequence[str], pattern: re.Pattern[str]) -> dict[str, str] | None:
    """None when a line is neither a field nor the continuation of one, or the block is too long."""
    if len(lines) > MAX_HEADER_LINES:
        return None
    fields: dict[str, list[str]] = {}
    current: list[str] | None = None
    for line in lines:
        if line[0] in " \t" and current is not None:
            current.append(line.strip())
            continue
        found = pattern.match(line)
        if found is None:
            return None
        name = re.sub(r"[- ]", "_", found[1].lower())
        current = fields.setdefault(name, [])
        if current:
            current.append(",")  # a field that stands twice is a list
        current.append(found[2].strip())
    return {name: one_line(" ".join(values).replace(" , ", ", "), MAX_HEADER_VALUE) for name, values in fields.items()}
