"""What a large share of all documents link to takes no place among the related ones, and the plan says so."""

from __future__ import annotations

from typing import Any

import pytest

from docgraph.domain.plan import RetrievalPlan
from docgraph.domain.request import MIN_LINKING, RetrievalRequest
from docgraph.planning.limits import decide_limits
from tests.corpora import Corpus, corpus, plan_of


def world(n_linking: int, *, n_others: int = 0, via: str = "references") -> Corpus:
    """``first`` and others link to ``licence``; ``first`` explains ``rule`` too."""
    return corpus(
        ("first", ["queue"], [("explains", "rule"), ("references", "licence")]),
        ("licence", ["payment queue"], []),
        ("rule", ["slot"], []),
        *((f"l{i:03}", ["alarm"], [(via, "licence")]) for i in range(n_linking - 1)),
        *((f"o{i:03}", ["budget"], []) for i in range(n_others)),
    )


def plan(of: Corpus, **fields: Any) -> RetrievalPlan:
    base = {"query": "queue", "seed_signal": "chunk", "max_documents": 2, "max_expanded": 1, "find_names": False}
    with of.reading() as snapshot:
        return plan_of(RetrievalRequest.model_validate({**base, **fields}), snapshot)


def test_it_takes_no_place_though_it_is_the_most_similar_neighbour_and_the_plan_counts_who_links_to_it() -> None:
    found = plan(world(20))
    assert found.document_ids == ("first", "rule")
    [cut] = [c for c in found.cut if c.limit == "max_linked_percent"]
    assert (cut.document_id, cut.value, cut.linked_by, cut.n_documents) == ("licence", 25, 20, 22)
    assert [(r.via, r.from_document_id) for r in cut.reasons] == [("references", "first")]
    assert ("max_linked_percent", 1, 2) in [(t.limit, t.kept, t.total) for t in found.cut_totals]
    assert found.constraints.max_linked_percent == 25


@pytest.mark.parametrize("fields", [{"max_linked_percent": 100}, {"max_linked_percent": 95}])
def test_a_request_lifts_it(fields: dict[str, Any]) -> None:
    found = plan(world(20), **fields)
    assert found.expanded_document_ids == ("licence",)
    assert [c for c in found.cut if c.linked_by is not None] == []


def test_the_share_itself_is_still_allowed() -> None:
    """25 % is not more than 25 %: 11 of 44 documents, then 11 of 43."""
    assert plan(world(11, n_others=31)).expanded_document_ids == ("licence",)
    assert plan(world(11, n_others=30)).expanded_document_ids == ("rule",)


def test_a_handful_of_links_makes_no_boilerplate_in_a_small_corpus() -> None:
    assert plan(world(MIN_LINKING)).expanded_document_ids == ("licence",)
    assert plan(world(MIN_LINKING + 1)).expanded_document_ids == ("rule",)


def test_links_count_over_the_types_that_the_plan_follows() -> None:
    other = world(20, via="mentions")
    assert plan(other).expanded_document_ids == ("rule",)
    assert plan(other, relation_types=("explains", "references")).expanded_document_ids == ("licence",)


def test_it_takes_no_place_in_the_fan_out_of_its_seed_either() -> None:
    assert plan(world(20), max_fan_out=1).expanded_document_ids == ("rule",)


def test_it_may_be_a_seed_by_itself() -> None:
    """The limit is on links, and a seed needs none; its edge from another seed is kept for the record."""
    found = plan(world(20), max_documents=4, max_seeds=3, max_expanding_seeds=1)
    licence = next(seed for seed in found.seed_documents if seed.document_id == "licence")
    assert [(r.via, r.from_document_id) for r in licence.reasons] == [("references", "first")]


def test_literal_knows_no_boilerplate() -> None:
    fields = {"preset": "literal", "max_documents": None, "max_expanded": None, "max_chunks": 1}
    assert set(plan(world(20), **fields).expanded_document_ids) == {"licence", "rule"}


@pytest.mark.parametrize(
    ("linked_by", "n_documents", "percent", "is_boilerplate"),
    [(551, 949, 25, True), (11, 44, 25, False), (12, 44, 25, True), (10, 10, 1, False), (500, 500, 100, False)],
)
def test_boilerplate_is_more_than_a_share_and_more_than_a_handful(
    linked_by: int, n_documents: int, percent: int, *, is_boilerplate: bool
) -> None:
    limits = decide_limits(RetrievalRequest(query="q", max_linked_percent=percent))
    assert limits.is_boilerplate(linked_by, n_documents) is is_boilerplate
