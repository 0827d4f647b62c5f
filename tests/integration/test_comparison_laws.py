"""The laws of comparison on PostgreSQL, over every sample question and every second question about PEPs.

``make corpora`` (``DOCGRAPH_TEST_ALL_QUESTIONS``) asks all of those, too.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from docgraph import Docgraph, RetrievalRequest
from docgraph.domain.baselines import MS3, PLAIN
from docgraph.domain.comparison import ChunkChange, Comparison, Side
from docgraph.domain.run import Run
from docgraph.views.lanes.union import union
from tests.integration.question_sets import Library, part

pytestmark = pytest.mark.timeout(600)


@dataclass(frozen=True)
class Asked:
    """Every question of a set with its run and what changed from both baselines to it; ``more`` = further questions."""

    opened: Docgraph
    runs: tuple[Run, ...]
    against: dict[str, tuple[Comparison, ...]]
    more: tuple[str, ...] = ()

    @property
    def all(self) -> Iterator[Comparison]:
        for comparisons in self.against.values():
            yield from comparisons


RULES = ("passages", "one_per_document")


@pytest.fixture(scope="module", params=[f"{name}, {rule}" for name in ("harbor", "peps-small") for rule in RULES])
def asked(library: Library, request: pytest.FixtureRequest) -> Asked:
    name, rule = request.param.split(", ")
    corpus = library(name)
    opened = corpus.linked
    runs = tuple(
        opened.run({"query": q["query"], "evidence_rule": rule})
        for q in part(corpus.questions, 1 if name == "harbor" else 2)
    )
    sides = [Side(name="run", label="MS5", run=run) for run in runs]
    against = {
        base: tuple(opened.runs.compare(opened.runs.baseline(side.run, base), side) for side in sides)
        for base in (MS3, PLAIN)
    }
    more: tuple[str, ...] = ()
    if name == "peps-small":
        whole = request.getfixturevalue("test_data") / "peps" / "queries.jsonl"
        more = tuple(json.loads(line)["query"] for line in whole.read_text(encoding="utf-8").splitlines() if line)
    return Asked(opened, runs, against, more)


def test_no_score_drifts_in_any_comparison(asked: Asked) -> None:
    assert len(asked.runs) >= 15
    for found in asked.all:
        assert found.score_drift in (0, None)
        assert found.score_drift == 0 or not found.chunks_with("kept")
        assert [check.passed for check in found.checks] == [True]
        assert all(check.passed for side in (found.a, found.b) for check in side.run.contract)
    assert sum(found.score_drift == 0 for found in asked.all) > len(asked.runs)


def test_identical_to_ms3_exactly_where_nothing_expands(asked: Asked) -> None:
    for run, found in zip(asked.runs, asked.against[MS3], strict=True):
        assert found.identical == (not run.plan.expanded_documents)
        assert ("so the result is the same as" in found.why_identical) == found.identical
    assert any(run.plan.expanded_documents for run in asked.runs)


def test_the_other_way_round_is_the_mirror(asked: Asked) -> None:
    for there in asked.against[MS3]:
        back = asked.opened.runs.compare(there.b, there.a)
        assert back.score_drift == there.score_drift
        assert len(back.chunks_with("added")) == len(there.chunks_with("left"))
        assert len(back.documents_with("left")) == len(there.documents_with("added"))
        assert [f.value for f in back.figures] == [f.value for f in there.figures]
        assert [t.difference for t in back.tokens] == [-t.difference for t in there.tokens]


def test_added_and_kept_are_b_and_left_and_kept_are_a(asked: Asked) -> None:
    for found in asked.all:
        for run, change in ((found.a.run, "left"), (found.b.run, "added")):
            rows = {(c.document_id, c.chunk_id) for c in found.chunks if c.change in (change, "kept")}
            assert rows == {(i, c.chunk_id) for i, c in run.context.ranked_chunks}
            assert {d.document_id for d in found.documents if d.change in (change, "kept")} == set(
                run.plan.document_ids
            )


def test_every_would_be_place_is_true(asked: Asked) -> None:
    """Ask again with the limit at the place, and just below it; of many chunks in a large corpus, of some."""
    tried = 0
    for found in asked.all:
        left = found.chunks_with("left")
        for chunk in left if asked.opened.workspace.n_chunks < 1_000 else left[:: len(left) // 2 + 1]:
            why = chunk.left_because
            assert why is not None
            if why.place is None or why.with_document:
                continue
            tried += 1
            total = why.cause == "max_chunks"
            limit, rest = ("max_chunks", {}) if total else ("max_chunks_per_document", {"max_chunks": 500})
            request = found.b.run.request
            assert not _is_in(asked.opened, request, chunk, rest | {limit: why.place - 1})
            assert why.at_least or _is_in(asked.opened, request, chunk, rest | {limit: why.place})
    assert tried > 10 or by_passages(asked)


def by_passages(asked: Asked) -> bool:
    """Where passages fill a budget of tokens, which limit is full is told, and no place is counted."""
    return asked.runs[0].request.evidence_rule == "passages"


def _is_in(opened: Docgraph, request: RetrievalRequest, chunk: ChunkChange, limits: dict[str, Any]) -> bool:
    context = opened.execute(opened.plan(request.model_copy(update=limits)))
    return (chunk.document_id, chunk.chunk_id) in {(i, c.chunk_id) for i, c in context.ranked_chunks}


def test_everything_that_left_has_a_place_or_a_named_reason(asked: Asked) -> None:
    """Beside plain vector search, which shows every better chunk, the place is exact; MS3 may know a bound alone."""
    for name, comparisons in asked.against.items():
        for found in comparisons:
            for chunk in found.chunks_with("left"):
                why = chunk.left_because
                assert why is not None
                if by_passages(asked) and not why.with_document:
                    assert (why.cause, why.place) in (("max_tokens", None), ("max_chunks", None))
                    continue
                assert why.place is not None or why.with_document
                assert not why.at_least or (name == MS3 and why.cause == "max_chunks" and why.place is not None)


def test_flipping_the_runs_leaves_every_kept_bar_and_place_for_every_question(asked: Asked) -> None:
    """For the 60 questions about PEPs too: those of the whole set are asked of the small one."""
    found = [*asked.against[MS3], *(asked.opened.compare(query) for query in asked.more)]
    n_kept = 0
    for made in found:
        a, b = _best(made.a.run), _best(made.b.run)
        boxes = {(box.lane, box.document_id): box for box in union(made).boxes}
        for document in made.documents_with("kept"):
            i = document.document_id
            assert a.get(i, document.score) == b.get(i, document.score) == document.score
            if document.role_a == document.role_b == "seed":
                box = boxes["seed", i]
                assert (box.look, box.in_a, box.in_b) == ("kept", True, True)
                assert box.bar == min(max(document.score or 0.0, 0.0), 1.0)
                n_kept += 1
    assert n_kept > 3 * len(found)


def _best(run: Run) -> dict[str, float]:
    """document_id → similarity of its most similar chunk."""
    return {d.document.document_id: d.score for d in run.context.documents if d.score is not None}


def test_hiding_the_edges_of_a_run_is_ms3(asked: Asked) -> None:
    related = [run for run in asked.runs if run.plan.expanded_documents][:5]
    for run in related:
        hidden = {"without_types": sorted({edge.relation_type for edge in asked.opened.relationships.list()})}
        request = RetrievalRequest.model_validate(run.request.model_dump() | {"overrides": hidden})
        found = asked.opened.compare(request)
        assert found.identical
        assert "link to no other document through the relationship types in use" in found.why_identical


def test_one_edge_less_is_named_as_the_reason(asked: Asked) -> None:
    """Of a document with one reason: hide its edge, and it leaves because of that, unless it is a seed then."""
    named = 0
    for run in asked.runs:
        alone = next((d for d in run.plan.expanded_documents if len(d.reasons) == 1), None)
        if alone is None:
            continue
        key = (alone.reasons[0].from_document_id, alone.reasons[0].via, alone.document_id)
        request = RetrievalRequest.model_validate(run.request.model_dump() | {"overrides": {"without_edges": [key]}})
        without = asked.opened.run(request)
        found = asked.opened.runs.compare(
            Side(name="a", label="saved", run=run), Side(name="b", label="draft", run=without)
        )
        left = {d.document_id: d.left_because for d in found.documents_with("left")}
        assert key not in without.plan.edges
        assert alone.document_id in left or alone.document_id in without.plan.seed_document_ids
        named += alone.document_id in left and left[alone.document_id].cause == "edge_off"  # type: ignore[union-attr]
    assert named > 3
