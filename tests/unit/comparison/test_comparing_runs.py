"""Comparison beyond the laws: refusals, remarks, drift, figures without a value, tokens."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docgraph.comparison.compare import compare
from docgraph.comparison.overlap import CONTINUED
from docgraph.domain.comparison import Comparison
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.run import Run
from docgraph.errors import ComparisonError
from tests.builders import prepared
from tests.corpora import EMBEDDER, Corpus, corpus
from tests.unit.comparison.side_runs import MEASURES, compared, laws, opened, side

SMALL = corpus(
    ("a", ["queue retry", "queue hold"], [("explains", "x")]), ("b", ["queue sailing"], []), ("x", ["gateway"], [])
)
REQUEST = RetrievalRequest(query="queue", max_documents=3, max_expanded=1, seed_signal="mean")


def run_of(of: Corpus, request: RetrievalRequest = REQUEST) -> Run:
    with opened(of) as dg:
        return dg.run(request)


def elsewhere(run: Run, **fields: str) -> Run:
    """The run as if it had been made somewhere else."""
    plan = run.plan.model_copy(update=fields)
    return run.model_copy(update={"plan": plan})


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("workspace", "other", "different corpora: workspace 'laws' and 'other'"),
        ("embedder_id", "other:1:2", "different embedders: hashing:sha256:64 and other:1:2"),
    ],
)
def test_another_corpus_or_embedder_is_refused_unless_asked_anyway(field: str, value: str, words: str) -> None:
    here = run_of(SMALL)
    there = elsewhere(here, **{field: value})
    with pytest.raises(ComparisonError, match=words) as caught:
        compare(side(here), side(there), MEASURES)
    assert caught.value.hint
    anyway = compare(side(here), side(there), MEASURES, anyway=True)
    assert words in anyway.labels[0]


def test_scores_of_another_embedder_are_never_compared() -> None:
    here = run_of(SMALL)
    anyway = compare(side(here), side(elsewhere(here, embedder_id="other:1:2")), MEASURES, anyway=True)
    assert (anyway.score_drift, anyway.n_scores) == (None, 0)
    assert [(c.title, c.passed, c.detail) for c in anyway.checks] == [
        ("scores not compared", True, "not compared: different embedders")
    ]


def test_two_questions_can_be_compared_and_the_label_says_what_that_is_worth() -> None:
    with opened(SMALL) as dg:
        found = compared(dg, REQUEST, REQUEST.model_copy(update={"query": "sailing"}))
    assert found.labels == ("different questions: scores and ranks answer two things",)
    assert found.checks[0].detail == "not compared: different questions"


def test_a_score_that_drifts_fails_the_contract() -> None:
    """It would be a bug of the store: the comparison must show it, not average it away."""
    here = run_of(SMALL)
    documents = list(here.context.documents)
    first = documents[0].chunks[0]
    chunks = (first.model_copy(update={"score": first.score - 0.25}), *documents[0].chunks[1:])
    documents[0] = documents[0].model_copy(update={"chunks": chunks})
    there = here.model_copy(update={"context": here.context.model_copy(update={"documents": tuple(documents)})})
    found = compare(side(here), side(there), MEASURES)
    assert (found.score_drift, found.identical) == (0.25, False)
    assert [(c.title, c.passed) for c in found.checks] == [("scores changed by up to 0.25", False)]


def test_a_renamed_document_is_no_drift() -> None:
    """Titles are embedded with the text, so the score moves with the data, not with the relationships."""
    renamed = prepared(
        "a", ["queue retry", "queue hold"], title="The Waiting Queue", edges=[("explains", "x")], embedder=EMBEDDER
    )
    found = compare(side(run_of(SMALL)), side(run_of(Corpus((renamed, *SMALL.documents[1:])))), MEASURES)
    kept = {c.chunk_id: (c.score_a, c.score_b) for c in found.chunks_with("kept")}
    assert kept["a#0"][0] != kept["a#0"][1]
    assert found.score_drift == 0


def test_two_versions_of_a_chunk_carry_both_texts_and_no_drift() -> None:
    rewritten = prepared("a", ["queue retry slot", "queue hold"], edges=[("explains", "x")], embedder=EMBEDDER)
    found = compare(side(run_of(SMALL)), side(run_of(Corpus((rewritten, *SMALL.documents[1:])))), MEASURES)
    [changed] = [c for c in found.chunks if c.text_b is not None]
    assert (changed.change, changed.text, changed.text_b) == ("kept", "queue retry", "queue retry slot")
    assert found.score_drift == 0
    assert not found.identical
    assert "1 with another text" in found.sentence


def test_both_empty_is_both_empty_and_never_1() -> None:
    empty = run_of(Corpus(()))
    found = compare(side(empty), side(empty), MEASURES)
    assert {(f.value, f.n, f.note) for f in found.figures} == {(None, 0, "both empty")}
    assert found.identical
    assert found.sentence == found.why_identical == "Both are empty: neither run found a document."


def test_one_side_empty_overlaps_in_nothing() -> None:
    found = compare(side(run_of(Corpus(()))), side(run_of(SMALL)), MEASURES)
    values = {f.name: (f.value, f.note) for f in found.figures if f.of == "documents"}
    assert values == {
        "jaccard": (0, ""),
        "rbo_50": (0, ""),
        "rbo_90": (0, ""),
        "kendall": (None, "needs 2 in common, there are 0"),
        "spearman": (None, "needs 2 in common, there are 0"),
    }


def test_a_correlation_needs_two_in_common_and_an_overlap_of_1_may_hide_a_longer_list() -> None:
    with opened(SMALL) as dg:
        found = compared(
            dg,
            REQUEST.model_copy(update={"seed_document_ids": ("a",), "use_relationships": False}),
            REQUEST.model_copy(update={"seed_document_ids": ("a",)}),
        )
    figures = {f.name: f for f in found.figures if f.of == "documents"}
    assert (figures["kendall"].value, figures["kendall"].note) == (None, "needs 2 in common, there is 1")
    assert (figures["rbo_90"].value, figures["rbo_90"].note) == (1, CONTINUED)
    assert (figures["jaccard"].value, figures["jaccard"].note) == (0.5, "")


def test_chunks_are_correlated_in_the_order_in_which_they_are_read() -> None:
    """By score the common chunks never change their order, so a correlation of it could only be 1."""
    with opened(SMALL) as dg:
        named = [REQUEST.model_copy(update={"seed_document_ids": ids}) for ids in (("a", "b"), ("b", "a"))]
        found = compared(dg, *named)
    assert [c.rank_a for c in found.chunks_with("kept")] == [c.rank_b for c in found.chunks_with("kept")]
    assert found.figure("kendall").value < 1  # type: ignore[union-attr, operator]


def test_every_figure_brings_its_formula_and_its_paper() -> None:
    with opened(SMALL) as dg:
        found = dg.compare(REQUEST)
    assert [f.name for f in found.figures] == [m.name for m in MEASURES if m.kind in ("overlap", "correlation")] * 2
    assert all(f.formula and f.source and f.title for f in found.figures)
    assert found.figure("jaccard", "documents") in found.figures
    assert found.figure("unknown") is None


@laws
@given(st.integers(50, 400), st.integers(50, 400))
def test_the_layers_of_tokens_add_up_on_both_sides(budget_a: int, budget_b: int) -> None:
    with opened(SMALL) as dg:
        found = compared(dg, *(REQUEST.model_copy(update={"token_budget": n}) for n in (budget_a, budget_b)))
    *layers, total = found.tokens
    assert [t.layer for t in found.tokens] == ["conceptual", "evidence", "frame", "total"]
    assert (sum(t.a for t in layers), sum(t.b for t in layers)) == (total.a, total.b)


def test_the_runs_in_a_comparison_carry_no_milliseconds() -> None:
    with opened(SMALL) as dg:
        found: Comparison = dg.compare(REQUEST)
    assert [run.trace for run in (found.a.run, found.b.run)] == [(), ()]


def test_the_name_of_a_saved_run_stands_in_quotes_in_the_sentence() -> None:
    with opened(SMALL) as dg:
        saved = dg.runs.save(REQUEST, name="Before, after and between")
        found = dg.compare(saved, "plain")
    assert "“Before, after and between” adds " in found.sentence
