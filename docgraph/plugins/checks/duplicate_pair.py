"""Two documents that are related in the same direction by several types."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from docgraph.domain.edit import Edit
from docgraph.domain.finding import Cause, Finding, Severity
from docgraph.domain.spelling import one_word
from docgraph.plugins.checks._wording import listed
from docgraph.ports import Outcome, RelationshipGraph

MAX_COMPARED = 30
"""Types of one pair whose spellings are compared; a pair with more is made by a program that went wrong."""


@dataclass(frozen=True)
class DuplicatePair:
    """A warning where one type is another spelling of the other: then the fix removes the rarer spelling."""

    check_id: str = "duplicate_pair"
    title: str = "Pair with several types"
    severity: Severity = "info"
    why: str = "Two types between the same two documents say one thing twice, or one of them is wrong."
    unit: str = "pairs"
    causes: tuple[Cause, ...] = ("types",)
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def find(self, graph: RelationshipGraph, parameters: Mapping[str, Any]) -> Outcome:
        """One finding a pair; relationships that were only found in running text and self links do not count."""
        types: dict[tuple[str, str], list[str]] = {}
        for edge in graph.each(graph.typed):
            if edge.from_document_id != edge.to_document_id:
                types.setdefault((edge.from_document_id, edge.to_document_id), []).append(edge.relation_type)
        spellings: dict[tuple[str, ...], tuple[tuple[str, str], ...]] = {}
        findings = []
        for pair, names in graph.each(types.items()):
            if len(names) > 1:
                group = tuple(sorted(names))
                if group not in spellings:
                    pairs = combinations(group, 2) if len(group) <= MAX_COMPARED else ()
                    spellings[group] = tuple((a, b) for a, b in pairs if one_word(a, b))
                findings.append(self._finding(graph, pair, group, alike=spellings[group]))
        return Outcome(len(types), findings)

    def _finding(
        self,
        graph: RelationshipGraph,
        pair: tuple[str, str],
        names: tuple[str, ...],
        *,
        alike: tuple[tuple[str, str], ...],
    ) -> Finding:
        start, end = pair
        said = f"{graph.title(start)} is related to {graph.title(end)} as {listed(names)}"
        if alike:
            said += f"; {listed([f'{a} and {b}' for a, b in alike])} look like one type"
        doomed = {rarer for a, b in alike if (rarer := _rarer(a, b, graph.types))}
        return Finding.about(
            self.check_id,
            "warning" if alike else self.severity,
            said,
            relationships=tuple((start, name, end) for name in names),
            fix=tuple(Edit(action="remove", key=(start, name, end)) for name in sorted(doomed)),
        )


def _rarer(a: str, b: str, counts: Mapping[str, int]) -> str | None:
    """The spelling with fewer relationships; None when both have as many."""
    return None if counts[a] == counts[b] else min(a, b, key=lambda name: counts[name])


def build() -> DuplicatePair:
    """The check; it has no parameters."""
    return DuplicatePair()
