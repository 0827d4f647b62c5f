"""Embedding anew beside what else works with a database: backups, codes in memory, readers that began before."""

from __future__ import annotations

import io
import threading
from collections.abc import Iterator
from itertools import count

import psycopg
import pytest

import docgraph
from docgraph.domain.graph import Document
from docgraph.errors import ConflictError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.plugins.stores.postgres import resizing
from tests.builders import RecordingProgress

NAME = "beside"
TOPICS = ("queue", "harbor", "crane", "ledger", "pilot", "tide", "berth", "alarm")
DOCUMENTS = [
    Document(
        document_id=f"d{n:03}",
        title=f"{TOPICS[n % 8].title()} {n}",
        text=f"The {TOPICS[n % 8]} of number {n} waits for the {TOPICS[n // 8 % 8]}.",
    )
    for n in range(160)
]
QUESTIONS = tuple(f"the {topic} waits" for topic in TOPICS)


@pytest.fixture
def dg(embedded_database_url: str) -> Iterator[Docgraph]:
    with docgraph.connect(embedded_database_url, workspace=NAME) as made:
        made.ingest_records(DOCUMENTS)
        yield made
        for each in made.workspaces():
            if each.name.startswith(NAME):
                made.drop_workspace(each.name)


def embed(dg: Docgraph, dimension: int = 64, *, stop_after: int | None = None) -> bool:
    progress = RecordingProgress(cancel_after=stop_after)
    return dg.embedding.embed("wordllama", dimension=dimension, questions=0, progress=progress).switched


def plans(dg: Docgraph) -> list[tuple[str, tuple[str, ...]]]:
    made = [dg.plan(question) for question in QUESTIONS]
    return [(plan.embedder_id, plan.document_ids) for plan in made]


def test_a_backup_leaves_unfinished_vectors_out(dg: Docgraph) -> None:
    """What is restored is whole, answers by the old vectors, and can be embedded anew."""
    assert not embed(dg, stop_after=2)
    file, before = io.BytesIO(), plans(dg)
    dg.backups.write(file, workspaces=[NAME])
    dg.backups.restore(file, names={NAME: "beside2"})
    restored = dg.use_workspace("beside2")
    assert plans(restored) == before
    assert restored.embedding.state() is None
    assert embed(restored)
    dg.backups.restore(file, replace=True)
    assert dg.embedding.state() is None
    assert plans(dg) == before


@pytest.mark.parametrize("search", ["exact", "quantized", "hnsw"])
def test_a_backup_of_a_workspace_that_was_embedded_anew_is_that_workspace(dg: Docgraph, search: str) -> None:
    dg.documents.set_vector_search(search)  # type: ignore[arg-type]
    assert embed(dg)
    assert not [each for each in dg.backups.verify(NAME) if each.faults]
    file, before, workspace = io.BytesIO(), plans(dg), dg.workspace
    dg.backups.write(file, workspaces=[NAME])
    dg.backups.restore(file, names={NAME: "beside2"})
    restored = dg.use_workspace("beside2")
    assert plans(restored) == before
    assert restored.workspace == workspace.model_copy(update={"name": "beside2"})
    assert restored.workspace.made_with == "wordllama:l2_supercat:256"
    assert restored.ingest_records(DOCUMENTS).n_skipped == len(DOCUMENTS)


def test_a_process_that_holds_codes_in_memory_sees_the_switch(dg: Docgraph, embedded_database_url: str) -> None:
    dg.documents.set_vector_search("quantized")
    with docgraph.connect(embedded_database_url, workspace=NAME, resident_mb=64) as other:
        before = plans(other)
        vector_cache = getattr(other.session.adapters.database, "vector_cache")  # noqa: B009
        for _ in range(200):
            if vector_cache.holds(NAME):
                break
            threading.Event().wait(0.05)
        assert vector_cache.holds(NAME)
        assert plans(other) == before
        assert embed(dg)
        for _ in range(3):
            assert plans(other) == plans(dg)
            threading.Event().wait(0.2)
        assert {embedder for embedder, _ in plans(other)} == {"wordllama:l2_supercat:64"}


def test_readers_meet_one_state_or_the_other_and_nothing_between(dg: Docgraph, embedded_database_url: str) -> None:
    """While it is switched to and fro: every plan is that of one embedder or of the other, whole; nothing fails."""
    known = {"wordllama:l2_supercat:256": plans(dg)}
    assert embed(dg)
    known["wordllama:l2_supercat:64"] = plans(dg)
    stop, problems, n = threading.Event(), list[BaseException](), count()

    def read() -> None:
        try:
            with docgraph.connect(embedded_database_url, workspace=NAME) as reader:
                while not stop.is_set():
                    for place, question in enumerate(QUESTIONS):
                        run = reader.run(question)
                        assert (run.plan.embedder_id, run.plan.document_ids) == known[run.plan.embedder_id][place]
                        assert run.context.n_chunks
                        next(n)
        except BaseException as error:
            problems.append(error)

    readers = [threading.Thread(target=read) for _ in range(2)]
    for each in readers:
        each.start()
    for dimension in (256, 64, 256, 64):
        assert embed(dg, dimension)
    stop.set()
    for each in readers:
        each.join()
    assert not problems, problems[0]
    assert next(n) > 50


@pytest.mark.parametrize("way", ["go on", "give up"])
def test_killed_while_the_approximate_index_is_left_it_is_there_again_at_the_end(
    dg: Docgraph, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """Until then the workspace answers exactly, by the old vectors."""
    dg.documents.set_vector_search("hnsw")
    with monkeypatch.context() as patch:
        patch.setattr(resizing, "put_in_place", _killed)
        with pytest.raises(KeyboardInterrupt):
            embed(dg)
    assert (dg.workspace.vector_search, dg.workspace.embedder.dimension) == ("exact", 256)
    assert plans(dg)
    if way == "give up":
        assert dg.embedding.abandon()
    else:
        assert embed(dg)
    assert dg.workspace.vector_search == "hnsw"
    assert dg.workspace.embedder.dimension == (256 if way == "give up" else 64)
    assert plans(dg)


def _killed(*_: object) -> None:
    raise KeyboardInterrupt


def test_whose_turn_it_is_keeps_no_old_rows_from_being_removed(dg: Docgraph, embedded_database_url: str) -> None:
    """The lock is that of a transaction, which stays open for hours: it must not see what was there when it began."""
    state = (
        "SELECT backend_xmin FROM pg_stat_activity WHERE state = 'idle in transaction' AND pid IN "
        "(SELECT pid FROM pg_locks WHERE locktype = 'advisory')"
    )
    with (
        dg.session.store().embedding_turn("Ann"),
        psycopg.connect(embedded_database_url, autocommit=True) as connection,
    ):
        assert connection.execute(state).fetchall() == [(None,)]
        with pytest.raises(ConflictError, match="by somebody else"), dg.session.store().embedding_turn("Ben"):
            pass
    assert connection.closed
    with dg.session.store().embedding_turn("Ben"):
        pass
