"""Relationships of a document with itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from docgraph.domain.edit import Edit
from docgraph.domain.finding import Cause, Finding, Severity
from docgraph.domain.graph import Relationship
from docgraph.plugins.checks._specimens import is_specimen
from docgraph.ports import Outcome, RelationshipGraph


@dataclass(frozen=True)
class SelfLink:
    """Both ends are one document; the fix removes it. Templates and data of tests are passed over."""

    check_id: str = "self_link"
    title: str = "Link to itself"
    severity: Severity = "error"
    why: str = "A link to itself adds nothing. Usually another document was meant."
    unit: str = "relationships"
    causes: tuple[Cause, ...] = ("types",)
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def find(self, graph: RelationshipGraph, parameters: Mapping[str, Any]) -> Outcome:
        """One finding a relationship."""
        findings = [
            Finding.about(
                self.check_id,
                self.severity,
                f"{graph.sentence(edge.key)}: it links to itself",
                relationships=(edge.key,),
                evidence=str(edge.relationship_metadata.get("text", "")),
                fix=(Edit(action="remove", key=edge.key),),
            )
            for edge in graph.each(graph.relationships)
            if edge.from_document_id == edge.to_document_id and not _is_made_up(graph, edge)
        ]
        skipped = "" if graph.relationships else "there is no relationship"
        return Outcome(len(graph.relationships), findings, skipped)


def _is_made_up(graph: RelationshipGraph, edge: Relationship) -> bool:
    start = graph.documents.get(edge.from_document_id)
    return start is not None and is_specimen(start)


def build() -> SelfLink:
    """The check; it has no parameters."""
    return SelfLink()
