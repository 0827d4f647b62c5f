"""The laws of comparison as properties over random corpora and pairs of requests."""

from __future__ import annotations

from hypothesis import given

from docgraph.domain.comparison import ChunkChange, Comparison, DocumentChange, Figure
from docgraph.domain.request import RetrievalRequest
from tests.corpora import Corpus, corpora, requests
from tests.unit.comparison.side_runs import compared, laws, opened, request_pairs

MIRRORED = {"added": "left", "left": "added", "kept": "kept"}
Pair = tuple[RetrievalRequest, RetrievalRequest]


@laws
@given(corpora(), requests())
def test_a_run_compared_with_itself_is_identical_and_empty(corpus: Corpus, request: RetrievalRequest) -> None:
    with opened(corpus) as dg:
        same = compared(dg, request, request)
    assert same.identical
    assert "same plan" in same.why_identical or "Both are empty" in same.why_identical
    assert {row.change for row in (*same.documents, *same.chunks)} <= {"kept"}
    assert all(t.difference == 0 for t in same.tokens)
    assert all(f.value in (1.0, None) for f in same.figures)
    assert same.score_drift in (0, None)


@laws
@given(corpora(), request_pairs())
def test_comparing_the_other_way_round_mirrors_everything(corpus: Corpus, pair: Pair) -> None:
    with opened(corpus) as dg:
        there, back = compared(dg, *pair), compared(dg, *pair[::-1])
    assert {_facts(d) for d in there.documents} == {_facts(d, mirrored=True) for d in back.documents}
    assert {_facts(c) for c in there.chunks} == {_facts(c, mirrored=True) for c in back.chunks}
    assert [(t.layer, t.difference) for t in there.tokens] == [(t.layer, -t.difference) for t in back.tokens]
    assert list(map(_value, there.figures)) == list(map(_value, back.figures))
    assert (there.identical, there.score_drift, there.n_scores) == (back.identical, back.score_drift, back.n_scores)
    assert (there.n_top, there.why_identical == "") == (back.n_top, back.why_identical == "")


def _value(figure: Figure) -> tuple[object, ...]:
    return figure.name, figure.of, figure.value, figure.n


def _facts(row: DocumentChange | ChunkChange, *, mirrored: bool = False) -> tuple[object, ...]:
    """What a row says, with its sides swapped when it comes from the mirrored comparison."""
    own, other = ("b", "a") if mirrored else ("a", "b")
    pairs = ("place", "role", "n_chunks", "n_tokens", "rank", "score")
    sides = [getattr(row, f"{name}_{s}", None) for name in pairs for s in (own, other)]
    change = MIRRORED[row.change] if mirrored else row.change
    return (row.document_id, getattr(row, "chunk_id", ""), change, *sides)


@laws
@given(corpora(), request_pairs())
def test_added_and_kept_are_b_and_left_and_kept_are_a(corpus: Corpus, pair: Pair) -> None:
    with opened(corpus) as dg:
        found = compared(dg, *pair)
    for run, change in ((found.a.run, "left"), (found.b.run, "added")):
        documents = {d.document_id for d in found.documents if d.change in (change, "kept")}
        chunks = {(c.document_id, c.chunk_id) for c in found.chunks if c.change in (change, "kept")}
        assert documents == set(run.plan.document_ids)
        assert chunks == {(i, c.chunk_id) for i, c in run.context.ranked_chunks}
    assert len({d.document_id for d in found.documents}) == len(found.documents)
    assert len({(c.document_id, c.chunk_id) for c in found.chunks}) == len(found.chunks)


@laws
@given(corpora(), request_pairs())
def test_no_score_drifts_and_everything_that_left_says_why(corpus: Corpus, pair: Pair) -> None:
    with opened(corpus) as dg:
        found = compared(dg, *pair)
    n_kept = len(found.chunks_with("kept"))
    assert (found.score_drift, found.n_scores) == ((0, n_kept) if n_kept else (None, 0))
    assert [check.passed for check in found.checks] == [True]
    for row in (*found.documents, *found.chunks):
        assert (row.left_because is not None) == (row.change == "left")


@laws
@given(corpora(), request_pairs())
def test_places_on_either_side_count_from_one_without_a_gap(corpus: Corpus, pair: Pair) -> None:
    with opened(corpus) as dg:
        found = compared(dg, *pair)
    for rows, names in ((found.documents, ("place",)), (found.chunks, ("place", "rank"))):
        for attribute in (f"{name}_{s}" for name in names for s in "ab"):
            places = sorted(p for row in rows if (p := getattr(row, attribute)) is not None)
            assert places == list(range(1, len(places) + 1))


@laws
@given(corpora(), requests())
def test_the_baseline_ms3_is_identical_when_no_relationship_applies(corpus: Corpus, request: RetrievalRequest) -> None:
    with opened(corpus) as dg:
        found = dg.compare(request)
    if not found.b.run.plan.expanded_documents:
        assert found.identical
        if not found.b.run.plan.document_ids:  # a filter left nobody
            assert found.why_identical.startswith("Both are empty")
        else:
            assert "so the result is the same as" in found.why_identical or "same plan" in found.why_identical
            assert "add no document. Passages: " in found.sentence
    assert found.score_drift in (0, None)


@laws
@given(corpora(), requests(scope_mode="label"))
def test_without_relationships_every_question_is_identical_to_ms3(corpus: Corpus, request: RetrievalRequest) -> None:
    with opened(corpus.without_relationships()) as dg:
        assert dg.compare(request).identical


@laws
@given(corpora(), requests())
def test_what_comes_in_beside_ms3_comes_over_a_relationship(corpus: Corpus, request: RetrievalRequest) -> None:
    with opened(corpus) as dg:
        found = dg.compare(request)
    assert all(document.role_b == "expanded" and document.reasons for document in found.documents_with("added"))
    assert len(found.documents_with("left")) <= len(found.documents_with("added"))


@laws
@given(corpora(), request_pairs())
def test_a_comparison_survives_the_trip_through_json_and_is_made_twice_alike(corpus: Corpus, pair: Pair) -> None:
    with opened(corpus) as dg:
        found, again = compared(dg, *pair), compared(dg, *pair)
    assert Comparison.model_validate_json(found.model_dump_json()) == found == again
    assert found.model_dump_json() == again.model_dump_json()
