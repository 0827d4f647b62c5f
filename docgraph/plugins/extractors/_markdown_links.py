"""Finds the links and wiki links in Markdown, with the line each stands on; code is told apart by the parser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import PurePosixPath
from typing import Any, Literal

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.footnote import footnote_plugin

from docgraph.boundary import limits
from docgraph.domain.graph import Document
from docgraph.plugins._dialects import is_plain_around_tags, unfolded
from docgraph.plugins._tags import tags_in
from docgraph.plugins.extractors._edges import quote_around
from docgraph.plugins.extractors._link_rules import WIKI, inline_parser
from docgraph.plugins.extractors._templates import as_written, may_hold, with_definitions

MAX_BLOCK = 4_000
MAX_BRACKETED = 400
MAX_BRACKETS = 100
MAX_BARS = 100
_MAY_BE_TAG = re.compile(r"<[A-Za-z][\w.:-]{0,60}+[\s/]|<xref:")
_MARKDOWN_INSIDE = re.compile(r"\s{0,20}<[A-Za-z][^<>]{0,500}?\smarkdown(?:=[\"']?(?:1|block|span)[\"']?)?[\s>]")
_OTHER_FORMATS = (".rst", ".rest", ".html", ".htm", ".xhtml", ".pdf")
_BRACKET = re.compile(r"[\[\]]")
Kind = Literal["link", "wiki", "template"]
CodeKind = Literal["", "inline", "block"]


@dataclass(frozen=True)
class FoundLink:
    """A link as written: ``target`` with its anchor, the line and the heading it stands under, and in which code.

    A ``template`` is one that stands by itself: a link only where the site's tool makes one of it.
    """

    kind: Kind
    target: str
    label: str
    line: str
    heading: str
    code: CodeKind = ""


def is_markdown(document: Document) -> bool:
    """Whether the document's text can hold Markdown: everything but the formats that have other links."""
    return PurePosixPath(document.source).suffix.lower() not in _OTHER_FORMATS


@lru_cache(maxsize=8)
def links_in(text: str, source: str = "", *, citations: bool = False) -> tuple[FoundLink, ...]:
    """All links in text order; wiki links inside code are marked; images are no links, embeds are.

    With ``citations`` ``[[1]](address)`` is a link, and no wiki link. ``source`` says in which dialect the text is.

    A block of more than 4,000 characters, or with more than 100 brackets in a line, is read in pieces, for brackets
    that do not pair take time that grows with the square of their number; a line in which more than 16 are open at one
    place has no links. A text is read up to 2,000,000 characters, 100,000 lines, 20,000 links and 20,000 places that
    may hold some.
    """
    if not _may_link(text):
        return ()
    found: list[FoundLink] = []
    for links in islice(_by_place(text, source, citations), limits.MAX_LINK_PLACES):
        found.extend(islice(links, limits.MAX_LINKS - len(found)))
        if len(found) == limits.MAX_LINKS:
            break
    return tuple(found)


def _may_link(text: str) -> bool:
    return ("[" in text and "]" in text) or may_hold(text) or bool(_MAY_BE_TAG.search(text))


def _by_place(text: str, source: str, citations: bool) -> Iterator[Iterator[FoundLink]]:
    """The links of each paragraph, line of a long one, or block of HTML or code that may hold some."""
    parser = inline_parser(citations)
    environment: dict[str, Any] = {}
    heading = ""
    tokens = _blocks(with_definitions(unfolded(_beginning(text), source)), environment, is_plain_around_tags(source))
    for place, token in enumerate(tokens):
        if token.type == "inline":
            if place and tokens[place - 1].type == "heading_open":
                heading = token.content.strip()
            yield from _in_text(parser, token.content, environment, heading)
        elif token.type == "html_block":
            yield _in_tags(token.content, heading)
            if _MARKDOWN_INSIDE.match(token.content):
                yield from _in_text(parser, token.content, environment, heading, tags=False)
        elif token.type in ("fence", "code_block"):
            yield _in_code(token.content, token.content, heading, "block")


def _in_text(
    parser: MarkdownIt, content: str, environment: dict[str, Any], heading: str, *, tags: bool = True
) -> Iterator[Iterator[FoundLink]]:
    for piece in _pieces(content):
        if _may_link(piece):
            yield _in_piece(parser, piece, environment, heading, tags)


def _in_tags(block: str, heading: str) -> Iterator[FoundLink]:
    for link in tags_in(block):
        yield FoundLink("link", link.href, "", quote_around(block, link.start, link.end), heading)


def _beginning(text: str) -> str:
    """As much of a text as links are looked for in."""
    *lines, rest = text[: limits.MAX_OUTLINE_CHARACTERS].split("\n", limits.MAX_LINK_LINES)
    return "\n".join(lines) if len(lines) == limits.MAX_LINK_LINES else "\n".join([*lines, rest])


def _blocks(text: str, environment: dict[str, Any], is_plain: bool) -> list[Token]:
    # Every row of a table is filled up to the width of the widest: a bomb without a limit.
    tables = max(line.count("|") for line in text.split("\n")) <= MAX_BARS
    return _block_parser(tables, is_plain).parse(text, environment)


@lru_cache(maxsize=4)
def _block_parser(tables: bool, is_plain: bool) -> MarkdownIt:
    parser = MarkdownIt("commonmark")
    if is_plain:
        parser.disable(["code", "html_block"])
    if tables:
        parser.enable("table")
    # Only its blocks are wanted: the text of a note is indented like code, and is text.
    footnote_plugin(parser, inline=False, move_to_end=False)
    parser.core.ruler.disable("inline")
    return parser


def _pieces(content: str) -> Iterator[str]:
    if len(content) <= MAX_BLOCK and content.count("[") <= MAX_BRACKETS and not _too_deep(content):
        yield content
        return
    for line in content.split("\n"):
        if _too_deep(line):
            continue
        longest = MAX_BLOCK if line.count("[") <= MAX_BRACKETS else MAX_BRACKETED
        start = 0
        while start < len(line):
            end = start + longest
            if end < len(line):  # at a space in the second half, so that a link is rarely cut
                end = max(line.rfind(" ", start + longest // 2, end), start + longest // 2)
            yield line[start:end]
            start = end


def _too_deep(text: str) -> bool:
    """Whether brackets are nested deeper than anybody writes them round a link."""
    depth = 0
    for bracket in _BRACKET.findall(text) if text.count("[") > limits.MAX_BRACKET_DEPTH else ():
        depth = max(depth + (1 if bracket == "[" else -1), 0)
        if depth > limits.MAX_BRACKET_DEPTH:
            return True
    return False


def _in_piece(
    parser: MarkdownIt, piece: str, environment: dict[str, Any], heading: str, tags: bool
) -> Iterator[FoundLink]:
    tokens: list[Token] = []
    parser.inline.parse(piece, parser, environment, tokens)
    for place, token in enumerate(tokens):
        if token.type == "wiki_link":
            yield FoundLink("wiki", token.content, token.meta["label"], _line(piece, token), heading)
        elif token.type == "link_open" and token.meta:
            label, href = _label(tokens, place), as_written(str(token.attrGet("href") or ""))
            yield FoundLink("link", href, label, _line(piece, token), heading)
        elif token.type == "link_open" and str(token.attrGet("href")).startswith("xref:"):
            yield FoundLink("link", str(token.attrGet("href")), "", piece.split("\n", 1)[0], heading)
        elif token.type == "template" or (token.type == "tag_link" and tags):
            kind: Kind = "template" if token.type == "template" else "link"
            yield FoundLink(kind, token.content, "", _line(piece, token), heading)
        elif token.type == "code_inline":
            yield from _in_code(token.content, piece, heading, "inline")


def _label(tokens: list[Token], start: int) -> str:
    words = []
    for token in tokens[start + 1 :]:
        if token.type == "link_close":
            break
        words.append(token.content)
    return "".join(words)


def _line(piece: str, token: Token) -> str:
    return quote_around(piece, token.meta["start"], token.meta["end"])


def _in_code(code: str, context: str, heading: str, kind: CodeKind) -> Iterator[FoundLink]:
    for found in WIKI.finditer(code):
        place = found.start() if code is context else context.find(found[0])
        line = quote_around(context, place, place + len(found[0])) if place >= 0 else found[0]
        yield FoundLink("wiki", found[2], found[3] or "", line, heading, kind)
