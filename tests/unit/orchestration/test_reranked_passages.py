"""A reranker that a plan names reads its best passages once more: this one or nobody, and scores stay what they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

import docgraph
from docgraph import Docgraph
from docgraph.domain.run import Run
from docgraph.errors import EmbedderError, PlanError, RequestError
from docgraph.orchestration.caches import RememberedScores
from docgraph.ports.retrieval import Reranked

QUESTION = "How large may the queue of bookings be?"
TEXTS = {
    "queue": "The queue of bookings is watched. A queue of bookings may be large.\n\nThere are 400 places, no more.",
    "ferry": "A ferry has a bow, and cars wait in a queue.",
    "alarm": "Alarms ring. Nobody hears them in the night.",
}


class Knowing:
    """Knows what answers: passages that hold ``answer``; remembers what it was asked."""

    name = "knowing"

    def __init__(self, answer: str = "400", model_id: str = "knowing:1") -> None:
        self.answer, self.model_id = answer, model_id
        self.asked: list[str] = []

    def rerank(self, query: str, texts: Sequence[str]) -> Sequence[Reranked]:
        assert query == QUESTION
        self.asked += texts
        return [Reranked(index, 1.0 if self.answer in text else 0.1) for index, text in enumerate(texts)]


class Silent(Knowing):
    """Says nothing of the last passage."""

    def rerank(self, query: str, texts: Sequence[str]) -> Sequence[Reranked]:
        return super().rerank(query, texts)[:-1]


@pytest.fixture
def plain() -> Iterator[Docgraph]:
    with docgraph.connect(store="memory", workspace="w") as opened:
        opened.ingest_records(
            [{"document_id": name, "title": name.title(), "text": text} for name, text in TEXTS.items()],
            [{"from_document_id": "ferry", "relation_type": "explains", "to_document_id": "alarm"}],
        )
        yield opened


def having(plain: Docgraph, reranker: Knowing) -> Docgraph:
    return Docgraph(replace(plain.session.adapters, reranker=reranker), "w", owns_database=False)


def figures(run: Run) -> dict[str, tuple[float, float | None]]:
    return {chunk.chunk_id: (chunk.score, chunk.words) for _, chunk in run.context.ranked_chunks}


def test_what_it_reads_as_the_answer_comes_before_others_and_the_other_figures_stay(plain: Docgraph) -> None:
    read = having(plain, Knowing("Nobody hears"))
    before, run = plain.run(QUESTION), read.run(QUESTION)
    assert run.plan.constraints.reranker == "knowing:1"
    assert [i for i, _ in before.context.ranked_chunks] == ["queue", "ferry", "alarm"]
    assert [(i, chunk.rerank_score) for i, chunk in run.context.ranked_chunks][:2] == [("queue", 0.1), ("alarm", 1.0)]
    assert figures(run) == figures(before)
    assert run.plan.document_ids == before.plan.document_ids
    assert all(check.passed for check in run.contract)
    assert read.execute(run.plan) == run.context


def test_a_plan_names_nobody_where_nobody_is_asked(plain: Docgraph) -> None:
    reranker = Knowing()
    read = having(plain, reranker)
    base = plain.run(QUESTION)
    assert "reranker" not in base.plan.model_dump(mode="json")["constraints"]
    off = read.run({"query": QUESTION, "reranker": "none"})
    assert (off.plan, off.context) == (base.plan, base.context)
    for rule in ("similarity", "one_per_document"):
        assert read.run({"query": QUESTION, "evidence_rule": rule}).plan.constraints.reranker == ""
    assert reranker.asked == []


def test_every_door_names_the_same_reranker_and_relationships_change_nothing_of_it(plain: Docgraph) -> None:
    read = having(plain, Knowing())
    run = read.run(QUESTION)
    assert read.plan(QUESTION) == run.plan
    compared = read.compare(QUESTION)
    assert all(side.run.plan.constraints.reranker == "knowing:1" for side in (compared.a, compared.b))
    off = read.run({"query": QUESTION, "use_relationships": False})
    assert compared.a.run.plan == off.plan
    said = {c.chunk_id: c.rerank_score for _, c in off.context.ranked_chunks}
    assert all(said.get(c.chunk_id, c.rerank_score) == c.rerank_score for _, c in run.context.ranked_chunks)


def test_a_passage_is_read_once_however_often_a_run_is_checked(plain: Docgraph) -> None:
    reranker = Knowing()
    read = having(plain, reranker)
    read.compare(QUESTION)
    assert len(reranker.asked) == len(set(reranker.asked)) > 0


def test_another_reranker_than_the_one_that_is_named_is_refused(plain: Docgraph) -> None:
    plan = having(plain, Knowing()).plan(QUESTION)
    with pytest.raises(PlanError, match="'knowing:1', but here none is configured"):
        plain.execute(plan)
    with pytest.raises(PlanError, match="'knowing:1', but here 'knowing:2' is configured"):
        having(plain, Knowing(model_id="knowing:2")).execute(plan)
    with pytest.raises(RequestError, match="'knowing:9' is not configured here"):
        plain.run({"query": QUESTION, "reranker": "knowing:9"})


def test_a_reranker_that_leaves_a_passage_out_is_an_error_not_another_answer(plain: Docgraph) -> None:
    with pytest.raises(EmbedderError, match="'knowing:1' scored 2 of 3 passages"):
        having(plain, Silent()).run(QUESTION)


def test_the_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("docgraph.orchestration.caches.MAX_PASSAGES", 2)
    reranker = Knowing()
    remembered = RememberedScores(reranker)
    for _ in range(2):
        assert [each.score for each in remembered.rerank(QUESTION, ["a", "400", "a"])] == [0.1, 1.0, 0.1]
    remembered.rerank(QUESTION, ["b"])
    assert reranker.asked == ["a", "400", "b"]
    remembered.rerank(QUESTION, ["a"])
    assert reranker.asked[3:] == ["a"]
