"""Reads JSON Canvas (https://jsoncanvas.org/spec/1.0/): cards on a plane, the files that they show, and their edges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from docgraph.boundary.text import clean, one_line
from docgraph.domain.graph import Document, Relationship
from docgraph.domain.imports.fields import MEDIA
from docgraph.domain.report import Rejected
from docgraph.plugins.loaders._composing import compose, path_id
from docgraph.plugins.loaders._graphs.nodes import as_type, edge, listed, mapped, read_json
from docgraph.plugins.loaders._markdown_outline import markdown_sections

READER = "canvas"
MAX_NODES = 10_000
UNLABELLED = "links_to"


class CanvasLoader:
    """One document a canvas: its cards as Markdown in reading order, groups as headings over what lies in them.

    A card of a file is a link to that file, and to the section that it shows; an edge between two cards of files is a
    relationship of theirs, of the type that its label names, in the direction of its arrows. One without an arrow says
    that they belong together, and leads from its first end to its second. Paths start at the vault's root.
    """

    name = "canvas"
    suffixes: tuple[str, ...] = (".canvas",)

    def load(self, data: bytes, *, source: str) -> Iterator[Document | Relationship | Rejected]:
        """The document, then relationships between files. Raises ValueError with a one-line reason."""
        value = mapped(read_json(data))
        nodes = {str(each["id"]): each for each in map(mapped, listed(value.get("nodes"))) if "id" in each}
        if not nodes:
            raise ValueError("the canvas has no cards")
        if len(nodes) > MAX_NODES:
            raise ValueError(f"the canvas has {len(nodes):,} cards; at most {MAX_NODES:,} are read")
        edges = [mapped(each) for each in listed(value.get("edges"))]
        text = "\n\n".join(_cards(nodes, edges)).strip()
        if not text:
            raise ValueError("the canvas has no text: its cards are empty")
        _, sections = markdown_sections(text)
        yield compose(source, text=text, sections=sections, doc_type="canvas", metadata={"cards": len(nodes)})
        for order, (start, kind, end, said) in enumerate(_between_files(nodes, edges)):
            try:
                yield edge(start, kind, end, reader=READER, source=source, order=order, text=said)
            except ValueError as error:
                yield Rejected(reason=str(error), place=f"edge {order + 1}")


def _cards(nodes: Mapping[str, Mapping[str, Any]], edges: list[dict[str, Any]]) -> Iterator[str]:
    """Cards outside of groups, then each group with its own, top to bottom and left to right."""
    groups = [each for each in _ordered(nodes.values()) if each.get("type") == "group"]
    cards = [each for each in _ordered(nodes.values()) if each.get("type") != "group"]
    home = {id(card): next((n for n, group in enumerate(groups) if _lies_in(card, group)), -1) for card in cards}
    for number in range(-1, len(groups)):
        inside = [said for card in cards if home[id(card)] == number and (said := _said(card))]
        label = one_line(clean(str(groups[number].get("label", "")))) if number >= 0 else ""
        if label:
            yield f"## {label}"
        yield from inside
    labelled = [
        f"- {_name(nodes, each, 'fromNode')} – {_label(each)} – {_name(nodes, each, 'toNode')}"
        for each in edges
        if _label(each)
    ]
    if labelled:
        yield "\n".join(labelled)


def _ordered(nodes: Any) -> list[Mapping[str, Any]]:
    return sorted(nodes, key=lambda each: (_number(each, "y"), _number(each, "x"), str(each.get("id"))))


def _number(node: Mapping[str, Any], name: str) -> float:
    value = node.get(name)
    return float(value) if isinstance(value, int | float) and abs(value) < 1e12 else 0.0


def _lies_in(card: Mapping[str, Any], group: Mapping[str, Any]) -> bool:
    """Whether the middle of a card lies in a group."""
    x, y = (_number(card, at) + _number(card, size) / 2 for at, size in (("x", "width"), ("y", "height")))
    left, top = _number(group, "x"), _number(group, "y")
    return left <= x <= left + _number(group, "width") and top <= y <= top + _number(group, "height")


def _said(card: Mapping[str, Any]) -> str:
    """A card as Markdown: its text, a link to its file, its address."""
    if card.get("type") == "text":
        return clean(str(card.get("text") or "")).strip()
    if card.get("type") == "link":
        return f"<{one_line(clean(str(card.get('url') or '')))}>" if card.get("url") else ""
    if path := _path(card):
        section = one_line(clean(str(card.get("subpath") or "")))
        return f"[[{path.removesuffix('.md')}{section if section.startswith('#') else ''}]]"
    return ""


def _path(card: Mapping[str, Any]) -> str:
    """The file of a card from the vault's root; empty for pictures and films, and for names that no link can have."""
    path = one_line(clean(str(card.get("file") or ""))).replace("\\", "/").lstrip("/")
    is_text = not path.casefold().endswith(MEDIA) and not any(each in path for each in "[]|#")
    return path if card.get("type") == "file" and is_text else ""


def _name(nodes: Mapping[str, Mapping[str, Any]], each: Mapping[str, Any], end: str) -> str:
    """What a card is called in a sentence: its file, or how its text begins."""
    card = nodes.get(str(each.get(end)), {})
    return _said(card) if _path(card) else one_line(clean(str(card.get("text") or card.get("label") or "a card")), 80)


def _label(each: Mapping[str, Any]) -> str:
    return one_line(clean(str(each.get("label") or "")), 200)


def _between_files(
    nodes: Mapping[str, Mapping[str, Any]], edges: list[dict[str, Any]]
) -> Iterator[tuple[str, str, str, str]]:
    """(file, type, file, words) of the edges between cards of files, one for each arrow."""
    for each in edges:
        start, end = (_path(nodes.get(str(each.get(name)), {})) for name in ("fromNode", "toNode"))
        if not start or not end or start == end:
            continue
        label = _label(each)
        kind = as_type(label) if label and len(label.split()) <= 3 else UNLABELLED
        said = f"{start} – {label} – {end}" if label else ""
        forward, back = each.get("toEnd", "arrow") == "arrow", each.get("fromEnd", "none") == "arrow"
        if forward or not back:
            yield path_id(start), kind, path_id(end), said
        if back:
            yield path_id(end), kind, path_id(start), said


build = CanvasLoader
