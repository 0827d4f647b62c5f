"""Links of Markdown, by mistune and lxml: Markdown becomes HTML, and links are what its elements say."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

import lxml.etree
import lxml.html
import mistune

PLUGINS = ("table", "footnotes", "strikethrough", "task_lists", "def_list")
_FRONT = re.compile(r"\A---[ \t]*\n.*?\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_FENCE = re.compile(r"^[ \t]*(?:>[ \t]?)*(?:[-*+][ \t]+|\d+[.)][ \t]+)*(`{3,}|~{3,})")
_BLOCK = re.compile(r"^([ \t]*)(?:!!!|\?\?\?\+?|===[+!]?)[ \t]+\S.*$")
_MARKED = re.compile(r"</?[a-z][a-z0-9]*(?:[ \t][^<>]*)?\bmarkdown\b[^<>]*>", re.IGNORECASE)
_FOOTNOTE = re.compile(r"^\[\^([^\]\n]+)\]:", re.MULTILINE)
_NO_TEXT = ("script", "style", "template")
_CODE = ("code", "pre")
_LINKING = ("a", "link")

_html: Callable[[str], str] = partial(mistune.create_markdown(escape=False, plugins=list(PLUGINS)))  # type: ignore[arg-type]


def front_matter(text: str) -> str:
    """The YAML in front of a text; empty where there is none."""
    found = _FRONT.match(text)
    return found[0].strip().strip("-.").strip("\n") if found else ""


def without_front_matter(text: str) -> str:
    """The text behind its front matter."""
    return _FRONT.sub("", text, count=1)


def parsed(text: str) -> lxml.html.HtmlElement:
    """Markdown as a tree of HTML in which code, scripts and comments are gone."""
    notes = "".join(f"\n\n[^{name}]" for name in dict.fromkeys(_FOOTNOTE.findall(text)))
    tree = lxml.html.fromstring(f"<div>{_html(without_front_matter(text) + notes)}</div>")
    return cleared(tree, *_CODE)


def cleared(tree: lxml.html.HtmlElement, *further: str) -> lxml.html.HtmlElement:
    """Without scripts, comments and ``further`` elements."""
    for each in [*tree.iter(*_NO_TEXT, *further), *tree.iter(lxml.etree.Comment)]:
        if each.getparent() is not None:
            each.drop_tree()
    return tree


def links(tree: lxml.html.HtmlElement) -> list[str]:
    """The destinations of links, as they are written: ``href`` of ``a``, ``to`` of ``Link``."""
    return [each.get("href") or each.get("to") or "" for each in tree.iter(*_LINKING)]


def opened_blocks(text: str) -> str:
    """Bodies of admonitions and tabs (``!!! note``, ``=== "Tab"``) moved to the margin of their line, as their text."""
    lines = text.split("\n")
    fence = ""
    at = 0
    while at < len(lines):
        found = _FENCE.match(lines[at])
        if found and not fence:
            fence = found[1]
        elif found and lines[at].strip().startswith(fence[0] * len(fence)) and not lines[at].strip().strip(fence[0]):
            fence = ""
        block = None if fence else _BLOCK.match(lines[at])
        if block:
            margin = len(block[1].expandtabs(4))
            lines[at] = ""
            for below in range(at + 1, len(lines)):
                body = lines[below].expandtabs(4)
                if body.strip() and len(body) - len(body.lstrip()) < margin + 4:
                    break
                lines[below] = body[:margin] + body[margin + 4 :] if body.strip() else ""
        at += 1
    return _MARKED.sub("\n\n", "\n".join(lines))
