"""Finds the links and wiki links in Markdown, with the line each stands on; code is told apart by the parser."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import astuple, dataclass
from functools import lru_cache
from itertools import islice
from pathlib import PurePosixPath
from typing import Any, Literal
from urllib.parse import quote, unquote

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline, link
from markdown_it.token import Token
from mdit_py_plugins.footnote import footnote_plugin

from docgraph.boundary import limits
from docgraph.domain.graph import Document
from docgraph.plugins._byte_cache import ByteCache, key_of
from docgraph.plugins._dialects import is_plain_around_tags, unfolded
from docgraph.plugins._tags import tag_at, tags_in
from docgraph.plugins.extractors._edges import quote_around

WIKI = re.compile(r"(!?)\[\[([^\[\]\n|]{1,500})(?:\|([^\[\]\n]{0,500}))?\]\]")


@lru_cache(maxsize=2)
def inline_parser(citations: bool) -> MarkdownIt:
    """A parser whose tokens are links of every form; with ``citations`` ``[[1]](address)`` is a link."""
    parser = MarkdownIt("commonmark")
    parser.inline.ruler.before("link", "wiki_link", _wiki_or_citation if citations else _wiki_rule)
    parser.inline.ruler.at("link", _link_rule)
    # An embed starts with "!", where the image rule would look first.
    parser.inline.ruler.before("image", "wiki_embed", _wiki_rule)
    parser.inline.ruler.before("html_inline", "tag_link", _tag_rule)
    parser.inline.ruler.before("wiki_link", "template", _template_rule)
    return parser


def _wiki_or_citation(state: StateInline, silent: bool) -> bool:
    found = WIKI.match(state.src, state.pos, state.posMax)
    if found is not None and state.src[found.end() : found.end() + 1] == "(":
        return False
    return _wiki_rule(state, silent)


def _wiki_rule(state: StateInline, silent: bool) -> bool:
    found = WIKI.match(state.src, state.pos, state.posMax)
    if found is None or '"' in found[2] or state.src.startswith("(http", found.end()):
        return False  # no note is called so: it is data, or the label of a link to a web page
    is_tag = state.src[max(0, state.pos - 1) : state.pos] == "#"  # "#[[a topic]]" sorts a note, and leads to none
    if not silent and not is_tag:
        token = state.push("wiki_link", "", 0)
        token.content = found[2]
        token.meta = {"label": found[3] or "", "start": found.start(), "end": found.end()}
    state.pos = found.end()
    return True


def _link_rule(state: StateInline, silent: bool) -> bool:
    """The library's rule, and that of templates; the opening token learns where in the text it stands."""
    start, n_before = state.pos, len(state.tokens)
    if ("{{" in state.src or "{%" in state.src) and _templated(state, silent):
        return True
    if not link(state, silent):
        return False
    if not silent:
        for token in state.tokens[n_before:]:
            if token.type == "link_open":
                token.meta = {"start": start, "end": state.pos}
                break
    return True


def _templated(state: StateInline, silent: bool) -> bool:
    """``[label]({{< ref "page.md" >}})``, whose address has spaces in it and would be no link."""
    if state.src[state.pos] != "[":
        return False
    start, label_end = state.pos, state.md.helpers.parseLinkLabel(state, state.pos, True)
    found = address_at(state.src, label_end + 1) if label_end >= 0 else None
    if found is None:
        return False
    if not silent:
        token = state.push("link_open", "a", 1)
        token.attrs = {"href": found[0]}
        token.meta = {"start": start, "end": found[1]}
        label = state.push("text", "", 0)
        label.content = state.src[start + 1 : label_end]
        state.push("link_close", "a", -1)
    state.pos = found[1]
    return True


def _template_rule(state: StateInline, silent: bool) -> bool:
    """A template that stands by itself: whether it leads anywhere is for the site's tool to say."""
    if state.src[state.pos] not in "{-;":
        return False
    found = expression_at(state.src, state.pos)
    if found is None:
        return False
    if not silent:
        token = state.push("template", "", 0)
        token.content = found[0]
        token.meta = {"start": state.pos, "end": found[1]}
    state.pos = found[1]
    return True


def _tag_rule(state: StateInline, silent: bool) -> bool:
    """A tag that is a link."""
    found = tag_at(state.src, state.pos) if state.src[state.pos] == "<" else None
    if found is None:
        return False
    if not silent:
        token = state.push("tag_link", "", 0)
        token.content = found.href
        token.meta = {"start": found.start, "end": found.end}
    state.pos = found.end
    return True


EXPRESSION = r"\{\{[^{}\n]{1,500}\}\}|\{%[^%\n]{1,500}%\}|\{![^!{}\n]{1,500}!\}"
_EXPRESSION = re.compile(EXPRESSION)
_SNIPPET = re.compile(r";?-{1,5}8<-{1,5}[ \t]{1,5}(?:\"([^\"\n]{1,500})\"|'([^'\n]{1,500})')")
_ADDRESS = re.compile(
    rf"\(\s{{0,20}}<?((?:[^\s(){{}}<>]{{0,300}}(?:{EXPRESSION})){{1,4}}[^\s(){{}}<>]{{0,300}})>?"
    r"(?:\s{1,20}(?:\"[^\"\n]{0,300}\"|'[^'\n]{0,300}'))?\s{0,20}\)"
)
_DEFINITION = re.compile(
    rf"^( {{0,3}}\[[^\[\]\n]{{1,200}}\]:[ \t]{{0,20}})((?:{EXPRESSION})[^\s]{{0,300}})", re.MULTILINE
)
SIGNS = ("{{", "{%", "{!", "8<-")


def may_hold(text: str) -> bool:
    """Whether any template may stand in a text."""
    return any(sign in text for sign in SIGNS)


def is_template(target: str) -> bool:
    """Whether an address is one that a template has to be asked for."""
    return bool(_EXPRESSION.search(target)) or target.startswith(("--8<--", "-8<-", ";--8<--"))


def address_at(text: str, start: int) -> tuple[str, int] | None:
    """(address, where it ends) of the brackets that begin at ``start``, where a template is in it."""
    found = _ADDRESS.match(text, start)
    return (found[1], found.end()) if found else None


def expression_at(text: str, start: int) -> tuple[str, int] | None:
    """(template, where it ends) of the template that begins at ``start``."""
    found = _EXPRESSION.match(text, start) or _SNIPPET.match(text, start)
    return (found[0], found.end()) if found else None


def with_definitions(text: str) -> str:
    """The text with templates in link definitions in a form that a Markdown parser reads as an address."""
    return _DEFINITION.sub(lambda found: found[1] + quote(found[2], safe=""), text)


def as_written(address: str) -> str:
    """An address with the templates in it as their author wrote them."""
    return unquote(address) if "%7b" in address.casefold() else address


MAX_BLOCK = 4_000
MAX_BRACKETED = 400
MAX_BRACKETS = 100
MAX_BARS = 100
_MAY_BE_TAG = re.compile(r"<[A-Za-z][\w.:-]{0,60}+[\s/]|<xref:")
_MARKDOWN_INSIDE = re.compile(r"\s{0,20}<[A-Za-z][^<>]{0,500}?\smarkdown(?:=[\"']?(?:1|block|span)[\"']?)?[\s>]")
_OTHER_FORMATS = (".rst", ".rest", ".html", ".htm", ".xhtml", ".pdf")
_BRACKET = re.compile(r"[\[\]]")
_FOUND = ByteCache(8_000_000)
"""What was found in texts: a preview looks for it, and then its import."""
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
    bounds = (limits.MAX_LINKS, limits.MAX_LINK_PLACES, limits.MAX_LINK_LINES, limits.MAX_BRACKET_DEPTH)
    key = key_of(text, source, f"{citations} {bounds} {limits.MAX_OUTLINE_CHARACTERS}")
    if (kept := _FOUND.get(key)) is not None:
        return tuple(FoundLink(*each) for each in json.loads(kept))
    found = _looked_up(text, source, citations)
    _FOUND.put(key, json.dumps([astuple(each) for each in found]).encode())
    return found


def _looked_up(text: str, source: str, citations: bool) -> tuple[FoundLink, ...]:
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
    for tag in tags_in(block):
        yield FoundLink("link", tag.href, "", quote_around(block, tag.start, tag.end), heading)


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
