"""Judged figures: what they say, what they leave unknown, and that judgments change nothing else."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docgraph.comparison.compare import compare
from docgraph.domain.comparison import Comparison
from docgraph.domain.judgment import Judgment
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.run import Run
from docgraph.domain.saved_run import content_hash
from docgraph.orchestration.docgraph import Docgraph
from tests.corpora import Corpus, corpora, corpus
from tests.unit.comparison.side_runs import MEASURES, compared, laws, opened, request_pairs, side

NAMES = [measure.name for measure in MEASURES if measure.kind == "judged"]
THREE = corpus(
    ("a", ["queue retry"], [("explains", "x")]), ("b", ["queue sailing"], []), ("c", ["queue"], []), ("x", ["port"], [])
)
REQUEST = RetrievalRequest(query="queue", max_documents=3, max_expanded=1, max_chunks=3, seed_signal="mean")
PLAIN = REQUEST.model_copy(update={"use_relationships": False})
IDS = tuple(f"d{i}" for i in range(10))
verdicts = st.dictionaries(st.sampled_from(IDS), st.booleans(), max_size=8)


def judge(dg: Docgraph, query: str, said: dict[str, bool]) -> None:
    stored = dg.documents.by_id(list(said))
    for document_id, relevant in said.items():
        if document_id in stored:
            dg.judgments.judge(query, document_id, relevant, by="Ann")


def values(found: Comparison) -> dict[str, tuple[float | None, float | None]]:
    return {figure.name: (figure.a, figure.b) for figure in found.judged}


def without(run: Run) -> Run:
    return run.model_copy(update={"trace": ()})


@laws
@given(corpora(), request_pairs(), verdicts)
@pytest.mark.slow
def test_judgments_change_no_plan_no_score_no_revision_and_no_hash(
    of: Corpus, pair: tuple[RetrievalRequest, RetrievalRequest], said: dict[str, bool]
) -> None:
    """And in the comparison nothing but the judged figures, the documents that are relevant, and what is said of it."""
    with opened(of) as dg:
        before, runs, plain = dg.workspace, [dg.run(each) for each in pair], compared(dg, *pair)
        judge(dg, pair[0].query, said)
        again = [dg.run(each) for each in pair]
        judged = compared(dg, *pair)
        assert dg.workspace == before
    assert list(map(without, again)) == list(map(without, runs))
    assert list(map(content_hash, again)) == list(map(content_hash, runs))
    assert plain.judged == ()
    said_of_it = {"judged": (), "relevant": (), "verdict": ()}
    assert judged.model_copy(update=said_of_it) == plain.model_copy(update=said_of_it)
    unjudged = [phrase for phrase in judged.verdict if phrase.part not in ("lost", "value")]
    assert [p.text for p in unjudged if p.rows] == [p.text for p in plain.verdict if p.rows]


@laws
@given(corpora(), request_pairs(), verdicts)
def test_judged_figures_are_the_same_for_equal_sides_and_mirror_the_other_way_round(
    of: Corpus, pair: tuple[RetrievalRequest, RetrievalRequest], said: dict[str, bool]
) -> None:
    with opened(of) as dg:
        judge(dg, pair[0].query, said)
        n_relevant = sum(each.relevant for each in dg.judgments.list())
        there, back, same = compared(dg, *pair), compared(dg, *pair[::-1]), compared(dg, pair[0], pair[0])
        n_judged = len(dg.judgments.list())
    assert [f.name for f in there.judged] == (NAMES if n_judged else [])
    assert {name: (b, a) for name, (a, b) in values(back).items()} == values(there)
    assert all(figure.a == figure.b for figure in same.judged)
    for figure in there.judged:
        assert (figure.a is None, figure.b is None) == (n_relevant == 0, n_relevant == 0)
        assert figure.n_relevant == n_relevant
        assert figure.k == max(figure.n_shown_a, figure.n_shown_b)
        assert figure.n_judged_a <= figure.n_shown_a


def test_the_figures_stand_over_the_documents_in_the_order_of_the_context() -> None:
    """MS3 reads three documents, and the relationship brings x in for one of them; x is the one that answers."""
    with opened(THREE) as dg:
        judge(dg, "queue", {"x": True, "a": False})
        found = compared(dg, PLAIN, REQUEST)
        orders = [run.context.document_ids for run in (found.a.run, found.b.run)]
    assert "x" not in orders[0]
    place = orders[1].index("x") + 1
    assert values(found)["recall"] == (0, 1)
    assert values(found)["reciprocal_rank"] == (0, 1 / place)
    ndcg = found.judged[NAMES.index("ndcg")]
    assert (ndcg.n_relevant, ndcg.k, ndcg.n_shown_a, ndcg.n_shown_b) == (1, 3, 3, 3)
    assert (ndcg.n_judged_a, ndcg.n_judged_b) == (sum(i in "ax" for i in orders[0]), sum(i in "ax" for i in orders[1]))
    n_unjudged = len({*orders[0], *orders[1]} - {"a", "x"})
    assert ndcg.note == f"nobody judged {n_unjudged} of the 4 documents shown: they count as not relevant"
    assert ndcg.formula
    assert ndcg.source


def test_without_a_relevant_document_every_value_is_unknown_and_never_0() -> None:
    with opened(THREE) as dg:
        judge(dg, "queue", {"a": False})
        found = compared(dg, PLAIN, REQUEST)
    assert set(values(found).values()) == {(None, None)}
    assert found.judged[0].note.startswith("no document is judged relevant to this question; nobody judged")


def test_a_document_that_is_not_stored_any_more_does_not_count() -> None:
    with opened(THREE) as dg:
        judge(dg, "queue", {"x": True, "b": True})
        runs = [side(dg.run(request)) for request in (PLAIN, REQUEST)]
        dg.documents.delete(["x"])
        assert dg.runs.compare(*runs).judged[0].n_relevant == 1
        dg.documents.delete(["b"])
        assert dg.runs.compare(*runs).judged == ()
        assert len(dg.judgments.list()) == 2


def test_given_judgments_are_taken_instead_of_those_of_the_workspace() -> None:
    given_now = (Judgment(query="queue", document_id="a", relevant=True, by="Ann", at="now"),)
    with opened(THREE) as dg:
        runs = [side(dg.run(request)) for request in (PLAIN, REQUEST)]
        judge(dg, "queue", {"b": True})
        assert dg.runs.compare(*runs, judgments=()).judged == ()
        assert (
            dg.runs.compare(*runs, judgments=given_now).judged == compare(*runs, MEASURES, judgments=given_now).judged
        )


@pytest.mark.parametrize("field", ["query", "workspace"])
def test_sides_that_ask_different_things_have_no_judged_figures(field: str) -> None:
    said: Sequence[Judgment] = [
        Judgment(query=query, document_id="a", relevant=True, by="Ann", at="now") for query in ("queue", "other")
    ]
    with opened(THREE) as dg:
        run = dg.run(REQUEST)
    plan = run.plan.model_copy(update={field: "other"})
    found = compare(side(run), side(run.model_copy(update={"plan": plan})), MEASURES, anyway=True, judgments=said)
    assert found.judged == ()


def test_two_empty_sides_read_nothing_of_what_is_relevant() -> None:
    with opened(corpus(("a", ["queue"], []))) as dg:
        judge(dg, "queue", {"a": True})
        dropped = REQUEST.model_validate(REQUEST.model_dump() | {"overrides": {"dropped_seed_ids": ["a"]}})
        found = compared(dg, dropped, dropped)
    assert found.a.run.context.document_ids == ()
    assert set(values(found).values()) == {(0, 0)}
    assert (found.judged[0].k, found.judged[0].note) == (0, "")
