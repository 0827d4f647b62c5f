"""Finds documents that nearly every other one points at: a licence, a template, a list of contents."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from docgraph.domain.edit import Edit
from docgraph.domain.finding import Cause, Finding, Severity
from docgraph.domain.graph import Relationship
from docgraph.plugins.checks._given import is_containment
from docgraph.ports import Outcome, RelationshipGraph


@dataclass(frozen=True)
class BoilerplateTarget:
    """At least ``min_share`` of the stored documents, and ``min_documents`` of them, point at it by one type.

    One finding a relationship, so that one that means something can be kept; they are one decision by their target, or
    by all targets of a navigation that the same documents repeat. What a format states of its parts is no boilerplate.
    """

    check_id: str = "boilerplate_target"
    title: str = "Boilerplate target"
    severity: Severity = "warning"
    why: str = "What nearly every document points at says nothing about any of them, and takes a place in their plans."
    unit: str = "relationships"
    causes: tuple[Cause, ...] = ("block", "target")
    parameters: Mapping[str, Any] = field(default_factory=lambda: {"min_share": 0.25, "min_documents": 20})

    def find(self, graph: RelationshipGraph, parameters: Mapping[str, Any]) -> Outcome:
        """Looks at the typed relationships between two stored documents; the fix removes one."""
        by_target: dict[tuple[str, str], list[Relationship]] = defaultdict(list)
        n_checked = 0
        for edge in graph.each(graph.typed):
            start, via, end = edge.key
            if start != end and start in graph.documents and end in graph.documents and not is_containment(edge):
                by_target[(via, end)].append(edge)
                n_checked += 1
        least = max(parameters["min_documents"], parameters["min_share"] * len(graph.documents))
        findings = [
            self._finding(graph, edge, n=len(edges))
            for (_, _), edges in graph.each(sorted(by_target.items()))
            if len(edges) >= least
            for edge in edges
        ]
        return Outcome(n_checked, findings, "" if n_checked else "no relationship joins two stored documents")

    def _finding(self, graph: RelationshipGraph, edge: Relationship, *, n: int) -> Finding:
        return Finding.about(
            self.check_id,
            self.severity,
            f"{graph.sentence(edge.key)}, as {n:,} of {len(graph.documents):,} documents do",
            relationships=(edge.key,),
            evidence=str(edge.relationship_metadata.get("text", "")),
            fix=(Edit(action="remove", key=edge.key),),
        )


def build() -> BoilerplateTarget:
    """The check with its defaults."""
    return BoilerplateTarget()
