"""Finds relationships between kinds of documents that others of their type do not connect, or not in this direction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from docgraph.domain.vocabulary import most_agree
from docgraph.plugins.checks._check import BaseCheck
from docgraph.plugins.checks._succession import is_succession
from docgraph.ports import Outcome, RelationshipGraph

Pair = tuple[str, str]
_WITHIN: Pair = ("", "")
"""Both documents of one kind, whichever: where decisions supersede decisions, interfaces may supersede interfaces."""

LOOSE = ("links_to", "references", "related_to", "relates_to", "see_also")


class UnusualPair(BaseCheck):
    """Compared with the *other* relationships of its type; silent unless ``share`` of at least ``min_others`` agree.

    Direction: the others between the same two kinds of documents go the other way round; which of two replaced the
    other follows from time and not from their kinds, so types that say so are not compared. Pair: the others connect
    two other kinds, or documents of one kind. Kinds with fewer than ``min_documents`` documents are too few to compare,
    and types in ``loose`` have no direction that could be turned round.
    """

    check_id = "unusual_pair"
    title = "Unusual direction or document types"
    severity = "info"
    why = "All others of this type agree. The exception is often reversed or has the wrong target."
    causes = ("types",)
    parameters: Mapping[str, Any] = {"share": 0.9, "min_others": 3, "min_documents": 3, "loose": LOOSE}

    def find(self, graph: RelationshipGraph, parameters: Mapping[str, Any]) -> Outcome:
        """Looks at the typed relationships, loose ones aside, between two documents that both have a doc_type."""
        kinds = {i: document.doc_type for i, document in graph.documents.items() if document.doc_type}
        looked_at = [
            (edge.key, (kinds[edge.from_document_id], kinds[edge.to_document_id]))
            for edge in graph.each(graph.typed)
            if edge.from_document_id in kinds
            and edge.to_document_id in kinds
            and edge.from_document_id != edge.to_document_id
            and edge.relation_type not in parameters["loose"]
        ]
        usage = _Usage(Counter((key[1], pair) for key, pair in looked_at), Counter(kinds.values()), parameters)
        findings = [
            self.finding(
                relationships=(key,),
                sentence=f"{graph.sentence(key)} goes from {pair[0]} to {pair[1]}; {odd}",
            )
            for key, pair in graph.each(looked_at)
            if (odd := usage.objection(key[1], pair))
        ]
        return Outcome(
            len(looked_at),
            findings,
            "" if looked_at else "no relationship (loose ones aside) is between documents that have a type",
        )


class _Usage:
    """How often each type connects each pair of kinds."""

    def __init__(self, counts: Counter[tuple[str, Pair]], n_documents: Counter[str], parameters: Mapping[str, Any]):
        self._counts, self._n_documents, self._parameters = counts, n_documents, parameters
        self._by_type: dict[str, Counter[Pair]] = {}
        for (via, pair), n in counts.items():
            self._by_type.setdefault(via, Counter())[_class(pair)] += n
        self._usual = {via: min(pairs, key=lambda p: (-pairs[p], p)) for via, pairs in self._by_type.items()}
        self._totals = {via: pairs.total() for via, pairs in self._by_type.items()}

    def objection(self, via: str, pair: Pair) -> str:
        """What the others of the type do instead; empty where they do not agree, or agree with this one."""
        if min(self._n_documents[kind] for kind in pair) < self._parameters["min_documents"]:
            return ""
        return self._other_direction(via, pair) or self._other_pair(via, pair)

    def _other_direction(self, via: str, pair: Pair) -> str:
        if pair[0] == pair[1] or is_succession(via):
            return ""
        agree = self._counts[via, (pair[1], pair[0])]
        others = self._counts[via, pair] - 1 + agree
        said = f"of the {others:,} others of the type {via} between the two go from {pair[1]} to {pair[0]}"
        return f"{agree:,} {said}" if self._convincing(agree, others) else ""

    def _other_pair(self, via: str, pair: Pair) -> str:
        usual = self._usual[via]
        if usual == _class(pair) or (is_succession(via) and usual == pair[::-1]):
            return ""
        agree, others = self._by_type[via][usual], self._totals[via] - 1
        how = "stay within one document type" if usual == _WITHIN else f"go from {usual[0]} to {usual[1]}"
        said = f"of the {others:,} others of the type {via} {how}"
        return f"{agree:,} {said}" if self._convincing(agree, others) else ""

    def _convincing(self, agree: int, others: int) -> bool:
        return most_agree(agree, others, share=self._parameters["share"], least=self._parameters["min_others"])


def _class(pair: Pair) -> Pair:
    return _WITHIN if pair[0] == pair[1] else pair


build = UnusualPair
