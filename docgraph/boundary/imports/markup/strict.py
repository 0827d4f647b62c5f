"""Finds the links in the texts of StrictDoc: ``[LINK: UID]`` of a node, a section or an anchor."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from docgraph.boundary.imports.markup.references import Markup, Reference
from docgraph.boundary.imports.markup.restructured import LITERAL
from docgraph.boundary.limits import MAX_LINKS

_LINK = re.compile(r"``(?:[^`]|`(?!`)){0,1000}``|\[LINK:[ \t]*([A-Za-z0-9][\w.:/-]{0,200})[ \t]*\]")
_BODY = re.compile(r"[ \t]*\.\.[ \t]+([A-Za-z][\w:+.-]{0,80})::")


def strict(text: str) -> Markup:
    """What a text refers to, in text order; literals and indented examples refer to nothing."""
    found = (
        Reference("strict", each[1], start + each.start(), start + each.end())
        for start, end in _prose(text)
        for each in _LINK.finditer(text[start:end])
        if each[1]
    )
    return Markup(references=list(islice(found, MAX_LINKS)))


def _prose(text: str) -> Iterator[tuple[int, int]]:
    """(begin, end) of the stretches between examples: lines that are indented, but for bodies of notes and the like."""
    begin = place = 0
    body: int | None = None  # how far the directive is indented whose body may come
    for line in text.splitlines(keepends=True):
        indent = len(line) - len(line.lstrip(" \t"))
        if line.strip():
            if body is not None and indent <= body:
                body = None
            if opened := _BODY.match(line):
                body = None if opened[1] in LITERAL else indent
            if (indent >= 4 or line.startswith("\t")) and body is None:
                if begin < place:
                    yield begin, place
                begin = place + len(line)
        place += len(line)
    if begin < place:
        yield begin, place
