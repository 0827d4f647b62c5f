"""Two documents that are related in the same direction by several types."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

from docgraph.domain.edit import Edit
from docgraph.domain.finding import Finding
from docgraph.domain.spelling import one_word
from docgraph.plugins.checks._check import BaseCheck
from docgraph.plugins.checks._document_format import is_given
from docgraph.plugins.checks._wording import listed
from docgraph.ports import Outcome, RelationshipGraph

MAX_COMPARED = 30
"""Types of one pair whose spellings are compared; a pair with more is made by a program that went wrong."""


class DuplicatePair(BaseCheck):
    """A warning where one type is another spelling of the other: then the fix removes the rarer spelling.

    Types that a format states as data of its own (a requirement is derived from what it is a part of) are no finding.
    Two types that go together by custom are none either: where at least ``min_together`` of the pairs that have the
    rarer one have the other too (``requires`` that the text links as well), and there are ``min_pairs`` of them.
    """

    check_id = "duplicate_pair"
    title = "Pair with several types"
    severity = "info"
    why = "The two types state the same thing twice, or one of them is wrong."
    unit = "pairs"
    causes = ("types",)
    parameters: Mapping[str, Any] = {"min_together": 0.5, "min_pairs": 10}

    def find(self, graph: RelationshipGraph, parameters: Mapping[str, Any]) -> Outcome:
        """One finding a pair; relationships that were only found in running text and self links do not count."""
        types: dict[tuple[str, str], list[str]] = {}
        told: set[tuple[str, str]] = set()
        for edge in graph.each(graph.typed):
            if edge.from_document_id != edge.to_document_id:
                pair = (edge.from_document_id, edge.to_document_id)
                types.setdefault(pair, []).append(edge.relation_type)
                if not is_given(edge):
                    told.add(pair)
        custom = _custom(types.values(), share=parameters["min_together"], least=parameters["min_pairs"])
        spellings: dict[tuple[str, ...], tuple[tuple[str, str], ...]] = {}
        findings = []
        for pair, names in graph.each(types.items()):
            if len(names) > 1:
                group = tuple(sorted(names))
                if group not in spellings:
                    pairs = combinations(group, 2) if len(group) <= MAX_COMPARED else ()
                    spellings[group] = tuple((a, b) for a, b in pairs if one_word(a, b))
                by_custom = all(two in custom for two in combinations(group[:MAX_COMPARED], 2))
                if not spellings[group] and (by_custom or pair not in told):
                    continue
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
            said += f"; {listed([f'{a} and {b}' for a, b in alike])} look like the same type"
        doomed = {rarer for a, b in alike if (rarer := _rarer(a, b, graph.types))}
        return self.finding(
            said,
            severity="warning" if alike else None,
            relationships=tuple((start, name, end) for name in names),
            fix=tuple(Edit(action="remove", key=(start, name, end)) for name in sorted(doomed)),
        )


def _custom(groups: Iterable[Sequence[str]], *, share: float, least: int) -> set[tuple[str, str]]:
    """Pairs of types, each in order, that a pair of documents mostly has together when it has the rarer one."""
    alone, together = Counter[str](), Counter[tuple[str, str]]()
    for names in groups:
        group = sorted(names)[:MAX_COMPARED]
        alone.update(group)
        together.update(combinations(group, 2))
    return {(a, b) for (a, b), n in together.items() if n >= max(1, least) and n >= share * min(alone[a], alone[b])}


def _rarer(a: str, b: str, counts: Mapping[str, int]) -> str | None:
    """The spelling with fewer relationships; None when both have as many."""
    return None if counts[a] == counts[b] else min(a, b, key=lambda name: counts[name])


build = DuplicatePair
