"""Finds Dataview's inline fields whose values are links: ``up:: [[X]]``, ``- up:: [[X]], [[Y]]``, ``(up:: [[X]])``."""

from __future__ import annotations

import re

MAX_LINE = 2_000
_KEY = r"(?:\*\*|__|\*|_)?([^\W\d_][\w -]{0,60}?)(?:\*\*|__|\*|_)?[ \t]{0,3}::"
_LINE = re.compile(
    rf"[ \t>]{{0,20}}(?:[-*+][ \t]{{1,4}})?(?:\[.\][ \t]{{1,4}})?{_KEY}(?:\*\*|__|\*|_)?[ \t]{{0,5}}(.*)"
)
_BRACKETED = re.compile(
    rf"[(\[]{_KEY}[ \t]{{0,5}}((?:[^()\[\]]{{0,200}}\[\[[^\[\]]{{1,500}}\]\]){{1,20}})[^()\[\]]{{0,200}}[)\]]"
)


def is_field(line: str) -> bool:
    """Whether the whole line is an inline field with a link in it."""
    return "::" in line and bool((found := _LINE.match(line[:MAX_LINE])) and _links(found[2]))


def fields_in(line: str) -> list[tuple[str, str]]:
    """(key, value) of each inline field in a line whose value holds a link, in order."""
    line = line[:MAX_LINE]
    if "::" not in line:
        return []
    whole = _LINE.match(line)
    if whole:
        return [(whole[1], whole[2])] if _links(whole[2]) else []
    return [(found[1], found[2]) for found in _BRACKETED.finditer(line)]


def _links(value: str) -> bool:
    return "[[" in value or "](" in value
