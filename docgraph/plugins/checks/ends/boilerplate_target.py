"""Finds documents that nearly every other one points at: a licence, a template, a list of contents."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from docgraph.domain.edit import Edit
from docgraph.domain.finding import Finding
from docgraph.domain.graph import Relationship
from docgraph.plugins.checks._check import BaseCheck
from docgraph.plugins.checks._document_format import is_containment
from docgraph.ports import Outcome, RelationshipGraph

_LINK = re.compile(r"\[|<a\s|:[\w:-]{1,40}:`")
"""Where a link begins in a sentence: in Markdown, between double brackets, in HTML, in reStructuredText."""


class BoilerplateTarget(BaseCheck):
    """At least ``min_share`` of the stored documents, and ``min_documents`` of them, point at it by one type.

    What they say is the same everywhere too: of the sentences that are kept, at least ``min_same`` are alike up to the
    link (``**Status**: [``), or wholly where the link begins them. A page that each speaks of in words of its own is
    a page that matters, and nobody would take it out of the sentences. Relationships without a sentence are alike.

    One finding a relationship, so that one that means something can be kept; they are one decision by their target, or
    by all targets of a navigation that the same documents repeat. What a format states of its parts is no boilerplate.
    """

    check_id = "boilerplate_target"
    title = "Boilerplate target"
    why = "Nearly every document links to it, so it adds little and uses a position in their plans."
    causes = ("block", "target")
    parameters: Mapping[str, Any] = {"min_share": 0.25, "min_documents": 20, "min_same": 0.75}

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
            if len(edges) >= least and _same(edges) >= parameters["min_same"] * len(edges)
            for edge in edges
        ]
        return Outcome(n_checked, findings, "" if n_checked else "no relationship connects two stored documents")

    def _finding(self, graph: RelationshipGraph, edge: Relationship, *, n: int) -> Finding:
        return self.finding(
            f"{graph.sentence(edge.key)}, as {n:,} of {len(graph.documents):,} documents do",
            relationships=(edge.key,),
            evidence=str(edge.relationship_metadata.get("text", "")),
            fix=(Edit(action="remove", key=edge.key),),
        )


def _same(edges: Sequence[Relationship]) -> int:
    """How many of the relationships have the sentence that most of them have."""
    return Counter(map(_opening, edges)).most_common(1)[0][1]


def _opening(edge: Relationship) -> str:
    sentence = " ".join(str(edge.relationship_metadata.get("text", "")).split())
    return _LINK.split(sentence, maxsplit=1)[0].strip("-*+•>| \t") or sentence


build = BoilerplateTarget
