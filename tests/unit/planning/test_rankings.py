"""A plan says how its question was ranked: with that, plans over other relationships are what they would be anew."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings

from docgraph.domain.plan import MAX_CUTS
from docgraph.domain.request import RetrievalRequest
from docgraph.orchestration.caches import Known, ranked
from docgraph.planning.planner import make_plan
from docgraph.planning.seeds import NOTHING, Ranking, ranking_of
from docgraph.ports import Probe, Snapshot
from tests.corpora import EMBEDDER, Corpus, any_requests, corpus
from tests.unit.curation.edited_worlds import World, edited_corpora

PLENTY = corpus(
    *(
        (f"d{i:02}", [f"queue {word} retry"], [("explains", "far" if i == 2 else f"d{(i + 7) % 40:02}")])
        for i, word in enumerate("abcdefghij" * 4)
    ),
    ("far", ["budget alarm"], []),
)


class Counting:
    """A snapshot that counts how often it ranks."""

    def __init__(self, below: Snapshot) -> None:
        self.below, self.n = below, 0

    def at_once(self, *reads: Any) -> tuple[Any, ...]:
        self.n += sum(each.name.startswith("rank_") for each in reads)
        return self.below.at_once(*reads)

    def __getattr__(self, name: str) -> Any:
        self.n += name.startswith("rank_")
        return getattr(self.below, name)


def probe_of(request: RetrievalRequest) -> Probe:
    return Probe(EMBEDDER.embed([request.query])[0], request.query)


def planned(world: Corpus, request: RetrievalRequest, ranking: Ranking) -> tuple[str, int]:
    """The plan as JSON, and how often was ranked for it."""
    with world.reading() as snapshot:
        counting: Any = Counting(snapshot)
        plan = make_plan(request, probe_of(request), ranked(counting, Known(ranking)))
        return plan.model_dump_json(), counting.n


@settings(max_examples=150, deadline=None)
@given(edited_corpora(), any_requests())
def test_a_plan_over_other_relationships_by_a_kept_ranking_is_the_one_that_is_made_anew(
    world: World, request: RetrievalRequest
) -> None:
    """Byte for byte, over every limit, signal and preset, whatever was edited."""
    before, _, after = world
    with before.reading() as snapshot:
        there = make_plan(request, probe_of(request), snapshot)
    with after.reading() as snapshot:
        expected = make_plan(request, probe_of(request), snapshot).model_dump_json()
        kept = ranking_of(there, request, snapshot)
    assert planned(after, request, kept)[0] == expected
    assert planned(after, request, NOTHING)[0] == expected


@pytest.mark.parametrize("signal", ["hybrid", "mean", "summary", "chunk"])
@pytest.mark.parametrize("fields", [{}, {"mode": "fast"}, {"max_documents": 12, "max_fan_out": 5}])
def test_a_question_whose_neighbours_are_known_is_not_ranked_again(signal: str, fields: dict[str, Any]) -> None:
    """By no trip to the store: the plan named everybody."""
    request = RetrievalRequest.model_validate({"query": "queue c retry", "seed_signal": signal, **fields})
    with PLENTY.reading() as snapshot:
        there = make_plan(request, probe_of(request), snapshot)
        kept = ranking_of(there, request, snapshot)
    assert planned(PLENTY, request, kept) == (there.model_dump_json(), 0)
    bare = PLENTY.without_relationships()
    assert planned(bare, request, kept) == (planned(bare, request, NOTHING)[0], 0)


def test_a_neighbour_that_no_plan_named_is_ranked_and_then_known() -> None:
    request = RetrievalRequest(query="queue c retry", max_documents=4)
    bare = PLENTY.without_relationships()
    with bare.reading() as snapshot:
        known = Known(ranking_of(make_plan(request, probe_of(request), snapshot), request, snapshot))
    with PLENTY.reading() as snapshot:
        expected = make_plan(request, probe_of(request), snapshot)
        assert {d.document_id for d in expected.expanded_documents} - {d.document_id for d in known.ranking.documents}
        counting: Any = Counting(snapshot)
        found = [make_plan(request, probe_of(request), ranked(counting, known)) for _ in range(3)]
    assert (found, counting.n) == ([expected] * 3, 1)


@pytest.mark.parametrize(
    "fields",
    [
        {"preset": "literal"},
        {"scope_mode": "filter"},
        {"seed_document_ids": ("d00", "d39")},
        {"overrides": {"dropped_seed_ids": ("d02",)}},
    ],
)
def test_a_plan_that_does_not_name_all_that_it_was_decided_by_says_nothing(fields: dict[str, Any]) -> None:
    """Plain chunk search, a filter, seeds by name alone, a first document that was left out."""
    request = RetrievalRequest.model_validate({"query": "queue c retry", **fields})
    with PLENTY.reading() as snapshot:
        there = make_plan(request, probe_of(request), snapshot)
        assert ranking_of(there, request, snapshot) == NOTHING


def test_a_plan_whose_list_of_cuts_was_cut_itself_says_nothing() -> None:
    request = RetrievalRequest(query="queue c retry")
    with PLENTY.reading() as snapshot:
        there = make_plan(request, probe_of(request), snapshot)
        assert ranking_of(there, request, snapshot) != NOTHING
        many = there.model_copy(update={"cut": (there.cut * MAX_CUTS)[:MAX_CUTS]})
        assert ranking_of(many, request, snapshot) == NOTHING


def test_the_import_of_a_document_is_read_today_because_no_revision_covers_it() -> None:
    """A scope is labelled by it."""
    request = RetrievalRequest(query="queue c retry", scope_field="ingestion_id")
    moved = Corpus(tuple(_imported(each, "notes") for each in PLENTY.documents))
    with PLENTY.reading() as snapshot:
        there = make_plan(request, probe_of(request), snapshot)
    with moved.reading() as snapshot:
        kept = ranking_of(there, request, snapshot)
        expected = make_plan(request, probe_of(request), snapshot)
    assert (there.scope.value, expected.scope.value) == ("", "notes")
    assert planned(moved, request, kept) == (expected.model_dump_json(), 0)


def _imported(prepared: Any, ingestion_id: str) -> Any:
    return replace(prepared, document=prepared.document.model_copy(update={"ingestion_id": ingestion_id}))
