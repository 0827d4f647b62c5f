"""Filters in plans: seeds come from the documents that meet them, related ones stay out by name, nothing is silent."""

from __future__ import annotations

from typing import Any

from hypothesis import given

from docgraph.domain.graph import PreparedDocument
from docgraph.domain.plan import RetrievalPlan
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.where import as_where, facets_of_document, meets
from docgraph.planning.explanation import explain
from docgraph.verification.contract import _outside_the_filter
from tests.builders import prepared
from tests.corpora import EMBEDDER, Corpus, any_requests, corpora, plan_of, probe


def library() -> Corpus:
    def one(document_id: str, status: str, text: str, *edges: tuple[str, str]) -> PreparedDocument:
        return prepared(document_id, [text], edges=edges, embedder=EMBEDDER, metadata={"status": status})

    return Corpus(
        (
            one("new", "accepted", "queue hold", ("explains", "draft"), ("explains", "other")),
            one("old", "superseded", "queue hold retry"),
            one("draft", "draft", "sailing"),
            one("other", "accepted", "route"),
            one("far", "accepted", "budget"),
        )
    )


def planned(**fields: Any) -> RetrievalPlan:
    with library().reading() as snapshot:
        return plan_of(RetrievalRequest(query="queue hold", max_documents=3, **fields), snapshot)


def test_without_a_filter_everybody_takes_part() -> None:
    plan = planned()
    assert {"new", "old"} <= set(plan.document_ids)
    assert "where" not in plan.model_dump(mode="json")["constraints"]


def test_documents_that_do_not_meet_it_take_no_place_and_are_counted_and_named() -> None:
    plan = planned(where="status=accepted")
    assert set(plan.document_ids) == {"new", "other", "far"}
    assert plan.constraints.where is not None
    assert plan.constraints.where.words == "status=accepted"
    [total] = [each for each in plan.cut_totals if each.limit == "where"]
    assert (total.kept, total.total) == (3, 5)
    [cut] = [each for each in plan.cut if each.limit == "where"]
    assert (cut.document_id, [reason.via for reason in cut.reasons]) == ("draft", ["explains"])


def test_it_may_concern_seeds_or_related_documents_alone() -> None:
    conditions = ["status=accepted"]
    seeds = planned(where={"conditions": conditions, "applies_to": "seeds"})
    assert "old" not in seeds.document_ids
    assert "draft" in seeds.document_ids
    related = planned(where={"conditions": conditions, "applies_to": "related"})
    assert "old" in related.document_ids
    assert "draft" not in related.document_ids
    [total] = [each for each in related.cut_totals if each.limit == "where"]
    assert (total.kept, total.total) == (1, 2)


def test_a_seed_that_is_named_by_id_is_there_whatever_the_filter_says() -> None:
    plan = planned(where="status=accepted", seed_document_ids=("old",))
    assert plan.seed_document_ids == ("old",)


def test_a_document_that_the_question_names_has_to_meet_it() -> None:
    with library().reading() as snapshot:
        request = RetrievalRequest(query="What does “Old” say of the queue?", where="status=accepted")
        plan = plan_of(request, snapshot)
        assert "old" not in plan.document_ids
        assert ("old", "where") in [(each.document_id, each.limit) for each in plan.cut]


def test_why_not_says_what_the_document_has_instead() -> None:
    with library().reading() as snapshot:
        for document_id, said in (("draft", "status = draft"), ("old", "status = superseded")):
            request = RetrievalRequest(query="queue hold", max_documents=3, where="status=accepted")
            why = explain(request, document_id, probe("queue hold"), snapshot)
            [obstacle] = [each for each in why.obstacles if each.kind == "outside_where"]
            assert obstacle.text == f"it does not meet the filter status=accepted (it has {said})"
            assert obstacle.remedy == {"where": None}


@given(corpora(), any_requests())
def test_whoever_is_in_meets_the_filter_that_concerns_it(corpus: Corpus, request: RetrievalRequest) -> None:
    with corpus.reading() as snapshot:
        plan = plan_of(request, snapshot)
        stored = snapshot.documents_by_id(plan.document_ids)
        facets = {i: facets_of_document(document) for i, document in stored.items()}
        if request.where is None:
            assert "where" not in {each.limit for each in (*plan.cut, *plan.cut_totals)}
            return
        assert all(meets(request.where.of_seeds, facets[i]) for i in plan.seed_document_ids)
        assert all(meets(request.where.of_related, facets[each.document_id]) for each in plan.expanded_documents)


def test_the_contract_holds_every_planned_document_against_the_filter() -> None:
    with library().reading() as snapshot:
        plan = plan_of(RetrievalRequest(query="queue hold", max_documents=3, where="status=accepted"), snapshot)
        assert _outside_the_filter(plan, snapshot) == []
        other = plan.constraints.model_copy(update={"where": as_where("status=draft")})
        broken = plan.model_copy(update={"constraints": other})
        assert _outside_the_filter(broken, snapshot) == list(plan.document_ids)
