"""Finds relationships that lead to a stub: a document that says itself that its text is elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from docgraph.domain.graph import StoredDocument
from docgraph.domain.imports.fields import MOVED
from docgraph.plugins.checks._check import BaseCheck
from docgraph.plugins.checks._succession import status_word
from docgraph.ports import Outcome, RelationshipGraph


class StubTarget(BaseCheck):
    """The first word of the target's status is one of ``words``, and it has at most ``max_chunks`` passages.

    Relationships that start at a stub as well are history. Those with one target are one decision.
    """

    check_id = "stub_target"
    title = "Target moved elsewhere"
    why = "The plan adds a page that only says where the text has moved."
    causes = ("target",)
    parameters: Mapping[str, Any] = {"words": MOVED, "max_chunks": 2}

    def find(self, graph: RelationshipGraph, parameters: Mapping[str, Any]) -> Outcome:
        """Looks at the typed relationships to a stored document; a person has to say what is meant."""
        words = {str(word).casefold() for word in parameters["words"]}
        most = parameters["max_chunks"]
        stubs = {i for i, each in graph.each(graph.documents.items()) if _is_stub(each, words, most)}
        looked_at = [e for e in graph.each(graph.typed) if e.to_document_id in graph.documents]
        findings = [
            self.finding(
                f"{graph.sentence(edge.key)}, which has moved",
                relationships=(edge.key,),
                evidence=str(edge.relationship_metadata.get("text", "")),
            )
            for edge in graph.each(looked_at)
            if edge.to_document_id in stubs and edge.from_document_id not in stubs
        ]
        return Outcome(len(looked_at), findings, "" if looked_at else "no relationship points at a stored document")


def _is_stub(document: StoredDocument, words: set[str], most: int) -> bool:
    return status_word(document) in words and document.n_chunks <= most


build = StubTarget
