"""Judged figures as they are shown: one in sight, every one with its formula, and what nobody has judged yet."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from docgraph.domain.comparison import Comparison
from docgraph.domain.judgment import JudgedFigure, Judgment
from docgraph.domain.request import RetrievalRequest
from docgraph.orchestration.docgraph import Docgraph
from docgraph.views.compare.figures import ToJudge, change_text, judged_number, judged_rows, to_judge
from docgraph.views.compare.tables import document_table
from docgraph.views.words.judgments import by_document, counted_words, elsewhere_words, signature_words
from tests.corpora import corpus
from tests.unit.comparison.side_runs import opened

CORPUS = corpus(
    ("a", ["queue retry", "queue hold slot"], [("explains", "x")]),
    ("b", ["queue sailing", "queue booking route"], []),
    ("x", ["gateway", "slot"], []),
)
REQUEST = RetrievalRequest(query="queue", max_documents=2, max_expanded=1, max_chunks=4, max_chunks_per_document=2)


@pytest.fixture
def dg() -> Iterator[Docgraph]:
    with opened(CORPUS) as dg:
        yield dg


def figure(a: float | None, b: float | None) -> JudgedFigure:
    return JudgedFigure(
        name="ndcg", title="nDCG", a=a, b=b, k=6, n_relevant=2, n_judged_a=1, n_judged_b=3, n_shown_a=4, n_shown_b=6
    )


def shown(comparison: Comparison) -> set[str]:
    return {document.document_id for document in comparison.documents}


def test_without_a_judgment_the_figure_is_unknown_and_says_what_it_needs(dg: Docgraph) -> None:
    made = dg.compare(REQUEST)
    number = judged_number(made, {})
    assert (number.title, number.value, number.note) == ("nDCG", "not judged", "needs judgments")
    (row,) = judged_rows(made)
    assert (row.chunks, row.documents) == ("--", "--")
    assert row.needs.startswith("Judge which documents")
    assert to_judge(made, {}) == ToJudge("b", len(made.b.run.context.document_ids))


def test_a_judged_question_shows_both_sides_and_counts_what_is_judged(dg: Docgraph) -> None:
    dg.judgments.judge("queue", "x", True, by="Ann")
    dg.judgments.judge("queue", "a", False, by="Ann")
    made, judged = dg.compare(REQUEST), by_document(dg.judgments.list("queue"))
    assert {"a", "x", "b"} == shown(made)
    number = judged_number(made, judged)
    ndcg = made.judged[0]
    assert (number.title, number.note) == (f"nDCG@{ndcg.k}", "1 relevant, 2 of 3 shown judged")
    assert number.value == f"{ndcg.a:.2f} → {ndcg.b:.2f}" != "0.00 → 0.00"
    assert [row.title for row in judged_rows(made)] == [f"{each.title}@{each.k}" for each in made.judged]
    assert all(row.formula and row.source and "1 document judged relevant" in row.note for row in judged_rows(made))
    said = {row["document"]: row["judged"] for row in document_table(made.documents, {}, judged)}
    assert sorted(said.values(), key=str) == [None, "not relevant", "relevant"]


def test_the_next_documents_to_judge_are_those_of_b_and_then_those_of_a(dg: Docgraph) -> None:
    made = dg.compare(REQUEST)
    for document_id in made.b.run.context.document_ids:
        dg.judgments.judge("queue", document_id, False, by="Ann")
    judged = by_document(dg.judgments.list("queue"))
    assert to_judge(made, judged) == ToJudge("a", 1)
    assert to_judge(made, {}, only_a=True) == ToJudge("a", len(made.a.run.context.document_ids))
    assert to_judge(made, None) is None
    known = dg.compare(REQUEST)
    assert judged_number(known, judged).value == "none yet", "nobody judged one relevant, so there is no value"
    everything = {document_id: next(iter(judged.values())) for document_id in shown(made)}
    assert to_judge(made, everything) is None


@pytest.mark.parametrize(
    ("a", "b", "words"),
    [(0.63, 0.81, "0.63 → 0.81"), (None, None, "--"), (0.0, 1.0, "0.00 → 1.00"), (0.9999, None, "0.999 → --")],
)
def test_a_value_is_never_rounded_to_a_whole_one_and_unknown_is_never_0(
    a: float | None, b: float | None, words: str
) -> None:
    assert change_text(figure(a, b)) == words


def test_what_is_judged_is_counted_and_signed() -> None:
    said = Judgment(query="q", document_id="a", relevant=False, by="", at="2026-11-22T02:04:00Z")
    assert signature_words(said) == "judged not relevant by somebody, 22 Nov 2026, 02:04 UTC"
    assert counted_words({"a": said, "z": said}, ["a", "b"]) == "1 of 2 documents is judged for this question"
    assert counted_words({}, ["a", "b"]) == "None of 2 documents is judged for this question"
    assert counted_words(None, ["a"]).startswith("-- of 1 document judged")
    assert (elsewhere_words(0), elsewhere_words(2)) == ("", "2 more judged relevant are not in this plan")
