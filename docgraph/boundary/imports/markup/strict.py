"""Finds the links in the texts of StrictDoc: ``[LINK: UID]`` of a node, a section or an anchor."""

from __future__ import annotations

import re
from itertools import islice

from docgraph.boundary.imports.markup.references import Markup, Reference
from docgraph.boundary.limits import MAX_LINKS

_LINK = re.compile(
    r"``(?:[^`]|`(?!`)){0,1000}``|^(?: {4}|\t)[^\n]*$|\[LINK:[ \t]*([A-Za-z0-9][\w.:/-]{0,200})[ \t]*\]", re.MULTILINE
)


def strict(text: str) -> Markup:
    """What a text refers to, in text order; literals and indented examples refer to nothing."""
    links = (each for each in _LINK.finditer(text) if each[1])
    found = (Reference("strict", each[1], each.start(), each.end()) for each in links)
    return Markup(references=list(islice(found, MAX_LINKS)))
