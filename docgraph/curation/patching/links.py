"""Links in Markdown, found where they stand in the file: pointed elsewhere, or taken away with their label kept."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from markdown_it import MarkdownIt

from docgraph.boundary.limits import MAX_OUTLINE_CHARACTERS
from docgraph.domain.anchors import anchor_of

MAX_LINKS, MAX_LABEL, MAX_TARGETS = 20_000, 1_000, 400
_INLINE = re.compile(
    r"\]\([ \t]*(?:<([^<>\n]{1,1000})>|([^()<>\s]{1,1000}))(?:[ \t]+(?:\"[^\"\n]*\"|'[^'\n]*'))?[ \t]*\)"
)
_WIKI = re.compile(r"(!?)\[\[([^\[\]\n|#]{1,500})(#[^\[\]\n|]{0,500})?(?:\|([^\[\]\n]{0,500}))?\]\]")
_REFERENCE = re.compile(r"\[([^\[\]\n]{1,500})\](?:\[([^\[\]\n]{0,500})\])?(?![(:\[])")
_DEFINITION = re.compile(r"^ {0,3}\[([^\[\]\n]{1,500})\]:[ \t]*<?([^\s<>]{1,1000})>?[^\n]*(?:\n|\Z)", re.MULTILINE)
_BESIDE_ANCHORS = re.compile(r"[\s<>()\[\]%\\\"']")
_CODE_SPAN = re.compile(r"(?<!`)(`{1,20})(?!`)[^`\n](?:[^\n]*?[^`\n])?\1(?!`)")


@dataclass(frozen=True)
class Link:
    """``text[start:end]`` is the link, ``text[left:right]`` its address, ``label`` what a reader sees."""

    kind: str
    start: int
    end: int
    left: int
    right: int
    label: str
    target: str


def targets_in(text: str, near: str = "") -> list[str]:
    """Addresses as they are written, without their anchors, each once; first those on a line that reads ``near``."""
    found: dict[str, bool] = {}
    for link in links_in(text):
        bare = link.target.partition("#")[0]
        if bare and link.kind != "reference":
            line = " ".join(_line(text, link).split())
            found[bare] = found.get(bare, False) or (bool(near) and (near.strip("…") in line or line in near))
    return sorted(found, key=lambda each: not found[each])[:MAX_TARGETS]


def without(text: str, target: str) -> str:
    """The text with every link to ``target`` replaced by its label; a definition of it goes."""
    return _edited(text, target, None)


def pointed(text: str, target: str, new: str) -> str:
    """The text with every link to ``target`` pointing at ``new``; labels stay, anchors go."""
    return _edited(text, target, new)


def anchored(text: str, target: str, anchor: str, new: str) -> str:
    """The text with every link to ``target`` at ``anchor`` pointing at ``new`` there; other anchors and labels stay."""
    pieces, place = [], 0
    for link in links_in(text):
        if link.kind == "reference" or link.left < place:
            continue
        address, _, said = text[link.left : link.right].partition("#")
        if address != target or anchor_of(f"#{said}") != anchor:
            continue
        written = new if link.kind == "wiki" else _BESIDE_ANCHORS.sub(_encoded, new)
        pieces += [text[place : link.left], f"{address}#{written}"]
        place = link.right
    return "".join([*pieces, text[place:]])


def _encoded(found: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in found[0].encode())


def _edited(text: str, target: str, new: str | None) -> str:
    found = links_in(text)
    names = {
        _name(link.label) for link in found if link.kind == "definition" and link.target.partition("#")[0] == target
    }
    pieces, place = [], 0
    for link in found:
        if link.kind == "reference":
            meant = new is None and _name(link.target) in names
        else:
            meant = link.target.partition("#")[0] == target
        if not meant or link.start < place:
            continue
        if new is not None:
            pieces += [text[place : link.left], new]
            place = link.right
        else:
            pieces += [text[place : link.start], "" if link.kind == "definition" else link.label]
            place = link.end
    return "".join([*pieces, text[place:]])


@lru_cache(maxsize=8)
def links_in(text: str) -> tuple[Link, ...]:
    """Inline, wiki and reference links with the definitions of these, in text order; none inside code."""
    if len(text) > MAX_OUTLINE_CHARACTERS or "[" not in text:
        return ()
    code = _code(text)
    found: list[Link] = []
    for each in (*_inline(text), *_wiki(text), *_defined(text)):
        if not any(start <= each.start < end for start, end in code):
            found.append(each)
        if len(found) >= MAX_LINKS:
            break
    return tuple(sorted(found, key=lambda link: link.start))


def _inline(text: str) -> Iterator[Link]:
    for found in _INLINE.finditer(text):
        start = _opening(text, found.start())
        if start is not None and text[start - 1 : start] != "!":
            side = 1 if found[1] is not None else 2
            label = text[start + 1 : found.start()]
            yield Link("link", start, found.end(), found.start(side), found.end(side), label, found[side])


def _wiki(text: str) -> Iterator[Link]:
    for found in _WIKI.finditer(text):
        label = found[4] if found[4] is not None else found[2]
        right = found.end(3) if found[3] is not None else found.end(2)
        yield Link("wiki", found.start(), found.end(), found.start(2), right, label, found[2])


def _defined(text: str) -> Iterator[Link]:
    names = set()
    for found in _DEFINITION.finditer(text):
        names.add(_name(found[1]))
        yield Link("definition", found.start(), found.end(), found.start(2), found.end(2), found[1], found[2])
    for found in _REFERENCE.finditer(text) if names else ():
        name = found[2] or found[1]
        if _name(name) in names and text[found.start() - 1 : found.start()] not in ("!", "]"):
            yield Link("reference", found.start(), found.end(), found.end(), found.end(), found[1], name)


def _opening(text: str, closing: int) -> int | None:
    """The bracket that opens the label which ends at ``closing``."""
    depth = 1
    for place in range(closing - 1, max(-1, closing - 1 - MAX_LABEL), -1):
        if text[place] == "]" and text[place - 1 : place] != "\\":
            depth += 1
        elif text[place] == "[" and text[place - 1 : place] != "\\":
            depth -= 1
            if depth == 0:
                return place
        elif text[place] == "\n" and text[place + 1 : place + 2] in ("\n", "\r"):
            return None
    return None


def _code(text: str) -> list[tuple[int, int]]:
    """Stretches of code: blocks as the parser finds them, and spans in a line."""
    parser = MarkdownIt("commonmark")
    parser.core.ruler.disable("inline")
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    blocks = []
    for token in parser.parse(text.replace("\r", " ")):
        if token.type in ("fence", "code_block") and token.map:
            blocks.append((starts[token.map[0]], starts[min(token.map[1], len(starts) - 1)]))
    return [*blocks, *((found.start(), found.end()) for found in _CODE_SPAN.finditer(text))]


def _line(text: str, link: Link) -> str:
    end = text.find("\n", link.end)
    return text[text.rfind("\n", 0, link.start) + 1 : len(text) if end < 0 else end]


def _name(label: str) -> str:
    return " ".join(label.split()).casefold()
