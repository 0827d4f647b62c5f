"""Finds the headings of Markdown with markdown-it-py and cuts the text into sections."""

from __future__ import annotations

from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

from docgraph.boundary.text import one_line
from docgraph.domain.graph import Section
from docgraph.plugins.loaders._outline import MAX_HEADING, Heading, Origin, sections_under, small_enough

SUFFIXES = (".md", ".markdown", ".mdown", ".mkd")


def markdown_sections(text: str, origin: Origin | None = None) -> tuple[str, tuple[Section, ...]]:
    """(first heading or "", sections in text order); headings inside quotes, lists and code do not count.

    A text of more than 2,000,000 characters or 40,000 lines is kept as one section without headings.
    With the ``origin`` of the text each section has its place.
    """
    if not small_enough(text):
        return "", ((origin.whole(text) if origin else Section(text=text.strip("\n"))),)
    headings = _headings(text)
    return (headings[0].title if headings else ""), sections_under(text.split("\n"), headings, origin)


def _headings(text: str) -> list[Heading]:
    tokens = _block_parser().parse(text)
    headings = []
    for place, token in enumerate(tokens):
        if token.type == "heading_open" and token.level == 0 and token.map:
            title = _plain(tokens[place + 1].content)
            if title:
                headings.append(Heading(int(token.tag[1:]), title, token.map[0], token.map[1]))
    return headings


@cache
def _block_parser() -> MarkdownIt:
    """Only blocks are needed, and inline parsing is where time can be wasted."""
    parser = MarkdownIt("commonmark")
    parser.core.ruler.disable("inline")
    return parser


@cache
def _inline_parser() -> MarkdownIt:
    return MarkdownIt("commonmark")


def _plain(markup: str) -> str:
    """A heading's words without marks."""
    children: list[Token] = []
    for token in _inline_parser().parseInline(markup[: 4 * MAX_HEADING]):
        children.extend(token.children or [])
    words = "".join(" " if child.type.endswith("break") else child.content for child in children)
    return one_line(words, MAX_HEADING)
