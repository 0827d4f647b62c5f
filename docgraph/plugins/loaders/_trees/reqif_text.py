"""Gives the words of XHTML that stands in an attribute of ReqIF: paragraphs, lists and tables as in a page."""

from __future__ import annotations

import html
from typing import Any

from docgraph.boundary.text import check_length

MAX_DEPTH = 100
"""Levels of mark-up that are read as such; of what is nested deeper only the words are."""


def words_of(element: Any) -> str:
    """The words in an element, by lines."""
    words = "".join(element.itertext())
    check_length(words)
    if not words.strip():
        return ""
    written = _as_html(element)
    if written is None:
        return "\n".join(filter(None, (line.strip() for line in words.split("\n"))))
    from bs4 import BeautifulSoup

    from docgraph.plugins.loaders._html_text import read_tree

    page = read_tree(BeautifulSoup(f"<html><body>{written}</body></html>", "lxml"))
    return "\n".join(page.lines).strip("\n")


def _as_html(root: Any) -> str | None:
    """The mark-up inside of an element with plain tags and without attributes; None for what is nested too deep."""
    out: list[str] = [html.escape(root.text or "")]
    stack: list[tuple[Any, bool]] = [(child, True) for child in reversed(list(root))]
    depth = 0
    while stack:
        element, entering = stack.pop()
        name = str(element.tag).rpartition("}")[2].casefold() if isinstance(element.tag, str) else ""
        tag = name if name.isalnum() and name.isascii() and name != "object" else "span"
        if not entering:
            depth -= 1
            out.append(f"</{tag}>{html.escape(element.tail or '')}")
            continue
        depth += 1
        if depth > MAX_DEPTH:
            return None
        if tag == "br":
            depth -= 1
            out.append(f"<br>{html.escape(element.tail or '')}")
            continue
        out.append(f"<{tag}>{html.escape(element.text or '')}")
        stack.append((element, False))
        stack += [(child, True) for child in reversed(list(element))]
    return "".join(out)
