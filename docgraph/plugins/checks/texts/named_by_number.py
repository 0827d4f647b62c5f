"""Finds numbered documents that a text names by their number alone, where others of their series are linked."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from typing import Any

from docgraph.domain.finding import Finding
from docgraph.domain.graph import Relationship
from docgraph.domain.imports.numbering import number_in
from docgraph.plugins.checks._check import BaseCheck
from docgraph.plugins.checks._specimens import is_specimen
from docgraph.plugins.checks.texts._quoting import links_in
from docgraph.ports import MENTIONS, Outcome, RelationshipGraph

BY_NUMBER = "body_references"
"""Extractor of the mentions of numbered documents. It learns the series of a corpus from its import profile."""

_NUMBER = re.compile(r"(?<!\w)(this\s+)?[^\W\d_]{2,12}[-\s]\s?#?0*(\d{1,9})(?!\d)", re.IGNORECASE)
"""A word and a number; ``this EIP 2.`` ends a sentence, and a list goes on with its second point."""


class NamedByNumber(BaseCheck):
    """``see EIP-55`` in running text, without a link, and the two have no relationship in either direction.

    Where more than ``custom`` of the references from texts to numbered documents are such, naming without a link is the
    custom, and the check is silent. A number that is the label of a link somewhere else is linked, and a template is
    named as a file and no document of its series.
    """

    check_id = "named_by_number"
    title = "Mentioned by number only"
    severity = "info"
    why = "Plans do not follow numbers in a text. Others like it are links, so this link is probably missing."
    unit = "references"
    causes = ("target",)
    parameters: Mapping[str, Any] = {"custom": 0.2}

    def find(self, graph: RelationshipGraph, parameters: Mapping[str, Any]) -> Outcome:
        """Looks at what texts say of numbered documents: mentions by number, and relationships found in a text."""
        related = {frozenset((edge.from_document_id, edge.to_document_id)) for edge in graph.each(graph.typed)}
        numbered = {each for each in graph.each(graph.documents) if number_in(posixpath.basename(each))}
        mentions = [edge for edge in graph.each(graph.relationships) if is_by_number(edge) and _is_stored(edge, graph)]
        linked = {
            (edge.from_document_id, edge.to_document_id)
            for edge in graph.each(graph.typed)
            if edge.relationship_metadata.get("place") == "body" and edge.to_document_id in numbered
        }
        alone = [e for e in mentions if frozenset((e.from_document_id, e.to_document_id)) not in related]
        n = len(linked | {(edge.from_document_id, edge.to_document_id) for edge in mentions})
        if not mentions:
            return Outcome(n, skipped="" if n else "no text names a document by its number")
        if len(alone) > parameters["custom"] * n:
            return Outcome(
                0, skipped=f"{len(alone):,} of {n:,} have neither a link nor a relationship, so this is usual here"
            )
        return Outcome(n, [self._finding(edge, graph) for edge in graph.each(alone) if _is_bare(edge, graph)])

    def _finding(self, edge: Relationship, graph: RelationshipGraph) -> Finding:
        start, _, end = edge.key
        return self.finding(
            f"{graph.title(start)} names {graph.title(end)} ({end}) by its number, without a link or a relationship",
            relationships=(edge.key,),
            evidence=_quote(edge),
        )


def is_by_number(edge: Relationship) -> bool:
    """Whether a mention was found by the number of its target."""
    return edge.relation_type == MENTIONS and edge.relationship_metadata.get("extractor") == BY_NUMBER


def _is_stored(edge: Relationship, graph: RelationshipGraph) -> bool:
    start, _, end = edge.key
    return start != end and start in graph.documents and end in graph.documents


def _is_bare(edge: Relationship, graph: RelationshipGraph) -> bool:
    """Whether the sentence that is kept has the number outside of links to the target itself, or to the web."""
    if is_specimen(graph.documents[edge.to_document_id]):
        return False
    quote, stem = _quote(edge), posixpath.basename(edge.to_document_id)
    number = number_in(stem)
    found = [each for each in _NUMBER.finditer(quote) if number is not None and int(each[2]) == number[1]]
    if not found:
        return True
    links = [link for link in links_in(quote) if "://" in link.address or stem in link.address]
    return any(
        not each[1] and not any(link.start <= each.start() and each.end() <= link.end for link in links)
        for each in found
    )


def _quote(edge: Relationship) -> str:
    text = edge.relationship_metadata.get("text")
    return text if isinstance(text, str) else ""


build = NamedByNumber
