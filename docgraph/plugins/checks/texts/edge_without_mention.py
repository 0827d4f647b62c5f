"""Finds relationships that were stated beside the texts and that neither text bears out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from docgraph.domain.finding import Finding
from docgraph.domain.graph import Relationship
from docgraph.plugins.checks._check import BaseCheck
from docgraph.plugins.checks._document_format import TEXT_PLACES, is_given
from docgraph.plugins.checks._succession import is_succession
from docgraph.ports import Outcome, RelationshipGraph


class EdgeWithoutMention(BaseCheck):
    """Stated in front matter, a header, a record or by hand, and no sentence that names the other document was found.

    ``either``: a mention in one of the two texts is enough; otherwise it has to be in the text that the relationship
    starts at. Where the texts name fewer than ``min_named`` of the relationships, naming is not the custom and its
    absence says nothing: then the check is silent.

    Not looked at is what needs no sentence: that one document replaced another, which is a status and often younger
    than the text, what both documents state, each from its end, and the parts and traces that a format states itself.
    """

    check_id = "edge_without_mention"
    title = "Relationship without a mention"
    severity = "info"
    why = (
        "No sentence was found that names the other document (titles and usual references are recognised, not every "
        "paraphrase): often right, but only the statement itself speaks for it."
    )
    causes = ("types",)
    parameters: Mapping[str, Any] = {"either": True, "min_named": 0.5}

    def find(self, graph: RelationshipGraph, parameters: Mapping[str, Any]) -> Outcome:
        """Looks at the typed relationships between two stored documents that one states alone, and not in its text."""
        if not graph.mentions:
            return Outcome(0, skipped="no text names another document, so nothing can be compared")
        pairs = {(edge.from_document_id, edge.to_document_id) for edge in graph.each(graph.typed)}
        looked_at = [
            edge
            for edge in graph.each(graph.typed)
            if _stated_beside(edge, graph)
            and not is_succession(edge.relation_type)
            and not is_given(edge)
            and (edge.to_document_id, edge.from_document_id) not in pairs
        ]
        if not looked_at:
            return Outcome(0, skipped="no relationship needs a sentence in the texts")
        unnamed = [edge for edge in looked_at if not _named(edge, graph, either=bool(parameters["either"]))]
        n_named = len(looked_at) - len(unnamed)
        if n_named < parameters["min_named"] * len(looked_at):
            return Outcome(
                0, skipped=f"the texts name only {n_named:,} of {len(looked_at):,}, so mentions are unusual here"
            )
        return Outcome(len(looked_at), [self._finding(edge, graph, parameters) for edge in graph.each(unnamed)])

    def _finding(self, edge: Relationship, graph: RelationshipGraph, parameters: Mapping[str, Any]) -> Finding:
        said = "neither text names" if parameters["either"] else f"the text of {graph.title(edge.key[0])} never names"
        other = "the other" if parameters["either"] else graph.title(edge.key[2])
        text = edge.relationship_metadata.get("text")
        return self.finding(
            f"{graph.sentence(edge.key)}: {said} {other}",
            relationships=(edge.key,),
            evidence=text if isinstance(text, str) else "",
        )


def _stated_beside(edge: Relationship, graph: RelationshipGraph) -> bool:
    start, _, end = edge.key
    both_stored = start in graph.documents and end in graph.documents
    return both_stored and start != end and edge.relationship_metadata.get("place") not in TEXT_PLACES


def _named(edge: Relationship, graph: RelationshipGraph, *, either: bool) -> bool:
    start, _, end = edge.key
    return (start, end) in graph.mentions or (either and (end, start) in graph.mentions)


build = EdgeWithoutMention
