"""Finds reviewed relationships between texts of which one has changed since."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from docgraph.domain.overrides import EdgeKey
from docgraph.plugins.checks._check import BaseCheck
from docgraph.ports import Outcome, RelationshipGraph


class Suspect(BaseCheck):
    """The content hash of an end is another than when somebody accepted the relationship."""

    check_id = "suspect"
    title = "Text changed since the review"
    why = "The texts changed after the review, so the review may no longer be valid."
    causes = ("target",)

    def find(self, graph: RelationshipGraph, parameters: Mapping[str, Any]) -> Outcome:
        """Looks at the relationships that were reviewed, are still there, and have both ends stored."""
        documents = graph.documents
        there = [
            e.key for e in graph.each(graph.relationships) if e.key in graph.reviewed and _both_stored(e.key, graph)
        ]
        findings = []
        for key in graph.each(there):
            now = (documents[key[0]].content_hash, documents[key[2]].content_hash)
            changed = [i for i, was, is_now in zip(key[::2], graph.reviewed[key], now, strict=True) if was != is_now]
            if changed:
                findings.append(self.finding(_sentence(key, changed, graph), relationships=(key,)))
        return Outcome(len(there), findings, "" if there else "no relationship has been reviewed")


def _both_stored(key: EdgeKey, graph: RelationshipGraph) -> bool:
    return key[0] in graph.documents and key[2] in graph.documents


def _sentence(key: EdgeKey, changed: list[str], graph: RelationshipGraph) -> str:
    texts = " and of ".join(graph.title(document_id) for document_id in dict.fromkeys(changed))
    return f"{graph.sentence(key)}: the text of {texts} changed since the relationship was reviewed"


build = Suspect
