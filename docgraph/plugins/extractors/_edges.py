"""Collects the relationships of one document, each key once, with the place where it was first found."""

from __future__ import annotations

import re
from typing import Any

from docgraph.domain.anchors import MAX_ANCHOR
from docgraph.domain.graph import MAX_ID_LENGTH, MAX_SECTIONS, SECTIONS, Document, Relationship

MAX_QUOTE = 300
MAX_EDGES = 5_000
MAX_LINES = 5
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")


class Edges:
    """Relationships in the order of their first mention; ``relationship_metadata["order"]`` counts them from 0.

    At most 5,000 are kept per document and extractor: a text that names more is a list, not a set of relationships.
    """

    def __init__(self, document: Document, extractor: str) -> None:
        self._from = document.document_id
        self._extractor = extractor
        self._found: dict[tuple[str, str], Relationship] = {}

    def add(
        self, relation_type: str, to_document_id: str, *, place: str, text: str = "", anchor: str = "", **more: Any
    ) -> None:
        """Keep an edge unless its key is known; names that cannot be ids or types (empty, too long) are left out.

        ``anchor`` names a section of the target (``domain.anchors.anchor_of``); it is kept of a known edge as well.
        """
        relation_type, target = tidy(relation_type)[:100], tidy(to_document_id)
        if not relation_type or not target or len(target) > MAX_ID_LENGTH or len(self._found) >= MAX_EDGES:
            return
        if (relation_type, target) in self._found:
            self._add_anchor(relation_type, target, anchor)
            return
        metadata = {"extractor": self._extractor, "place": place, "order": len(self._found)}
        if quote := tidy(text)[:MAX_QUOTE]:
            metadata["text"] = quote
        metadata.update({name: value for name, value in more.items() if value})
        self._found[relation_type, target] = Relationship(
            from_document_id=self._from,
            relation_type=relation_type,
            to_document_id=target,
            relationship_metadata=metadata,
        )
        self._add_anchor(relation_type, target, anchor)

    def _add_anchor(self, relation_type: str, target: str, anchor: str) -> None:
        edge = self._found[relation_type, target]
        kept = edge.relationship_metadata.get(SECTIONS, [])
        named = {"anchor": anchor[:MAX_ANCHOR]}
        if anchor and named not in kept and len(kept) < MAX_SECTIONS:
            more = {**edge.relationship_metadata, SECTIONS: [*kept, named]}
            self._found[relation_type, target] = edge.model_copy(update={"relationship_metadata": more})

    def add_line(self, relation_type: str, to_document_id: str, text: str) -> None:
        """Keep one more line of an edge that is known, five at most, each once, as ``other_lines``."""
        edge, line = self._found.get((relation_type, to_document_id)), tidy(text)[:MAX_QUOTE]
        if edge is None or line == edge.relationship_metadata.get("text"):
            return
        lines = edge.relationship_metadata.get("other_lines", ())
        if line not in lines and len(lines) < MAX_LINES:
            more = {**edge.relationship_metadata, "other_lines": [*lines, line]}
            self._found[relation_type, to_document_id] = edge.model_copy(update={"relationship_metadata": more})

    def found(self) -> tuple[Relationship, ...]:
        """All edges in the order in which they were added."""
        return tuple(self._found.values())


def tidy(text: str) -> str:
    """``text`` on one line, without control characters and with single spaces."""
    return " ".join(_CONTROL.sub(" ", text).split())


def quote_around(text: str, start: int, end: int) -> str:
    """The line of ``text`` that holds ``start`` … ``end``, shortened around it to at most 300 characters."""
    line_start = text.rfind("\n", 0, start) + 1
    line_end = text.find("\n", end)
    line_end = len(text) if line_end < 0 else line_end
    if line_end - line_start > MAX_QUOTE - 2:
        room = max(0, MAX_QUOTE - 2 - (end - start)) // 2
        cut_start, cut_end = max(line_start, start - room), min(line_end, end + room)
        before = "…" if cut_start > line_start else ""
        after = "…" if cut_end < line_end else ""
        return before + tidy(text[cut_start:cut_end])[: MAX_QUOTE - 2] + after
    return tidy(text[line_start:line_end])
