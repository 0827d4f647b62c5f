"""Judging a kept query set: pooled, judged by two, undone, and grades that count in the next evaluation."""

from __future__ import annotations

import pytest

from docgraph.errors import NotFoundError, UserError
from docgraph.orchestration.docgraph import Docgraph
from tests.unit.orchestration.test_query_sets import made

SET = "why"


@pytest.fixture
def dg() -> Docgraph:
    """Two questions nobody judged, asked in two configurations; by relationships *b* is read as well."""
    opened = made()
    opened.query_sets.keep([{"query": f"why {each} queue?", "query_id": each} for each in "ac"], name=SET)
    opened.query_sets.run(SET, request={"max_seeds": 1})
    return opened


def test_the_pool_is_what_the_newest_evaluation_and_those_that_are_pinned_read(dg: Docgraph) -> None:
    pool = dg.query_sets.pool(SET)
    assert [(each.query_id, each.chunk_id) for each in pool.passages] == [("a", "a#0"), ("a", "b#0"), ("c", "c#0")]
    assert (pool.configurations, pool.measure, len(pool.evaluations)) == (2, "ndcg@6", 1)
    dg.query_sets.run(SET, ["off"], request={"max_documents": 3})
    newest, older = (each.evaluation_id for each in dg.query_sets.runs(SET))
    assert dg.query_sets.pool(SET).evaluations == (newest,)
    dg.query_sets.pin(older)
    both = dg.query_sets.pool(SET)
    assert (both.evaluations, both.configurations, len(both.passages)) == ((newest, older), 3, 6)
    assert dg.query_sets.pool(SET, pool.evaluations).passages == pool.passages
    with pytest.raises(NotFoundError):
        dg.query_sets.pool(SET, ["0123"])


def test_what_is_judged_leaves_the_pile_and_comes_back_when_it_is_withdrawn(dg: Docgraph) -> None:
    pool = dg.query_sets.pool(SET)
    before = dg.query_sets.pile(pool, by="Mira")
    assert before.coverage.left == len(before.passages) == 3
    first = before.passages[0]
    assert first.query_id == "a", "of both questions it has more passages that decide"
    dg.judgments.judge_passage(first.query, first.chunk_id, None, by="Mira")
    after = dg.query_sets.pile(pool, by="Mira")
    assert after.passages == before.passages[1:]
    assert (after.coverage.judged, after.coverage.cannot_judge) == (1, 1)
    assert dg.query_sets.pile(pool, by="Tom").passages == before.passages, "another judge has a pile of their own"
    dg.judgments.withdraw_passage(first.query, first.chunk_id, by="Mira")
    assert dg.query_sets.pile(pool, by="Mira") == before
    with pytest.raises(UserError):
        dg.query_sets.pile(pool, by=" ")


def test_two_judges_are_compared_over_what_both_graded(dg: Docgraph) -> None:
    pool = dg.query_sets.pool(SET)
    for by, grades in {"Mira": (2, 0, 1), "Tom": (2, 0, None)}.items():
        for passage, grade in zip(pool.passages, grades, strict=True):
            dg.judgments.judge_passage(passage.query, passage.chunk_id, grade, by=by)
    assert dg.query_sets.judges(pool) == {"Mira": 3, "Tom": 3}
    found = dg.query_sets.agreement(pool, "Mira", "Tom")
    assert (found.n, found.equal, found.kappa, found.alpha) == (2, 2, 1.0, 1.0)


def test_grades_of_passages_count_in_the_next_evaluation_and_settle_what_decided(dg: Docgraph) -> None:
    pool = dg.query_sets.pool(SET)
    for passage in pool.passages:
        dg.judgments.judge_passage(passage.query, passage.chunk_id, 2, by="Mira")
    again = dg.query_sets.run(SET, request={"max_seeds": 1}, measures=["recall@6"])
    (difference,) = again.differences
    assert (difference.improved, difference.equal, difference.not_judged) == (1, 1, 0)
    assert dg.query_sets.pile(pool, by="Tom").coverage.deciding == 0, "every document has the highest grade"


def test_a_passage_whose_text_has_changed_is_to_be_judged_anew(dg: Docgraph) -> None:
    from docgraph.domain.graph import Document

    passage = dg.query_sets.pool(SET).passages[0]
    dg.judgments.judge_passage(passage.query, passage.chunk_id, 1, by="Mira")
    dg.ingest_records([Document(document_id=passage.document_id, title="a", text="another text of the queue")], [])
    assert passage.chunk_id in {
        each.chunk_id for each in dg.query_sets.pile(dg.query_sets.pool(SET), by="Mira").passages
    }
