"""Walks a parsed HTML tree and gives its readable text by sections, and its links."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from bs4 import BeautifulSoup
from bs4.element import CData, NavigableString, PreformattedString, Tag

from docgraph.boundary.text import one_line
from docgraph.domain.anchors import MAX_ANCHOR, MAX_ANCHORS
from docgraph.plugins.loaders._outline import MAX_HEADING, Heading

MAX_LINKS = 2_000
MAX_INSIDE = 500
"""Elements looked at for the words of a link or a heading; links in links would make it the square of a page."""
_DROPPED = frozenset(("script", "style", "template", "noscript", "svg", "iframe", "object", "head", "select", "button"))
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_BLOCKS = frozenset(
    (
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "caption",
        "dd",
        "details",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "header",
        "hr",
        "legend",
        "li",
        "main",
        "nav",
        "ol",
        "p",
        "pre",
        "section",
        "summary",
        "table",
        "tbody",
        "tfoot",
        "thead",
        "tr",
        "ul",
    )
)
_CLOSE = frozenset(("dd", "dt", "legend", "li", "tr"))
_SPACE = re.compile(r"\s+")


@dataclass
class _Reading:
    """What has been read so far: finished lines, the open line, headings and ids (by line) and links.

    ``cells`` are the tags of the open row's cells; ``ruled`` = the open table has its row of dashes.
    """

    lines: list[str] = field(default_factory=list)
    open_line: list[str] = field(default_factory=list)
    headings: list[Heading] = field(default_factory=list)
    links: list[dict[str, str]] = field(default_factory=list)
    named: list[tuple[int, str]] = field(default_factory=list)
    preformatted: int = 0
    cells: list[str] = field(default_factory=list)
    ruled: bool = False

    def end_line(self, *, paragraph: bool = True) -> None:
        """Finish the open line; an empty one is kept (as the space between paragraphs) only for a ``paragraph``."""
        line = "".join(self.open_line)
        self.open_line = []
        if self.preformatted:
            self.lines.extend(line.split("\n"))
            return
        line = _SPACE.sub(" ", line).strip().removesuffix(" |")
        if line or (paragraph and self.lines and self.lines[-1]):
            self.lines.append(line)

    def end_row(self) -> None:
        """Finish a row; a row of dashes follows the heading row, as in Markdown, so that every part can repeat it."""
        self.end_line(paragraph=False)
        n_cells = self.lines[-1].count(" | ") + 1 if self.lines else 0
        if not self.ruled and len(self.cells) == n_cells > 1 and set(self.cells) == {"th"}:
            self.lines.append(" | ".join(["---"] * n_cells))
            self.ruled = True
        self.cells = []

    def add_heading(self, level: int, title: str) -> None:
        self.end_line()
        if title:
            self.headings.append(Heading(level, title, len(self.lines), len(self.lines) + 1))
            self.lines.append(title)


@dataclass(frozen=True)
class PageText:
    """Lines, headings and ids by line (the ids of elements), links as {"href", "text"}."""

    lines: list[str]
    headings: list[Heading]
    links: list[dict[str, str]]
    named: list[tuple[int, str]]


def read_tree(soup: BeautifulSoup) -> PageText:
    """What a page says; scripts, styles and hidden parts are left out."""
    reading = _Reading()
    for element, entering in _walk(soup):
        if isinstance(element, Tag):
            _read_tag(element, reading, entering=entering)
        elif not isinstance(element, PreformattedString) or isinstance(element, CData):
            reading.open_line.append(str(element))
    reading.end_line()
    return PageText(reading.lines, reading.headings, reading.links, reading.named)


def _walk(root: Tag) -> Iterator[tuple[Any, bool]]:
    """(element, True when entering, False when leaving) in text order, without recursion; headings are not entered."""
    stack: list[tuple[Any, bool]] = [(child, True) for child in reversed(root.contents)]
    while stack:
        element, entering = stack.pop()
        if entering and isinstance(element, Tag):
            if element.name in _DROPPED or element.has_attr("hidden"):
                continue
            stack.append((element, False))
            if element.name not in _HEADINGS:
                stack.extend((child, True) for child in reversed(element.contents))
        yield element, entering


def _read_tag(tag: Tag, reading: _Reading, *, entering: bool) -> None:
    name = tag.name
    if entering:
        _read_ids(tag, reading)
    if name in _HEADINGS:
        if entering:
            reading.add_heading(_HEADINGS[name], _words(tag))
    elif name in ("td", "th"):
        if entering:
            reading.cells.append(name)
        else:
            reading.open_line.append(" | ")
    elif name == "br":
        if entering:
            reading.end_line()
    elif name == "tr" and not entering and not reading.preformatted:
        reading.end_row()
    elif name in _BLOCKS:
        if name == "table":
            reading.ruled = False
        reading.cells = []
        reading.end_line(paragraph=name not in _CLOSE)
        if name == "pre":
            reading.preformatted += 1 if entering else -1
        elif name == "li" and entering:
            reading.open_line.append("- ")
    elif name == "a" and entering:
        _read_link(tag, reading)


def _read_link(tag: Tag, reading: _Reading) -> None:
    href = tag.get("href")
    if isinstance(href, str) and href and len(reading.links) < MAX_LINKS:
        reading.links.append({"href": one_line(href, 1_000), "text": _words(tag)})


def _read_ids(tag: Tag, reading: _Reading) -> None:
    """The ids that lead to a tag; a heading's own elements are not entered, so theirs are read with it."""
    begins_line = tag.name in _HEADINGS or tag.name in _BLOCKS
    line = len(reading.lines) + (begins_line and bool("".join(reading.open_line).strip()))
    inside = islice(_inside(tag), MAX_INSIDE) if tag.name in _HEADINGS else ()
    for each in (tag, *(part for part in inside if isinstance(part, Tag))):
        for name in (each.get("id"), each.get("name") if each.name == "a" else None):
            if isinstance(name, str) and 0 < len(name) <= MAX_ANCHOR and len(reading.named) <= MAX_ANCHORS:
                reading.named.append((line, name))


def _inside(tag: Tag) -> Iterator[Any]:
    """Everything in a tag in text order; the library's own walk looks for the last element first, each time."""
    stack = [iter(tag.contents)]
    while stack:
        element = next(stack[-1], None)
        if element is None:
            stack.pop()
            continue
        yield element
        if isinstance(element, Tag):
            stack.append(iter(element.contents))


def _words(tag: Tag) -> str:
    words: list[str] = []
    for element in islice(_inside(tag), MAX_INSIDE):
        if isinstance(element, NavigableString) and not isinstance(element, PreformattedString):
            words.append(str(element))
        if len(words) >= MAX_HEADING:
            break
    return one_line("".join(words), MAX_HEADING)
