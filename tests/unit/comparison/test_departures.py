"""Why something left, cause by cause, over corpora in which nothing else can be the reason."""

from __future__ import annotations

from typing import Any

import pytest

from docgraph.domain.baselines import PLAIN, baseline_request
from docgraph.domain.comparison import Comparison, Removal
from docgraph.domain.request import RetrievalRequest
from tests.builders import prepared
from tests.corpora import EMBEDDER, Corpus, corpus
from tests.unit.comparison.side_runs import compared, opened, side

LINKED = corpus(
    ("a", ["queue retry", "queue hold"], [("explains", "x"), ("implements", "y")]),
    ("b", ["queue sailing"], []),
    ("c", ["queue budget alarm"], []),
    ("x", ["gateway"], []),
    ("y", ["slot"], []),
)
BASE = RetrievalRequest(query="queue", max_documents=4, max_expanded=2, max_expanding_seeds=1, seed_signal="mean")
FULL = {"use_relationships": True}


def find(of: Corpus, a: dict[str, Any], b: dict[str, Any]) -> Comparison:
    with opened(of) as dg:
        requests = [RetrievalRequest.model_validate(BASE.model_dump() | fields) for fields in (a, b)]
        return compared(dg, *requests)


def why(found: Comparison, document_id: str) -> Removal:
    [row] = [d for d in found.documents if d.document_id == document_id]
    assert row.left_because is not None
    return row.left_because


@pytest.mark.parametrize(
    ("b", "document_id", "departure"),
    [
        (
            {"use_relationships": False, "max_documents": 2},
            "x",
            Removal(cause="relationships_off", relation_types=("explains",)),
        ),
        ({"relation_types": ("implements",)}, "x", Removal(cause="type_off", relation_types=("explains",))),
        (
            {"overrides": {"without_types": ["explains"]}},
            "x",
            Removal(cause="type_off", relation_types=("explains",)),
        ),
        (
            {"overrides": {"without_edges": [("a", "implements", "y")]}},
            "y",
            Removal(cause="edge_off", relation_types=("implements",)),
        ),
        ({"max_fan_out": 1}, "y", Removal(cause="max_fan_out", value=1)),
        ({"max_expanded": 1}, "y", Removal(cause="max_expanded", value=1, place=2)),
        (
            {"max_expanded": 0, "evidence_rule": "one_per_document", "max_documents": 2},
            "x",
            Removal(cause="max_expanded", value=0, relation_types=("explains",)),
        ),
        ({"overrides": {"dropped_seed_ids": ["c"]}}, "c", Removal(cause="seed_dropped")),
        ({"seed_document_ids": ("a",)}, "c", Removal(cause="not_reached")),
        (
            {"seed_document_ids": ("b",), "evidence_rule": "one_per_document"},
            "x",
            Removal(cause="seed_gone", relation_types=("explains",)),
        ),
        ({"max_documents": 3}, "c", Removal(cause="max_seeds", value=1, place=2)),
    ],
)
def test_a_document_that_left_names_what_stopped_it(b: dict[str, Any], document_id: str, departure: Removal) -> None:
    assert why(find(LINKED, FULL, b), document_id) == departure


def test_a_seed_that_does_not_expand_is_named_by_its_limit() -> None:
    of = corpus(
        ("a", ["queue"], [("explains", "x")]),
        ("b", ["queue sailing"], [("explains", "y")]),
        ("x", ["gateway"], []),
        ("y", ["slot"], []),
    )
    named = {"seed_document_ids": ("a", "b")}
    found = find(of, named | {"max_expanding_seeds": 2}, named)
    assert why(found, "y") == Removal(cause="max_expanding_seeds", value=1, relation_types=("explains",))


def test_a_seed_that_does_not_expand_is_no_seed_that_is_gone_when_nothing_expands() -> None:
    """It stands in the plan as it did: the sentence said its seed was gone."""
    of = corpus(("a", ["queue"], []), ("b", ["queue sailing"], [("explains", "y")]), ("y", ["slot"], []))
    named = {"seed_document_ids": ("a", "b")}
    found = find(of, named | {"max_expanding_seeds": 2}, named)
    assert found.b.run.plan.expanded_documents == ()
    assert why(found, "y") == Removal(cause="max_expanding_seeds", value=1, relation_types=("explains",))


def test_seeds_that_take_every_place_leave_none_to_related_documents() -> None:
    found = find(LINKED, FULL, {"max_expanded": None, "max_seeds": 3, "max_documents": 3})
    assert why(found, "x") == Removal(cause="max_expanded", value=0, relation_types=("explains",))


def test_a_document_that_too_many_link_to_leaves_by_that_share() -> None:
    others = [(f"d{i:02}", ["queue sailing"], [("explains", "x")]) for i in range(12)]
    found = find(corpus(*others, ("x", ["gateway"], [])), {"max_linked_percent": 100}, {"max_linked_percent": 50})
    assert why(found, "x") == Removal(cause="max_linked_percent", value=50)


def test_outside_a_filter_by_scope_is_named() -> None:
    kinds = {"a": "design", "b": "design", "c": "decision"}
    of = Corpus(tuple(prepared(i, ["queue"], doc_type=kind, embedder=EMBEDDER) for i, kind in kinds.items()))
    found = find(of, {}, {"scope_mode": "filter", "scope_field": "doc_type"})
    assert found.b.run.plan.scope.value == "design"
    assert why(found, "c") == Removal(cause="outside_scope")


def test_plain_vector_search_leaves_a_document_out_by_the_number_of_chunks() -> None:
    with opened(LINKED) as dg:
        found = compared(dg, BASE, baseline_request(BASE.model_copy(update={"max_chunks": 1}), PLAIN))
    assert why(found, "c") == Removal(cause="max_chunks", value=1)
    [chunk] = [c for c in found.chunks_with("left") if c.document_id == "c"]
    assert chunk.left_because is not None
    assert not chunk.left_because.with_document
    assert chunk.left_because.place is not None


def test_a_chunk_that_left_with_its_document_says_so() -> None:
    found = find(LINKED, FULL, {"overrides": {"without_types": ["explains"]}})
    [chunk] = [c for c in found.chunks_with("left") if c.document_id == "x"]
    assert chunk.left_because == Removal(cause="type_off", relation_types=("explains",), with_document=True)


def test_the_limit_of_its_document_comes_before_the_total() -> None:
    """A third chunk of a document stays out at a limit of two, however far the total would go."""
    of = corpus(("a", ["queue", "queue hold", "queue hold retry"], [("explains", "x")]), ("x", ["slot"], []))
    found = find(of, {"use_relationships": False}, {"max_chunks_per_document": 2, "evidence_rule": "one_per_document"})
    [chunk] = found.chunks_with("left")
    assert chunk.left_because is not None
    assert (chunk.chunk_id, chunk.left_because.cause, chunk.left_because.place) == ("a#2", "max_chunks_per_document", 3)
    assert chunk.left_because.below is not None
    assert chunk.left_because.below > 0


def test_the_first_chunk_of_a_waiting_document_comes_in_by_the_place_of_its_document() -> None:
    whole = {"evidence_rule": "one_per_document"}
    found = find(LINKED, {**whole, "max_chunks": 10}, {**whole, "max_chunks": 2})
    places = {c.chunk_id: c.left_because for c in found.chunks_with("left")}
    assert places["x#0"] == Removal(cause="max_chunks", value=2, place=3)
    assert places["y#0"] == Removal(cause="max_chunks", value=2, place=4)
    behind = places["a#1"]
    assert behind is not None
    assert (behind.place, behind.at_least, behind.below) == (5, False, None)


# ---------------------------------------------------------------- data or question that changed


def test_a_document_that_is_not_stored_any_more_is_gone() -> None:
    with opened(LINKED) as before, opened(Corpus(LINKED.documents[:3])) as after:
        found = before.runs.compare(side(before.run(BASE)), side(after.run(BASE)), gone=["x"])
    assert why(found, "x") == Removal(cause="document_gone")
    assert why(found, "y") == Removal(cause="document_gone"), "B's plan shows it: its edge leads nowhere"
    assert {c.left_because.cause for c in found.chunks_with("left") if c.left_because} == {"document_gone"}


def test_a_chunk_that_its_rewritten_document_does_not_have_any_more_is_gone() -> None:
    shorter = Corpus(
        (*corpus(("a", ["queue retry"], [("explains", "x"), ("implements", "y")])).documents, *LINKED.documents[1:])
    )
    with opened(LINKED) as before, opened(shorter) as after:
        found = before.runs.compare(side(before.run(BASE)), side(after.run(BASE)))
    [chunk] = found.chunks_with("left")
    assert (chunk.chunk_id, chunk.left_because) == ("a#1", Removal(cause="chunk_gone"))


def test_after_a_change_of_the_data_a_place_is_a_lower_bound_and_of_another_question_there_is_none() -> None:
    more = Corpus((*LINKED.documents, *corpus(("n", ["queue"], [])).documents))
    flat = BASE.model_copy(update={"use_relationships": False, "max_chunks": 2, "evidence_rule": "one_per_document"})
    other = flat.model_copy(update={"query": "slot"})
    with opened(LINKED) as before, opened(more) as after:
        grown = before.runs.compare(side(before.run(flat)), side(after.run(flat)))
        asked = compared(before, flat, other)
    [chunk] = grown.chunks_with("left")
    assert chunk.left_because == Removal(cause="max_chunks", value=2, place=3, at_least=True)
    assert {c.left_because for c in asked.chunks_with("left")} == {Removal(cause="max_chunks", value=2)}


def test_a_type_that_gives_reasons_only_in_b_is_named() -> None:
    """By the types that brought the document into A: what was a reason beside them brought nothing in."""
    with opened(LINKED) as dg:
        a = dg.run(RetrievalRequest.model_validate(BASE.model_dump() | FULL))
        dg.relationships.set_type_role("explains", "reasons_only")
        b = dg.run(RetrievalRequest.model_validate(BASE.model_dump() | FULL))
        found = dg.runs.compare(side(a, "a"), side(b, "b"))
    assert why(found, "x") == Removal(cause="reasons_only", relation_types=("explains",))
