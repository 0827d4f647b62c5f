"""Finds what notes say in fields of their own: ``up:: [[X]]`` in the text (Dataview), ``up: "[[X]]"`` as a property."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from docgraph.boundary import limits
from docgraph.domain.graph import Document, Relationship
from docgraph.domain.imports.fields import field_key
from docgraph.plugins.extractors._edges import Edges
from docgraph.plugins.extractors._inline_fields import fields_in
from docgraph.plugins.extractors._markdown_links import is_markdown
from docgraph.plugins.extractors._named_targets import named_targets
from docgraph.plugins.extractors._targets import Targets, index_of
from docgraph.plugins.extractors.front_matter import DEFAULT_FIELDS
from docgraph.ports import Titles

MAX_VALUES = 1_000
_FENCE = re.compile(r"[ \t]{0,3}(`{3,}|~{3,})")
_LINKS = re.compile(r"!?\[\[[^\[\]]{1,500}\]\]|\[[^\[\]]{0,500}\]\([^()\s]{1,500}\)")
_ONLY_LINK = re.compile(r"\s*!?\[\[[^\[\]]{1,500}\]\]\s*")
_NO_RELATIONS = frozenset({"alias", "aliases", "cssclass", "cssclasses", "links", "relations", "tag", "tags", "title"})


class NoteFields:
    """The field's name is the relation type (``parent note:: [[X]]`` → ``parent_note``), each link in it a target.

    Properties count when their value is a wiki link or a list with some; those that front matter is read for anyway are
    left to its extractor. Fields inside code blocks are examples.
    """

    name = "note_fields"
    default_on = True

    def extract(self, document: Document, titles: Titles) -> Iterable[Relationship]:
        """Edges of the properties in their order, then of the text in its."""
        edges = Edges(document, self.name)
        targets = index_of(titles)
        for field, value in document.metadata.items():
            key = field_key(field)
            if key not in DEFAULT_FIELDS and key not in _NO_RELATIONS:
                for link in islice(_linked(value, document, targets), MAX_VALUES):
                    _add(edges, key, link, document, targets, place="front_matter", text=f"{field}: {link}")
        for line in _lines(document):
            for field, value in fields_in(line):
                if field_key(field) in _NO_RELATIONS:
                    continue
                for link in _LINKS.findall(value):
                    _add(edges, field_key(field), link, document, targets, place="body", text=line)
        return edges.found()


def _add(edges: Edges, kind: str, link: str, document: Document, targets: Targets, *, place: str, text: str) -> None:
    if link.startswith(("[[#", "![[#")):  # a place in the note itself
        return
    for named in named_targets(link, document, targets):
        edges.add(kind, named.document_id, place=place, text=text, anchor=named.anchor)


def _linked(value: Any, document: Document, targets: Targets) -> Iterator[str]:
    """The wiki links that are a property's value; YAML reads an unquoted one as a list in a list."""
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, list) and len(item) == 1 and isinstance(item[0], str):
            if targets.resolve(item[0], document):
                yield f"[[{item[0]}]]"
        elif isinstance(item, str) and _ONLY_LINK.fullmatch(item):
            yield item.strip()


def _lines(document: Document) -> Iterator[str]:
    """The lines of a text outside code blocks, as many as links are looked for in."""
    if "::" not in document.text or not is_markdown(document):
        return
    fence = ""
    for line in document.text[: limits.MAX_OUTLINE_CHARACTERS].split("\n", limits.MAX_LINK_LINES)[
        : limits.MAX_LINK_LINES
    ]:
        mark = _FENCE.match(line)
        if mark and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
        elif not fence:
            yield line


build = NoteFields
