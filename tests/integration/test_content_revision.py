"""The content revision on PostgreSQL: beside older programs, and for impact in another process."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import psycopg
import pytest

import docgraph
from docgraph import RetrievalRequest
from docgraph.curation import impact as judged
from docgraph.domain.edit import Edit
from docgraph.domain.graph import Document, Relationship
from docgraph.plugins.stores.postgres import queries

WORDS = ("bounded", "payment", "alarm", "route", "budget", "retry", "gateway", "sailing")
TEXTS = {f"d{i:02}": f"The queue of {word} number {i}." for i, word in enumerate(WORDS * 5)}
EDGES = [(f"d{i:02}", "explains", f"d{(i + 7) % 40:02}") for i in range(40)]


def relationship(start: str, via: str, end: str) -> Relationship:
    return Relationship(from_document_id=start, relation_type=via, to_document_id=end)


@pytest.fixture
def url(new_database_url: str) -> str:
    """A workspace with saved questions, all of today."""
    with docgraph.connect(new_database_url, workspace="w") as dg:
        dg.ingest_records(
            [Document(document_id=i, title=i.title(), text=text) for i, text in TEXTS.items()],
            [relationship(*edge) for edge in EDGES],
        )
        dg.relationships.set_off_types(["mentions", "Ωmega “off”"])
        for word in WORDS:
            dg.runs.save(RetrievalRequest(query=f"Why the queue of {word}?"))
    return new_database_url


def test_what_an_older_program_writes_is_never_taken_for_the_content_of_before(url: str) -> None:
    """It moves the revision alone; at worst a content counts as another one."""
    with docgraph.connect(url, workspace="w") as dg, psycopg.connect(url, autocommit=True) as older:
        before = dg.workspace
        moved = "UPDATE docgraph.workspaces SET revision = mod(revision + %s, (2::numeric ^ 256))"
        older.execute(moved, [2**80 + 1])
        assert dg.workspace.content_revision != before.content_revision
        older.execute(moved, [2**256 - 2**80 - 1])
        assert dg.workspace == before


@pytest.fixture
def rankings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The rankings that are sent, by name, alone or with other reads."""
    sent: list[str] = []

    def counted(name: str) -> Callable[..., Any]:
        ranks = getattr(queries, name)

        def asked(*given: Any, **options: Any) -> Any:
            sent.append(name)
            return ranks(*given, **options)

        return asked

    for name in ("rank_documents", "rank_with_neighbours"):
        anew = counted(name)
        monkeypatch.setattr(queries, name, anew)
        monkeypatch.setitem(queries.QUERIES, name, anew)
    return sent


def test_another_process_needs_no_ranking_for_impact_after_an_edit_of_relationships(
    url: str, rankings: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The saved plans say how their questions were ranked; what is found is what is found anew."""
    asked = [Edit(action="remove", key=EDGES[i]) for i in (1, 2, 9, 10)]
    with docgraph.connect(url, workspace="w") as dg:
        dg.relationships.edit([Edit(action="remove", key=EDGES[3])], by="Ann")
    rankings.clear()
    with docgraph.connect(url, workspace="w") as dg:
        found = dg.relationships.impact(asked)
        assert (rankings, found.n_questions, found.n_changed_plans > 0) == ([], len(WORDS), True)
        monkeypatch.setattr(judged, "is_of_today", lambda saved, workspace: False)
        assert dg.relationships.impact(asked).model_dump_json() == found.model_dump_json()
        assert len(rankings) == len(WORDS)


def test_checks_and_vocabulary_rank_no_saved_question_whose_documents_are_those_of_today(
    url: str, rankings: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What they say of the questions is what planning them anew says; after an import they are planned anew."""
    with docgraph.connect(url, workspace="w") as dg:
        dg.relationships.edit([Edit(action="remove", key=EDGES[3])], by="Ann")
        rankings.clear()
        checked, vocabulary = dg.check(), dg.relationships.vocabulary()
        assert (rankings, checked.n_questions, vocabulary.n_questions) == ([], len(WORDS), len(WORDS))
        with monkeypatch.context() as anew:
            anew.setattr(judged, "is_of_today", lambda saved, workspace: False)
            assert (dg.check(), dg.relationships.vocabulary()) == (checked, vocabulary)
        assert len(rankings) == 2 * len(WORDS)
        dg.ingest_records([Document(document_id="new", title="New", text="The queue of payment.")])
        rankings.clear()
        dg.relationships.vocabulary()
        assert len(rankings) == len(WORDS)


def test_plans_of_today_are_ranked_for_no_edit_either(url: str, rankings: list[str]) -> None:
    with docgraph.connect(url, workspace="w") as dg:
        rankings.clear()
        assert dg.relationships.impact([Edit(action="remove", key=edge) for edge in EDGES]).n_changed > 0
        assert rankings == []
