"""Finds documents that relationships point at and that hold no text to retrieve."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from docgraph.plugins.checks._check import BaseCheck
from docgraph.ports import Outcome, RelationshipGraph


class TargetWithoutChunks(BaseCheck):
    """The target of a typed relationship is stored and has no chunks."""

    check_id = "target_without_chunks"
    title = "Target without text"
    why = "It uses a position in plans but has no passage to read."
    unit = "documents"

    def find(self, graph: RelationshipGraph, parameters: Mapping[str, Any]) -> Outcome:
        """Looks at every stored document that a typed relationship from another one points at."""
        pointed_at = Counter(
            edge.to_document_id
            for edge in graph.each(graph.typed)
            if edge.to_document_id in graph.documents and edge.from_document_id != edge.to_document_id
        )
        findings = [
            self.finding(
                document_ids=(document_id,),
                sentence=f"{graph.title(document_id)} has no text to retrieve, and {_pointing(n)} at it",
            )
            for document_id, n in graph.each(sorted(pointed_at.items()))
            if graph.documents[document_id].n_chunks == 0
        ]
        return Outcome(len(pointed_at), findings, "" if pointed_at else "no relationship points at a stored document")


def _pointing(n: int) -> str:
    return "1 relationship points" if n == 1 else f"{n:,} relationships point"


build = TargetWithoutChunks
