"""Links by a name that several documents have, all of them as near: which one is meant, nobody can tell."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from docgraph.domain.edit import Edit
from docgraph.domain.finding import Finding
from docgraph.domain.graph import Relationship
from docgraph.plugins.checks._check import BaseCheck
from docgraph.plugins.checks._wording import listed
from docgraph.ports import Outcome, RelationshipGraph

CANDIDATES = "candidates"
"""Metadata field in which a relationship keeps the documents that its name could mean, the one it leads to first."""


class AmbiguousName(BaseCheck):
    """A link names a document by a name that others have too, and none of them is nearer than the others.

    The relationship leads to the first of them; the fixes point it at each of the others.
    """

    check_id = "ambiguous_name"
    title = "Ambiguous name"
    why = "Several documents have this name. A path in the link would tell which one is meant."

    def find(self, graph: RelationshipGraph, parameters: Mapping[str, Any]) -> Outcome:
        """One finding a relationship."""
        findings = [
            self._finding(graph, edge, others)
            for edge in graph.each(graph.relationships)
            if (others := _others(graph, edge))
        ]
        skipped = "" if graph.relationships else "there is no relationship"
        return Outcome(len(graph.relationships), findings, skipped)

    def _finding(self, graph: RelationshipGraph, edge: Relationship, others: tuple[str, ...]) -> Finding:
        meant = (edge.to_document_id, *others)
        return self.finding(
            f"{graph.sentence(edge.key)}: the name can mean {listed(meant)}",
            document_ids=(edge.from_document_id, *meant),
            relationships=(edge.key,),
            evidence=str(edge.relationship_metadata.get("text", "")),
            fix=(Edit(action="retarget", key=edge.key, to_document_id=others[0]),),
        )


def _others(graph: RelationshipGraph, edge: Relationship) -> tuple[str, ...]:
    """The documents that the name of a link could mean as well, as far as they are still there."""
    given = edge.relationship_metadata.get(CANDIDATES)
    named = given if isinstance(given, list | tuple) else ()
    return tuple(str(each) for each in named if each in graph.documents and each != edge.to_document_id)


build = AmbiguousName
