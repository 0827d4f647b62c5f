"""Finds relationships that point at a document which something newer has replaced, or which no longer holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from docgraph.domain.edit import Edit
from docgraph.domain.graph import Relationship
from docgraph.domain.standing import INACTIVE
from docgraph.plugins.checks._check import BaseCheck
from docgraph.plugins.checks._succession import Succession, is_succession, status_word, succession_of
from docgraph.ports import Outcome, RelationshipGraph

HISTORY = ("derived_from",)
LOOSE = ("links_to",)


class SupersededTarget(BaseCheck):
    """The target has one of the ``inactive`` words as its status, or a relationship says what replaced it.

    Not pointed at: the succession itself, the successor that speaks of what it replaced, types in ``history`` (where
    something came from stays as it was), and sources that no longer hold either. The fix points at the last successor
    where there is exactly one. A relationship of a ``loose`` type, which a link in a text makes, may name what does not
    hold any more: it is pointed at where a successor is known alone.
    """

    check_id = "superseded_target"
    title = "Target superseded or inactive"
    why = "Plans that follow it add a document that is no longer valid, not its replacement."
    causes = ("target",)
    parameters: Mapping[str, Any] = {"inactive": INACTIVE, "history": HISTORY, "loose": LOOSE}

    def find(self, graph: RelationshipGraph, parameters: Mapping[str, Any]) -> Outcome:
        """Looks at every typed relationship to a stored document that is neither a succession nor history."""
        words = {str(word).casefold() for word in parameters["inactive"]}
        inactive = {
            i: word for i, document in graph.each(graph.documents.items()) if (word := status_word(document)) in words
        }
        succession = succession_of(graph)
        keys, loose = {edge.key for edge in graph.typed}, frozenset(parameters["loose"])
        exempt = {via for via in graph.types if via in parameters["history"] or is_succession(via)}
        looked_at = [
            e for e in graph.each(graph.typed) if e.to_document_id in graph.documents and e.relation_type not in exempt
        ]
        findings = [
            self.finding(
                _sentence(edge, graph, succession, inactive),
                relationships=(edge.key,),
                fix=_fix(edge, succession, inactive, keys),
            )
            for edge in graph.each(looked_at)
            if _points_back(edge, succession, {} if edge.relation_type in loose else inactive, ended=inactive)
        ]
        return Outcome(len(looked_at), findings, "" if looked_at else "no relationship could point at a replaced one")


def _points_back(
    edge: Relationship, succession: Succession, inactive: Mapping[str, str], *, ended: Mapping[str, str]
) -> bool:
    """``inactive`` = the targets whose status counts; ``ended`` = all documents that do not hold any more."""
    start, _, end = edge.key
    if end not in inactive and end not in succession.successors:
        return False
    is_history = start in ended or start in succession.successors
    return not (is_history or start in succession.successors.get(end, ()) or start == succession.last.get(end))


def _sentence(edge: Relationship, graph: RelationshipGraph, succession: Succession, inactive: Mapping[str, str]) -> str:
    target = edge.to_document_id
    newer = succession.successors.get(target, ())
    if not newer:
        return f"{graph.sentence(edge.key)}, whose status is {inactive[target]}"
    more = f" and {len(newer) - 1} more" if len(newer) > 1 else ""
    return f"{graph.sentence(edge.key)}, which was replaced by {graph.title(newer[0])}{more}"


def _fix(
    edge: Relationship, succession: Succession, inactive: Mapping[str, str], keys: set[tuple[str, str, str]]
) -> tuple[Edit, ...]:
    """Point at what holds today; none where that is unclear, or where the source does so already."""
    start, via, end = edge.key
    successor = succession.last.get(end)
    if successor is None or successor in inactive or (start, via, successor) in keys:
        return ()
    return (Edit(action="retarget", key=edge.key, to_document_id=successor),)


build = SupersededTarget
