"""Data frames: a row for each thing in its order, with the columns that the docstrings promise."""

from __future__ import annotations

import re
from typing import Any

import pytest

from docgraph.comparison.compare import compare
from docgraph.domain.comparison import Comparison, Side
from docgraph.domain.context import RetrievedContext
from docgraph.domain.evaluation import Answer, Configuration, Evaluation, Figure, KeptEvaluation, Outcome
from docgraph.domain.finding import CheckReport, CheckResult, Finding
from docgraph.domain.plan import CutDocument, RetrievalPlan
from docgraph.views.notebook import frames

EDGES = [("a", "explains", "x"), ("b", "decision_for", "x")]


def test_a_plan_has_a_row_for_each_document_then_for_what_was_cut(make_run: Any) -> None:
    cut = CutDocument(document_id="z", title="Z", limit="max_expanded", value=1, place=4)
    found = make_run(["a", "b"], ["x"], EDGES, cut=[cut]).plan.to_pandas()
    assert list(found.role) == ["seed", "seed", "related", "cut"]
    assert list(found.document_id) == ["a", "b", "x", "z"]
    assert list(found.place.dropna()) == [1, 2, 3]
    assert found.reasons[2] == "explains from a; decision_for from b"
    assert found.limit[3] == "max_expanded"
    assert str(found.place.dtype) == "Int64"


def test_a_context_has_a_row_for_each_chunk_by_rank(make_run: Any) -> None:
    run = make_run(["a", "b"], ["x"], EDGES, chunks={"a": 2})
    found = run.context.to_pandas()
    assert list(found["rank"]) == [1, 2, 3, 4]
    assert list(found.chunk_id) == [chunk.chunk_id for _, chunk in run.context.ranked_chunks]
    assert list(found.place) == [1, 1, 2, 3]
    assert found.heading_path[0] == "Part > Detail"
    assert found.score.dtype == "float64"


def test_a_comparison_has_a_row_for_each_document_or_chunk(make_run: Any) -> None:
    a, b = make_run(["a", "b", "c"]), make_run(["a", "b"], ["x"], EDGES)
    made = compare(Side(name="ms3", label="MS3", run=a), Side(name="run", label="MS5", run=b), ())
    found = made.to_pandas()
    assert list(zip(found.document_id, found.change, strict=True)) == [
        (d.document_id, d.change) for d in made.documents
    ]
    assert dict(zip(found.document_id, found.role_b, strict=True))["x"] == "related"
    assert list(made.to_pandas(of="chunks").chunk_id) == [chunk.chunk_id for chunk in made.chunks]


def test_a_report_has_a_row_for_each_open_finding_in_the_order_of_the_queue() -> None:
    few = Finding.about("dangling", "error", "one", relationships=(("a", "explains", "b"),), document_ids=("a", "b"))
    many = few.model_copy(update={"sentence": "two", "n_questions": 3, "finding_id": "f2"})
    result = CheckResult(check_id="dangling", title="t", why="w", severity="error", unit="u", findings=(few, many))
    report = CheckReport(workspace="w", corpus_revision="r", n_documents=2, n_relationships=1, results=(result,))
    found = report.to_pandas()
    assert list(found.sentence) == ["two", "one"]
    assert (found.document_ids[0], found.relationships[0]) == ("a b", "a explains b")


def test_an_evaluation_has_a_row_for_each_question_and_configuration() -> None:
    outcome = Outcome(
        query_id="q1", query="?", answers={"off": Answer(documents=("a",))}, values={"off": {"recall@5": 0.5}}
    )
    evaluation = Evaluation(name="n", workspace="w", n=1, measures=("recall@5",), outcomes=(outcome,))
    found = evaluation.to_pandas()
    assert found.to_dict("records")[0]["recall@5"] == 0.5
    assert list(found.columns) == [*frames.EVALUATION, "recall@5"]
    assert len(evaluation.model_copy(update={"outcomes": ()}).to_pandas()) == 0


def test_a_kept_evaluation_has_a_row_for_each_mean() -> None:
    figure = Figure(configuration="off", measure="mrr", mean=None, n=0)
    kept = KeptEvaluation(
        evaluation_id="e",
        query_set="s",
        workspace="w",
        at="2026-01-01T00:00:00Z",
        n_asked=1,
        configurations=(Configuration(name="off", label="Off"),),
        figures=(figure,),
    )
    assert list(kept.to_pandas().measure) == ["mrr"]


@pytest.mark.parametrize(
    ("kind", "columns"),
    [
        (RetrievalPlan, frames.PLAN),
        (RetrievedContext, frames.CONTEXT),
        (Comparison, {**frames.DOCUMENTS, **frames.CHUNKS}),
        (CheckReport, frames.CHECKS),
        (Evaluation, frames.EVALUATION),
        (KeptEvaluation, frames.FIGURES),
    ],
)
def test_the_docstring_names_every_column(kind: Any, columns: dict[str, str]) -> None:
    assert set(columns) <= set(re.findall(r"``(\w+)``", kind.to_pandas.__doc__))
