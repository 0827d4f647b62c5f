"""Finds the headings of Markdown with markdown-it-py and cuts the text into sections."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from html import unescape

from markdown_it import MarkdownIt
from markdown_it.token import Token

from docgraph.boundary.text import one_line
from docgraph.domain.graph import Section
from docgraph.plugins._code import blocks_of
from docgraph.plugins.loaders._anchors import Anchors, everything_unknown, markdown_anchors
from docgraph.plugins.loaders._outline import MAX_HEADING, Heading, Origin, sections_under, small_enough

MAX_ORNAMENT = 20_000
_ORNAMENT = re.compile(
    r"!?\[[^\[\]]{0,500}\](?:\([^()\n]{0,1000}\)|\[[^\[\]]{0,200}\])?|\{\{[^{}]{0,300}\}\}|\{%[^%]{0,300}%\}"
    r"|(?m:^\([^()\n]{1,200}\)=[ \t]*$)"
)
_HTML_TITLE = re.compile(r"<h1(?:\s[^<>]{0,500})?>((?:[^<]|<(?!/h1>)){1,2000}?)</h1>", re.IGNORECASE)
_HTML_TAG = re.compile(r"<[^<>]{0,1000}>")


def markdown_sections(
    text: str, origin: Origin | None = None, *, plain: bool = False
) -> tuple[str, tuple[Section, ...]]:
    """(title or "", sections in text order); headings inside quotes, lists and code do not count.

    The title is the level-1 heading that begins the text; pictures, links without a word of prose, labels of MyST and
    HTML may stand above it. A text of more than 2,000,000 characters or 40,000 lines is kept as one section without
    headings. With the ``origin`` of the text each section has its place. ``plain`` = tags and indentation make no
    blocks.
    """
    if not small_enough(text):
        return "", ((origin.whole(text) if origin else Section(text=text.strip("\n"))),)
    tokens, headings = _parsed(text, plain)
    return _title(tokens, headings), sections_under(text.split("\n"), headings, origin)


def _title(tokens: Sequence[Token], headings: Sequence[Heading]) -> str:
    """The level-1 heading that begins a text, in Markdown or in HTML."""
    for token in tokens:
        if token.type == "heading_open":
            return headings[0].title if headings and headings[0].level == 1 and token.level == 0 else ""
        if token.type == "html_block":
            if found := _HTML_TITLE.search(token.content):
                return one_line(unescape(_HTML_TAG.sub(" ", found[1])), MAX_HEADING)
        elif (token.type == "inline" and not _is_ornament(token.content)) or token.type in ("fence", "code_block"):
            return ""
    return ""


def _is_ornament(content: str) -> bool:
    """Whether a paragraph is pictures, badges and links alone."""
    if len(content) > MAX_ORNAMENT:
        return False
    bare = _ORNAMENT.sub("", _ORNAMENT.sub("", content))  # badges are pictures inside links
    return not any(character.isalnum() for character in _HTML_TAG.sub("", bare))


def anchors_in(text: str, *, plain: bool = False, written: str = "") -> Anchors:
    """The ids that lead to sections of a Markdown text and do not follow from its headings.

    ``written`` = the text with its comments, line by line the same.
    """
    return markdown_anchors(text, _parsed(text, plain)[1], written) if small_enough(text) else everything_unknown()


def headings_in(text: str) -> tuple[Heading, ...]:
    """The headings of a Markdown text with their lines; none of one that is too large to be looked through."""
    return _parsed(text, False)[1] if small_enough(text) else ()


@lru_cache(maxsize=1)
def _parsed(text: str, plain: bool) -> tuple[Sequence[Token], tuple[Heading, ...]]:
    """The blocks of a text and its headings; asked for twice of every text, one after the other."""
    tokens = blocks_of(text, is_plain=plain)
    return tokens, _headings(tokens)


def _headings(tokens: Sequence[Token]) -> tuple[Heading, ...]:
    headings = []
    for place, token in enumerate(tokens):
        if token.type == "heading_open" and token.level == 0 and token.map:
            title = _plain(tokens[place + 1].content)
            if title:
                headings.append(Heading(int(token.tag[1:]), title, token.map[0], token.map[1]))
    return tuple(headings)


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
