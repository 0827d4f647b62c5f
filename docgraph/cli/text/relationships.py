"""How relationships look in a terminal and in JSON, with the sections that they point to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from docgraph.cli.text.output import table
from docgraph.domain.graph import Relationship, SectionRef, StoredChunk
from docgraph.domain.passages.beginnings import beginning_of
from docgraph.errors import NotFoundError
from docgraph.views.words.sections import pointed_sections

MAX_KEPT = 64
"""Documents whose chunks are kept at hand while relationships to them are written."""


class SectionStarts:
    """Knows in which chunk a section of a document begins; ``chunks_of`` reads those of one document."""

    def __init__(self, chunks_of: Callable[[str], tuple[StoredChunk, ...]]) -> None:
        self._chunks_of = chunks_of
        self._kept: dict[str, tuple[StoredChunk, ...]] = {}

    def chunk_id(self, document_id: str, section: str) -> str | None:
        """The id of the chunk, or None where the document or the section is gone."""
        if document_id not in self._kept:
            if len(self._kept) >= MAX_KEPT:
                self._kept.clear()
            try:
                self._kept[document_id] = self._chunks_of(document_id)
            except NotFoundError:
                self._kept[document_id] = ()
        found = beginning_of(section, self._kept[document_id])
        return found.chunk_id if found is not None else None


def relationship_json(relationship: Relationship, starts: SectionStarts) -> dict[str, Any]:
    """The relationship as it is stored; with ``sections`` where it points to some, and the chunk each begins in."""
    said = relationship.model_dump(mode="json")
    if not relationship.sections:
        return said
    return {**said, "sections": [_section_json(relationship, each, starts) for each in relationship.sections]}


def _section_json(relationship: Relationship, section: SectionRef, starts: SectionStarts) -> dict[str, Any]:
    heading = section.heading
    chunk_id = None if heading is None else starts.chunk_id(relationship.to_document_id, heading)
    return {"anchor": section.anchor, "section": section.name or None, "heading": heading, "chunk_id": chunk_id}


def show_relationships(relationships: Sequence[Relationship]) -> None:
    """A table; with a column of sections where one of them points to any."""
    sections = [pointed_sections(each) for each in relationships]
    columns = ("from", "type", "to", *(("section",) if any(sections) else ()), "found by")
    rows = []
    for each, section in zip(relationships, sections, strict=True):
        ends = (each.from_document_id, each.relation_type, each.to_document_id)
        found_by = each.relationship_metadata.get("extractor", "--")
        rows.append((*ends, *((section or "--",) if any(sections) else ()), found_by))
    table(columns, rows)
