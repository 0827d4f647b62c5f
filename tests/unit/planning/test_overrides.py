"""What-ifs in planning and explanation, one by one; a plan never carries what it was told to leave out."""

from __future__ import annotations

import json
from typing import Any

import pytest

from docgraph.domain.frozen import fingerprint
from docgraph.domain.plan import RetrievalPlan, parse_plan
from docgraph.domain.request import RetrievalRequest
from docgraph.errors import NotFoundError, PlanError
from docgraph.planning.explanation import explain
from tests.builders import prepared
from tests.corpora import EMBEDDER, Corpus, corpus, plan_of, probe

SMALL = corpus(
    ("a", ["queue retry"], [("explains", "x"), ("implements", "x"), ("explains", "y")]),
    ("b", ["queue sailing"], [("explains", "y")]),
    ("c", ["queue budget alarm"], []),
    ("d", ["queue hold"], []),
    ("e", ["queue route"], []),
    ("x", ["gateway"], []),
    ("y", ["slot"], []),
)
BASE = RetrievalRequest(
    query="queue", max_documents=4, max_expanded=2, max_expanding_seeds=1, max_chunks=5, seed_signal="mean"
)


def asked(**overrides: Any) -> RetrievalRequest:
    return RetrievalRequest.model_validate({**BASE.model_dump(), "overrides": overrides})


def planned(**overrides: Any) -> RetrievalPlan:
    with SMALL.reading() as snapshot:
        return plan_of(asked(**overrides), snapshot)


def test_one_of_two_edges_off_leaves_the_document_in_with_the_other_as_its_reason() -> None:
    plan = planned(without_edges=[("a", "explains", "x")])
    [x] = [d for d in plan.expanded_documents if d.document_id == "x"]
    assert [(r.via, r.from_document_id) for r in x.reasons] == [("implements", "a")]


def test_the_last_edge_off_takes_the_document_out_and_its_place_goes_on() -> None:
    assert planned().expanded_document_ids == ("x", "y")
    plan = planned(without_edges=[("a", "explains", "y")])
    assert plan.expanded_document_ids == ("x",)
    assert len(plan.seed_document_ids) == len(planned().seed_document_ids) + 1


def test_the_plan_carries_its_what_ifs_and_has_another_id() -> None:
    plan = planned(without_types=["explains"])
    assert plan.constraints.overrides.without_types == ("explains",)
    assert plan.plan_id != planned().plan_id
    assert parse_plan(plan.model_dump_json()) == plan


def test_an_added_seed_expands_like_any_other() -> None:
    plan = planned(added_seed_ids=["b"])
    assert plan.seed_document_ids[0] == "b"
    assert ("b", "explains", "y") in plan.edges


def test_a_dropped_seed_can_still_come_in_over_an_edge() -> None:
    of = corpus(("a", ["queue"], [("explains", "b")]), ("b", ["queue"], []), ("c", ["queue sailing"], []))
    with of.reading() as snapshot:
        plan = plan_of(asked(dropped_seed_ids=["b"]), snapshot)
    assert "b" not in plan.seed_document_ids
    assert plan.expanded_document_ids == ("b",)


def test_an_added_seed_that_is_not_stored_is_refused_by_name() -> None:
    with pytest.raises(NotFoundError, match="'nobody', named as a seed"):
        planned(added_seed_ids=["nobody"])


def test_dropping_seeds_inside_a_scope_lets_the_next_ones_in() -> None:
    """A hundred dropped seeds once emptied the candidates of a filtered plan."""
    ids = [f"d{i:03}" for i in range(60)]
    of = Corpus(tuple(prepared(i, ["queue"], doc_type="design", embedder=EMBEDDER) for i in ids))
    request = asked(dropped_seed_ids=ids[:50]).model_copy(update={"scope_mode": "filter", "scope_field": "doc_type"})
    with of.reading() as snapshot:
        assert set(plan_of(request, snapshot).seed_document_ids) <= set(ids[50:])
        assert plan_of(request, snapshot).seed_document_ids


@pytest.mark.parametrize("hidden", [{"without_edges": [["a", "explains", "x"]]}, {"without_types": ["implements"]}])
def test_a_plan_that_carries_an_edge_it_leaves_out_is_refused(hidden: dict[str, Any]) -> None:
    """Even when its id fits: somebody wrote it by hand."""
    content = json.loads(planned().model_dump_json())
    content["constraints"]["overrides"] |= hidden
    del content["plan_id"]
    content["plan_id"] = fingerprint(content)
    with pytest.raises(PlanError, match="that the plan itself leaves out"):
        parse_plan(json.dumps(content))


# ---------------------------------------------------------------- explanation


def answer(document_id: str, **overrides: Any) -> dict[str, Any]:
    """Kind of obstacle → the obstacle."""
    with SMALL.reading() as snapshot:
        found = explain(asked(**overrides), document_id, probe(BASE.query), snapshot)
    return {obstacle.kind: obstacle for obstacle in found.obstacles}


@pytest.mark.parametrize(
    ("hidden", "n_edges"),
    [
        ({"without_types": ["explains", "implements"]}, "2 relationships"),
        ({"without_edges": [("a", "explains", "x"), ("a", "implements", "x")]}, "2 relationships"),
        ({"without_types": ["explains"], "without_edges": [("a", "implements", "x")]}, "2 relationships"),
        ({"without_edges": [("a", "explains", "y")]}, "1 relationship"),
    ],
)
def test_a_hidden_edge_is_named_as_what_keeps_a_document_out(hidden: dict[str, Any], n_edges: str) -> None:
    obstacle = answer("x" if n_edges == "2 relationships" else "y", **hidden)["edge_off"]
    assert obstacle.text == f"{n_edges} to it switched off by this request"
    assert {edge[0] for edge in obstacle.edges} == {"a"}


def test_the_remedy_of_a_hidden_edge_brings_the_document_back_and_leaves_other_what_ifs_alone() -> None:
    hidden = {"without_edges": [("a", "explains", "y"), ("a", "implements", "x")], "dropped_seed_ids": ["c"]}
    remedy = answer("y", **hidden)["edge_off"].remedy
    assert remedy["overrides"]["dropped_seed_ids"] == ["c"]
    request = RetrievalRequest.model_validate({**BASE.model_dump(), **remedy})
    assert request.overrides.without_edges == (("a", "implements", "x"),)
    with SMALL.reading() as snapshot:
        assert "y" in plan_of(request, snapshot).expanded_document_ids


def test_a_dropped_seed_says_so_and_its_remedy_makes_it_one_again() -> None:
    first = planned().seed_document_ids[0]
    obstacle = answer(first, dropped_seed_ids=[first])["seed_dropped"]
    assert obstacle.text == "this request drops it as a seed"
    request = RetrievalRequest.model_validate({**BASE.model_dump(), **obstacle.remedy})
    with SMALL.reading() as snapshot:
        assert plan_of(request, snapshot).seed_document_ids[0] == first
