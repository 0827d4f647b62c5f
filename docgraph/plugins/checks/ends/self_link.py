"""Relationships of a document with itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from docgraph.domain.edit import Edit
from docgraph.domain.graph import Relationship
from docgraph.plugins.checks._check import BaseCheck
from docgraph.plugins.checks._specimens import is_specimen
from docgraph.ports import Outcome, RelationshipGraph


class SelfLink(BaseCheck):
    """Both ends are one document; the fix removes it. Templates and data of tests are passed over."""

    check_id = "self_link"
    title = "Link to itself"
    severity = "error"
    why = "A link to itself adds nothing. Usually another document was meant."
    causes = ("types",)

    def find(self, graph: RelationshipGraph, parameters: Mapping[str, Any]) -> Outcome:
        """One finding a relationship."""
        findings = [
            self.finding(
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


build = SelfLink
