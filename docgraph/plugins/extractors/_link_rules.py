"""The inline rules by which links are found in Markdown: wiki links, links with their place, templates and tags."""

from __future__ import annotations

import re
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline, link

from docgraph.plugins._tags import tag_at
from docgraph.plugins.extractors._templates import address_at, expression_at

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
