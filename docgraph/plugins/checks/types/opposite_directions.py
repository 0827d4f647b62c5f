"""Pairs of documents with a one-way type in both directions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from docgraph.domain.spelling import plain
from docgraph.plugins.checks._check import BaseCheck
from docgraph.ports import Outcome, RelationshipGraph

ONE_WAY = (
    "decided_by",
    "decision_for",
    "depends_on",
    "example_of",
    "explained_by",
    "explains",
    "extends",
    "implemented_by",
    "implements",
    "refines",
)
"""Types that order documents in time or by rank are not among them: ``ordering_cycle`` finds their circles."""


class OppositeDirections(BaseCheck):
    """A design cannot both depend on another and carry it; which of the two is right a person has to decide."""

    check_id = "opposite_directions"
    title = "Both directions of a one-way type"
    severity = "error"
    why = "This type has one direction only, so one of the two relationships is reversed."
    unit = "pairs"
    parameters: Mapping[str, Any] = {"one_way_types": ONE_WAY}

    def find(self, graph: RelationshipGraph, parameters: Mapping[str, Any]) -> Outcome:
        """One finding a pair and type; case and separators of type names do not matter."""
        one_way = {plain(name) for name in parameters["one_way_types"]}
        names = {name for name in graph.types if plain(name) in one_way}
        keys = {
            e.key
            for e in graph.each(graph.typed)
            if e.relation_type in names and e.from_document_id != e.to_document_id
        }
        if not keys:
            return Outcome(0, skipped="no relationship has a one-way type")
        findings = [
            self.finding(
                f"{graph.sentence((start, via, end))}, and {graph.sentence((end, via, start))} as well: "
                f"{via} has one direction only",
                relationships=((start, via, end), (end, via, start)),
            )
            for start, via, end in graph.each(keys)
            if start < end and (end, via, start) in keys
        ]
        return Outcome(len({(via, *sorted((start, end))) for start, via, end in keys}), findings)


build = OppositeDirections
