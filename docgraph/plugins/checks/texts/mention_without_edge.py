"""Finds documents that name another in their text and have no relationship with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from docgraph.domain.finding import Cause, Finding, Severity
from docgraph.domain.overrides import EdgeKey
from docgraph.plugins.checks._wording import counted
from docgraph.ports import MENTIONS, Outcome, RelationshipGraph


@dataclass(frozen=True)
class MentionWithoutEdge:
    """The text of A names B, and nobody stated a relationship between A and B in either direction.

    Where fewer than ``min_related`` of the mentions go with a relationship, naming alone calls for none: then the check
    is silent.
    """

    check_id: str = "mention_without_edge"
    title: str = "Mention without a relationship"
    severity: Severity = "info"
    why: str = "Plans do not follow mere mentions: if the two belong together, nothing brings one in with the other."
    unit: str = "mentions"
    causes: tuple[Cause, ...] = ("target",)
    parameters: Mapping[str, Any] = field(default_factory=lambda: {"min_related": 0.5})

    def find(self, graph: RelationshipGraph, parameters: Mapping[str, Any]) -> Outcome:
        """Looks at every mention between two stored documents."""
        documents = graph.documents
        stored = sorted((a, b) for a, b in graph.mentions if a != b and a in documents and b in documents)
        if not stored:
            return Outcome(0, skipped="no text names another document")
        related = {(edge.from_document_id, edge.to_document_id) for edge in graph.each(graph.typed)}
        unrelated = [(a, b) for a, b in stored if (a, b) not in related and (b, a) not in related]
        n_related = len(stored) - len(unrelated)
        if n_related < parameters["min_related"] * len(stored):
            said = f"only {n_related:,} of {counted(len(stored), 'mention')} go with a relationship"
            return Outcome(0, skipped=f"{said}, so naming alone calls for none")
        quotes = {e.key: e.relationship_metadata.get("text") for e in graph.relationships if e.key[1] == MENTIONS}
        return Outcome(len(stored), [self._finding((a, MENTIONS, b), graph, quotes) for a, b in graph.each(unrelated)])

    def _finding(self, key: EdgeKey, graph: RelationshipGraph, quotes: Mapping[EdgeKey, Any]) -> Finding:
        start, end = key[0], key[2]
        quote = quotes.get(key)
        subject = {"relationships": (key,)} if key in quotes else {"document_ids": (start, end)}
        return Finding.about(
            self.check_id,
            self.severity,
            f"{graph.title(start)} names {graph.title(end)} in its text and has no relationship with it",
            evidence=quote if isinstance(quote, str) else "",
            **subject,
        )


def build() -> MentionWithoutEdge:
    """The check with its defaults."""
    return MentionWithoutEdge()
