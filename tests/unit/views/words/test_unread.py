"""A plan of more documents than chunks says how many of them nobody reads: those that execution leaves empty."""

from __future__ import annotations

import pytest

from docgraph.cli.text.answers import show_plan
from docgraph.domain.graph import Document, Relationship
from docgraph.orchestration.docgraph import Docgraph
from docgraph.views.plan.summary import summarize
from docgraph.views.words.outcome import unread_documents
from tests.conversations import scripted


@pytest.fixture
def corpus() -> Docgraph:
    opened = scripted({})
    documents = [Document(document_id=f"d{n}", title=f"T{n}", text=f"The queue is bounded by {n}.") for n in range(9)]
    edges = [
        Relationship(from_document_id=f"d{n}", to_document_id=f"d{n + 1}", relation_type="references") for n in range(8)
    ]
    opened.ingest_records(documents, edges)
    return opened


@pytest.mark.parametrize(("documents", "chunks"), [(6, 2), (6, 5), (6, 6), (4, 10), (3, 1)])
def test_as_many_are_told_as_execution_leaves_without_a_chunk(corpus: Docgraph, documents: int, chunks: int) -> None:
    run = corpus.run({"query": "Why is the queue bounded?", "max_documents": documents, "max_chunks": chunks})
    empty = len(run.plan.document_ids) - len(run.context.read_document_ids)
    said = unread_documents(run.plan)
    assert summarize(run).unread == said
    if not empty:
        assert said is None
        return
    assert said is not None
    assert said[0] == (f"{empty} documents unread" if empty > 1 else "1 document unread")
    assert run.plan.document_ids[:chunks] == tuple(
        i for i in run.plan.document_ids if i in run.context.read_document_ids
    )


def test_the_best_of_all_chunks_promises_none_to_anybody(corpus: Docgraph) -> None:
    run = corpus.run({"query": "queue", "max_documents": 6, "max_chunks": 2, "evidence_rule": "similarity"})
    assert unread_documents(run.plan) is None


def test_the_terminal_says_it_beside_the_plan(corpus: Docgraph, capsys: pytest.CaptureFixture[str]) -> None:
    show_plan(corpus.plan({"query": "queue", "max_documents": 6, "max_chunks": 2}))
    assert "4 documents not read" in capsys.readouterr().out
    show_plan(corpus.plan({"query": "queue"}))
    assert "unread" not in capsys.readouterr().out
