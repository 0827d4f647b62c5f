"""A plan ranks once: the ranking of its seeds says what is needed of their neighbours too, and of nobody else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import given, settings

from docgraph.domain.overrides import Overrides
from docgraph.domain.plan import RetrievalPlan
from docgraph.domain.request import RetrievalRequest
from docgraph.ports import Hop, Probe, RankedHop, Snapshot
from tests.corpora import Corpus, corpora, corpus, plan_of, requests

STAR = corpus(
    ("hub", ["queue " * 12], [("explains", "a"), ("implements", "b"), ("explains", "gone")]),
    ("a", ["alarm"], [("explains", "c")]),
    ("b", ["slot"], []),
    ("c", ["payment"], []),
)


class Counting:
    """A snapshot that writes down what was ranked; ``knows_neighbours`` = the hop is taken along."""

    def __init__(self, below: Snapshot, *, knows_neighbours: bool = True) -> None:
        self._below, self._knows, self.rankings = below, knows_neighbours, list[tuple[str, ...]]()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._below, name)

    def rank_documents(self, *arguments: Any, document_ids: Sequence[str] = (), **options: Any) -> Any:
        self.rankings.append(("ranked", *document_ids))
        return self._below.rank_documents(*arguments, document_ids=document_ids, **options)

    def rank_with_neighbours(
        self, probe: Probe, signal: Any, *, limit: int, document_ids: Sequence[str], hop: Hop, **options: Any
    ) -> RankedHop:
        self.rankings.append(("with neighbours of", *hop.first))
        if self._knows:
            return self._below.rank_with_neighbours(
                probe, signal, limit=limit, document_ids=document_ids, hop=hop, **options
            )
        return RankedHop(self._below.rank_documents(probe, signal, limit=limit, document_ids=document_ids, **options))


def planned(where: Corpus, request: RetrievalRequest, **options: Any) -> tuple[RetrievalPlan, list[tuple[str, ...]]]:
    with where.reading() as snapshot:
        counting: Any = Counting(snapshot, **options)
        return plan_of(request, counting), counting.rankings


def request(**fields: Any) -> RetrievalRequest:
    return RetrievalRequest(query="queue", **{"max_seeds": 1, "max_expanding_seeds": 1, **fields})


def test_one_ranking_serves_seeds_and_neighbours() -> None:
    """A neighbour that is not stored is looked up, not ranked; edges come along, so they are not read."""
    plan, rankings = planned(STAR, request(max_documents=3))
    assert (plan.seed_document_ids, set(plan.expanded_document_ids)) == (("hub",), {"a", "b"})
    assert rankings == [("with neighbours of",)]


def test_nothing_is_ranked_that_the_request_does_not_use() -> None:
    for unused in ({"use_relationships": False}, {"max_documents": 1}, {"max_expanding_seeds": 0}):
        assert planned(STAR, request(**unused))[1] == [("ranked",)], unused


def test_seeds_that_the_request_names_or_drops_decide_whose_neighbours_are_ranked() -> None:
    plan, rankings = planned(STAR, request(seed_document_ids=("a",), max_documents=2))
    assert (plan.expanded_document_ids, rankings) == (("c",), [("with neighbours of", "a")])
    other = Overrides(added_seed_ids=("a",), dropped_seed_ids=("hub",))
    plan, rankings = planned(STAR, request(overrides=other, max_documents=2))
    assert (plan.expanded_document_ids, rankings) == (("c",), [("with neighbours of", "a")])


def test_neighbours_that_the_first_ranking_does_not_know_are_ranked_by_a_second_one() -> None:
    """So of a view that hides from its store what it added; documents that are not stored are not asked for."""
    _, rankings = planned(STAR, request(max_documents=3, max_seeds=1), knows_neighbours=False)
    assert rankings[0] == ("with neighbours of",)
    assert rankings[1:] == []  # a small corpus: everybody is among the candidates
    big = Corpus((*STAR.documents, *corpus(*((f"n{i}", ["queue"], []) for i in range(40))).documents))
    plan, rankings = planned(big, request(max_documents=3), knows_neighbours=False)
    assert plan.expanded_document_ids == planned(big, request(max_documents=3))[0].expanded_document_ids == ("a", "b")
    assert rankings == [("with neighbours of",), ("ranked", "a", "b")]


@settings(max_examples=60, deadline=None)
@given(corpora(), requests(scope_mode="label"))
def test_a_plan_is_the_same_however_its_neighbours_were_ranked(where: Corpus, asked: RetrievalRequest) -> None:
    one, rankings = planned(where, asked)
    two, _ = planned(where, asked, knows_neighbours=False)
    assert one == two
    # What a filter keeps out is told with its score, and so is ranked as well.
    assert len(rankings) == 1 or asked.seed_signal == "chunk" or asked.where is not None
