"""Why a document is in, and every way in which it can be out."""

from __future__ import annotations

import pytest

from docgraph.domain.explanation import Explanation
from docgraph.domain.request import RetrievalRequest
from docgraph.errors import NotFoundError
from docgraph.planning.explanation import explain
from tests.corpora import Corpus, corpus, plan_of, probe

WORLD = corpus(
    ("a", ["queue queue"], [("explains", "b"), ("implements", "b"), ("decision_for", "typed"), ("explains", "cut")]),
    ("b", ["queue payment"], [("explains", "second")]),
    ("cut", ["slot"], []),
    ("second", ["alarm"], []),
    ("typed", ["sailing"], []),
    ("back", ["gateway"], [("explains", "a")]),
    ("alone", ["budget"], []),
)
REQUEST = {
    "query": "queue",
    "seed_signal": "chunk",
    "max_documents": 2,
    "max_expanded": 1,
    "relation_types": ("explains", "implements"),
}


def why(document_id: str, world: Corpus = WORLD, **fields: object) -> Explanation:
    request = RetrievalRequest.model_validate({**REQUEST, **fields})
    with world.reading() as snapshot:
        return explain(request, document_id, probe(request.query), snapshot)


def kinds(document_id: str, **fields: object) -> list[str]:
    return [o.kind for o in why(document_id, **fields).obstacles]


def test_a_seed_is_in_by_its_own_rank() -> None:
    answer = why("a")
    assert (answer.in_plan, answer.role, answer.place, answer.rank) == (True, "seed", 1, 1)


def test_an_expanded_document_is_in_for_all_its_reasons() -> None:
    answer = why("b")
    assert (answer.role, answer.place) == ("expanded", 2)
    assert [(r.via, r.from_document_id) for r in answer.reasons] == [("explains", "a"), ("implements", "a")]
    assert "2 relationships" in answer.sentence


def test_a_document_cut_by_a_limit_is_told_which_and_where_it_would_stand() -> None:
    first = why("cut").obstacles[0]
    assert (first.kind, first.limit, first.value, first.place) == ("cut_by_limit", "max_expanded", 1, 3)
    assert "would be 3rd" in first.text


def test_every_remedy_for_a_limit_brings_the_document_in() -> None:
    """The one-click what-if must keep its word."""
    remedy = why("cut").obstacles[0].remedy
    assert why("cut", **remedy).in_plan


@pytest.mark.parametrize("document_id", ["typed", "second", "back", "alone", "cut"])
def test_the_remedy_of_the_own_rank_brings_any_document_in(document_id: str) -> None:
    remedy = why(document_id).obstacles[-1].remedy
    assert why(document_id, **remedy).in_plan


def test_a_type_that_is_off_is_named_and_its_remedy_switches_it_on() -> None:
    first = why("typed").obstacles[0]
    assert first.kind == "type_off"
    assert "decision_for" in first.text
    assert "decision_for" in first.remedy["relation_types"]


def test_a_document_two_hops_away_is_told_so_with_the_way() -> None:
    first = why("second").obstacles[0]
    assert first.kind == "two_hops"
    assert first.edges == (("a", "explains", "b"), ("a", "implements", "b"), ("b", "explains", "second"))


def test_a_document_that_only_points_at_a_seed_is_told_so() -> None:
    assert kinds("back")[0] == "incoming_only"


def test_a_document_without_any_edge_is_told_its_rank() -> None:
    answer = why("alone")
    assert kinds("alone") == ["no_edge", "cut_by_limit"]
    assert answer.rank is not None
    assert f"rank {answer.rank}" in answer.sentence


def test_with_relationships_off_the_edge_that_would_have_led_to_it_is_shown() -> None:
    world = corpus(("a", ["queue"], [("explains", "b")]), ("b", ["payment slot"], []))
    answer = why("b", world, use_relationships=False, max_documents=1)
    assert answer.obstacles[0].kind == "relationships_off"
    assert answer.obstacles[0].edges == (("a", "explains", "b"),)


def test_an_edge_from_a_seed_that_does_not_expand_is_named() -> None:
    world = corpus(
        ("a", ["queue"], [("explains", "x")]),
        ("b", ["queue hold"], [("explains", "y")]),
        ("x", ["payment"], []),
        ("y", ["payment slot"], []),
    )
    answer = why("y", world, max_documents=3, max_expanded=1, max_expanding_seeds=1)
    assert answer.obstacles[0].kind == "from_non_expanding_seed"
    assert answer.obstacles[0].remedy == {"max_expanding_seeds": 2}


def test_an_unknown_document_is_refused() -> None:
    with pytest.raises(NotFoundError, match="'nobody'"):
        why("nobody")


def test_every_document_outside_the_plan_gets_at_least_one_obstacle() -> None:
    with WORLD.reading() as snapshot:
        inside = plan_of(RetrievalRequest.model_validate(REQUEST), snapshot).document_ids
    for document in WORLD.documents:
        answer = why(document.document.document_id)
        assert answer.in_plan == (document.document.document_id in inside)
        assert bool(answer.obstacles) != answer.in_plan


def test_the_signal_that_a_rank_belongs_to_is_named() -> None:
    assert why("alone").signal == "chunk"
    assert why("alone", seed_signal="hybrid").signal == "hybrid"


def test_by_the_preset_literal_the_remedy_of_a_cut_is_a_request_of_that_preset() -> None:
    """It named a number of related places, which that preset does not have."""
    fields = {"preset": "literal", "max_documents": 3, "max_chunks": 1, "max_expanded": None, "relation_types": None}
    first = why("typed", **fields).obstacles[0]
    assert (first.limit, first.place) == ("max_expanded", 4)
    assert why("typed", **{**fields, **first.remedy}).in_plan


def test_a_document_that_the_question_names_is_in_by_its_name() -> None:
    answer = why("alone", query="what does Alone say", max_documents=1)
    assert (answer.role, answer.place) == ("seed", 1)
    assert "named in the question (“Alone”)" in answer.sentence


def test_a_target_that_too_many_documents_link_to_says_how_many_and_how_to_let_it_in() -> None:
    linking = [(f"d{i:02}", ["alarm"], [("explains", "licence")]) for i in range(12)]
    world = corpus(("a", ["queue"], [("explains", "licence")]), ("licence", ["payment"], []), *linking)
    limits = {"max_documents": 2, "max_expanded": 1}
    answer = why("licence", world, **limits)
    assert not answer.in_plan
    assert answer.obstacles[0].limit == "max_linked_percent"
    assert "linked by 13 of 14 documents" in answer.sentence
    assert why("licence", world, **limits, **answer.obstacles[0].remedy).in_plan
