"""Relationships without their inverse, in a corpus that writes both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from docgraph.domain.edit import Edit
from docgraph.domain.finding import Finding
from docgraph.domain.overrides import EdgeKey
from docgraph.domain.spelling import plain
from docgraph.plugins.checks._check import BaseCheck
from docgraph.plugins.checks.types._inverses import INVERSES, Pair, families, spelt
from docgraph.ports import Outcome, RelationshipGraph

Found = dict[Pair, list[EdgeKey]]


class InverseMissing(BaseCheck):
    """Silent unless the corpus mostly keeps inverses up: at least ``min_pairs`` pairs, and more than ``min_share``.

    ``inverse_pairs`` that share a type are one family: with ``replaces`` and ``supersedes`` both the inverse of
    ``superseded_by``, either of them will do.
    """

    check_id = "inverse_missing"
    title = "Missing inverse"
    severity = "info"
    why = "Other pairs have both directions. One is missing here, or the other one is wrong."
    causes = ("repair", "types")
    parameters: Mapping[str, Any] = {"inverse_pairs": INVERSES, "min_pairs": 3, "min_share": 0.5}

    def find(self, graph: RelationshipGraph, parameters: Mapping[str, Any]) -> Outcome:
        """One finding for a pair of documents and family; the fix adds the inverse that the corpus uses most.

        A pair that is written both ways round lacks no inverse: one of the two is wrong (``ordering_cycle``).
        """
        n_checked, findings = 0, []
        by_type: dict[str, list[EdgeKey]] = {}
        for edge in graph.each(graph.typed):
            if edge.from_document_id != edge.to_document_id:
                by_type.setdefault(edge.relation_type, []).append(edge.key)
        for family in families(parameters["inverse_pairs"]):
            ahead, back = (_said(by_type, family, place, graph=graph) for place in (0, 1))
            pairs, kept = {*ahead, *back}, ahead.keys() & back.keys()
            if len(kept) < max(1, parameters["min_pairs"]) or len(kept) <= parameters["min_share"] * len(pairs):
                continue
            n_checked += len({key for found in (ahead, back) for keys in found.values() for key in keys})
            mutual = all(plain(first) == plain(second) for first, second in family)
            opposed = set() if mutual else {pair for pair in pairs if pair[::-1] in pairs}
            for pair in graph.each(pairs - kept - opposed):
                findings.append(self._finding(graph, family, ahead.get(pair) or back[pair]))
        unique = {finding.finding_id: finding for finding in findings}  # a type that is its own inverse is met twice
        skipped = "" if n_checked else "no type and its inverse are mostly written together"
        return Outcome(n_checked, tuple(unique.values()), skipped)

    def _finding(self, graph: RelationshipGraph, family: Sequence[Pair], keys: Sequence[EdgeKey]) -> Finding:
        start, via, end = keys[0]
        inverse = _inverse(via, family, graph.types)
        missing = (end, inverse, start)
        addable = start in graph.documents and end in graph.documents
        return self.finding(
            f"{graph.sentence(keys[0])}, but not {graph.sentence(missing)}, though most have both",
            relationships=tuple(keys),
            fix=(Edit(action="add", key=missing),) if addable else (),
        )


def _said(
    by_type: Mapping[str, Sequence[EdgeKey]], family: Sequence[Pair], place: int, *, graph: RelationshipGraph
) -> Found:
    """Pair of documents → the relationships that say it ahead (place 0), or back (place 1: those from its second)."""
    found: Found = {}
    for name in sorted(spelt(by_type, (pair[place] for pair in family))):
        for key in graph.each(by_type[name]):
            found.setdefault((key[0], key[2]) if place == 0 else (key[2], key[0]), []).append(key)
    return found


def _inverse(via: str, family: Sequence[Pair], counts: Mapping[str, int]) -> str:
    """The inverse of a type as the corpus spells it; of several the one with most relationships, else the first."""
    wanted = [b for a, b in family if plain(a) == plain(via)] + [a for a, b in family if plain(b) == plain(via)]
    used = sorted(spelt(counts, wanted))
    return max(used, key=lambda name: counts[name]) if used else wanted[0]


build = InverseMissing
