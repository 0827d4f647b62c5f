"""Saved questions are those of saved runs and members of query sets, each text once, wherever an effect is counted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from docgraph.bootstrap import connect
from docgraph.domain.edit import Edit
from docgraph.domain.request import RetrievalRequest
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.evaluating.sample import SAMPLE_SET, add_sample_questions
from docgraph.plugins.stores.memory.reading import MemorySnapshot
from tests import ROOT

QUESTIONS = ("Why is the queue limited to 400 bookings per route?", "How are cars loaded?", "Who may see a manifest?")


@pytest.fixture
def dg() -> Iterator[Docgraph]:
    with connect(store="memory", workspace="harbor") as docgraph:
        docgraph.ingest(ROOT / "sample_data" / "harbor")
        yield docgraph


def an_edge(dg: Docgraph, question: str) -> Edit:
    """The removal of a relationship that a question's plan follows."""
    key = next(
        (reason.from_document_id, reason.via, document.document_id)
        for document in dg.plan(RetrievalRequest(query=question)).expanded_documents
        for reason in document.reasons
    )
    return Edit(action="remove", key=key)


def test_members_of_sets_count_as_saved_runs_do_each_text_once(dg: Docgraph) -> None:
    edits = [an_edge(dg, QUESTIONS[0])]
    none = dg.relationships.impact(edits)
    assert (none.n_questions, none.n_in_sets) == (0, 0)
    dg.query_sets.keep(QUESTIONS, name="a")
    dg.query_sets.keep([f"  {QUESTIONS[0]} ", QUESTIONS[2], "Another?"], name="b")
    found = dg.relationships.impact(edits)
    assert (found.n_questions, found.n_saved_runs, found.n_in_sets) == (4, 0, 4)
    assert (found.asked[0].name, found.asked[0].changed) == (QUESTIONS[0], True)
    assert sum(each.changed for each in found.asked) == found.n_changed
    dg.runs.save(RetrievalRequest(query=QUESTIONS[0]))
    again = dg.relationships.impact(edits)
    assert (again.n_questions, again.n_saved_runs, again.n_in_sets) == (4, 1, 3)
    assert [(each.query, each.gained, each.lost) for each in again.questions] == [
        (each.query, each.gained, each.lost) for each in found.questions
    ]
    assert dg.check().n_questions == dg.relationships.vocabulary().n_questions == 4
    assert dg.relationships.suggestions().n_questions == 4


def test_the_effect_on_a_member_is_that_on_its_saved_run(dg: Docgraph) -> None:
    add_sample_questions(dg.session)
    stored = dg.query_sets.get(SAMPLE_SET).query_set
    edits = [[an_edge(dg, QUESTIONS[0])], [Edit(action="remove", key=edge.key)] if (edge := _edge(dg)) else []]
    of_sets = dg.relationships.effects(edits)
    for each in stored.queries:
        dg.runs.save(RetrievalRequest(query=each.query))
    of_runs = dg.relationships.effects(edits)
    for a, b in zip(of_sets, of_runs, strict=True):
        assert (a.n_questions, a.n_changed, a.n_in_sets, b.n_in_sets) == (32, b.n_changed, 32, 0)
        assert {(q.query, q.gained, q.lost) for q in a.questions} == {(q.query, q.gained, q.lost) for q in b.questions}


def _edge(dg: Docgraph) -> Any:
    return next(edge for edge in dg.relationships.list() if edge.relation_type == "explains")


def test_a_member_is_ranked_once_whatever_becomes_of_relationships(
    dg: Docgraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit, ranking, ranked = an_edge(dg, QUESTIONS[0]), MemorySnapshot.rank_documents, list[str]()

    def rank_documents(*given: Any, **options: Any) -> Any:
        ranked.append("")
        return ranking(*given, **options)

    monkeypatch.setattr(MemorySnapshot, "rank_documents", rank_documents)
    dg.query_sets.keep(QUESTIONS, name="a")
    first = dg.relationships.impact([edit])
    assert len(ranked) >= len(QUESTIONS)
    ranked.clear()
    assert dg.relationships.impact([edit]) == first
    dg.check()
    assert ranked == []
    dg.relationships.edit([edit], by="Ann")
    after = dg.relationships.impact([Edit(action="add", key=edit.key)])
    assert (ranked, after.n_changed > 0) == ([], True)
    dg.documents.delete([edit.key[2]])
    dg.relationships.impact([an_edge(dg, QUESTIONS[0])])
    assert len(ranked) >= len(QUESTIONS)


def test_of_very_many_members_the_first_are_asked(dg: Docgraph, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("docgraph.orchestration.relationships.impact.MAX_MEMBERS", 2)
    dg.query_sets.keep(QUESTIONS, name="a")
    edits = [an_edge(dg, QUESTIONS[0])]
    assert dg.relationships.impact(edits).n_in_sets == 2
    limited = dg.relationships.impact(edits, limit=1)
    assert (limited.n_questions, limited.n_not_asked) == (1, 1)


def test_a_set_with_other_questions_is_read_anew(dg: Docgraph) -> None:
    edits = [an_edge(dg, QUESTIONS[0])]
    dg.query_sets.keep(QUESTIONS[:1], name="a")
    assert dg.relationships.impact(edits).n_questions == 1
    dg.query_sets.keep(QUESTIONS, name="a")
    assert dg.relationships.impact(edits).n_questions == 3
    dg.query_sets.remove("a")
    assert dg.relationships.impact(edits).n_questions == 0


def test_the_sample_questions_are_installed_once(dg: Docgraph) -> None:
    assert add_sample_questions(dg.session)
    judged = dg.judgments.list()
    (summary,) = dg.query_sets.list()
    assert (summary.name, summary.n, summary.n_judged) == (SAMPLE_SET, 32, 32)
    assert dg.query_sets.get(SAMPLE_SET).query_set.knows_passages
    assert not add_sample_questions(dg.session)
    assert (dg.query_sets.list(), dg.judgments.list()) == ((summary,), judged)
    dg.query_sets.keep(QUESTIONS, name=SAMPLE_SET)
    assert not add_sample_questions(dg.session)
    assert dg.query_sets.get(SAMPLE_SET).query_set.queries[0].query == QUESTIONS[0], "what a person made of it stays"
