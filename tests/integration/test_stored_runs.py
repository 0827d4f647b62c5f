"""Saved runs in PostgreSQL: they survive the process, their documents, other roles and hands in the tables."""

from __future__ import annotations

import threading
from collections.abc import Callable

import psycopg
import pytest
from psycopg.types.json import Json

import docgraph
from docgraph import Docgraph, RetrievalRequest, SavedRun
from docgraph.domain.frozen import fingerprint
from docgraph.domain.graph import Document, Relationship
from docgraph.domain.saved_run import ReviewEntry, content_hash
from docgraph.errors import NotFoundError, StoreError
from tests.contract.stores.example_runs import example_run, example_saved
from tests.contract.stores.writing import HOSTILE

TEXTS = {"a": "The queue is bounded.", "b": "A slot holds a payment.", "c": "The alarm rings."}
REQUEST = RetrievalRequest(query="Why is the queue bounded?", max_documents=2, max_expanding_seeds=1)


@pytest.fixture
def opened(new_database_url: str) -> Callable[[], Docgraph]:
    """Opens the workspace ``w`` of a database of this test's own, each time as a new process would."""

    def connect() -> Docgraph:
        return docgraph.connect(new_database_url, workspace="w")

    with connect() as dg:
        documents = [Document(document_id=i, title=i.upper(), text=text) for i, text in TEXTS.items()]
        dg.ingest_records(documents, [Relationship(from_document_id="a", relation_type="explains", to_document_id="b")])
    return connect


def saved_in(opened: Callable[[], Docgraph]) -> SavedRun:
    with opened() as dg:
        return dg.runs.save(REQUEST, name="First", note="for the board", by="me", pinned=True)


def test_a_run_is_read_by_another_process_and_outlives_its_documents_and_its_workspace(
    opened: Callable[[], Docgraph],
) -> None:
    saved = saved_in(opened)
    with opened() as dg:
        assert dg.runs.get(saved.run_id[:6]) == saved
        assert not dg.runs.changes_since(saved).stale
        dg.ingest_records([Document(document_id="a", title="Renamed", text=TEXTS["a"])])
        dg.documents.delete(["b"])
    with opened() as dg:
        kept = dg.runs.get(saved.run_id)
        assert (kept, content_hash(kept.run)) == (saved, saved.content_hash)
        found = dg.runs.changes_since(kept)
        assert [(e.document_id, e.change) for e in found.documents] == [("a", "renamed"), ("b", "removed")]
        assert [(e.key, e.change) for e in found.relationships] == [(("a", "explains", "b"), "removed")]
        again = dg.runs.rerun(kept)
        assert [d.document_id for d in again.documents_with("left")] == ["b"]
        assert dg.compare(kept).sentence == dg.compare(saved).sentence
        dg.drop_workspace("w")
    with opened() as dg:
        assert dg.runs.get(saved.run_id) == saved
        assert [s.name for s in dg.runs.list(text="BOARD")] == ["First"]
        assert dg.runs.changes_since(saved).revision_now == ""
        with pytest.raises(NotFoundError, match="is gone"):
            dg.runs.rerun(saved)


def test_hostile_text_of_documents_survives_byte_for_byte(opened: Callable[[], Docgraph]) -> None:
    texts = {f"h{n}": text for n, text in enumerate([*HOSTILE, "a\x00b", "\u2028\u202e\x7f"])}
    request = RetrievalRequest(query=" ".join(texts.values()), seed_document_ids=tuple(texts), max_documents=20)
    with opened() as dg:
        dg.ingest_records([Document(document_id=i, title=t, text=f"The queue {t} ends.") for i, t in texts.items()])
        saved = dg.runs.save(request, name=request.query, note=request.query)
        assert saved.run.plan.document_ids == tuple(texts)
        kept = dg.runs.get(saved.run_id)
        assert kept == saved
        assert kept.run.model_dump_json() == saved.run.model_dump_json()


def test_small_and_long_numbers_stay_as_they_were_written(new_database_url: str) -> None:
    """``jsonb`` would rewrite 1e-05 and reorder keys; the text is kept as it is."""
    run = example_run(milliseconds=0.1 + 0.2)
    with docgraph.connect(new_database_url) as dg:
        saved = dg.session.archive.save(example_saved(run))
        assert dg.runs.get(saved.run_id).run.model_dump_json() == run.model_dump_json()


TAMPERING = (
    ("saved_runs SET run = replace(run::text, 'bounded', 'unbounded')::json", "the saved run"),
    ("saved_run_baselines SET run = replace(run::text, 'A slot', 'No slot')::json", "the baseline"),
    ("saved_runs SET content_hash = repeat('0', 64)", "the saved run"),
)


def test_a_run_that_was_tampered_with_is_not_shown(opened: Callable[[], Docgraph], new_database_url: str) -> None:
    """It is still listed, and can be deleted."""
    with opened() as dg:
        for change, what in TAMPERING:
            saved = dg.runs.save(REQUEST.model_copy(update={"max_documents": 6}))
            with psycopg.connect(new_database_url) as connection:
                assert connection.execute(f"UPDATE docgraph.{change}".encode()).rowcount >= 1
            with pytest.raises(StoreError, match=rf"{what} .*was changed after it was saved: its content hash is"):
                dg.runs.get(saved.run_id)
            assert [s.run_id for s in dg.runs.list()] == [saved.run_id]
            dg.runs.delete(saved.run_id, forever=True)
            assert dg.runs.list() == ()


def test_a_change_of_its_trace_alone_is_no_change_of_a_run(
    opened: Callable[[], Docgraph], new_database_url: str
) -> None:
    """The hash does not cover how long a step took, so runs of any speed are the same run."""
    saved = saved_in(opened)
    with psycopg.connect(new_database_url) as connection:
        connection.execute("UPDATE docgraph.saved_runs SET run = (run::jsonb || '{\"trace\": []}')::json")
    with opened() as dg:
        assert dg.runs.get(saved.run_id).run == saved.run.model_copy(update={"trace": ()})


def test_a_run_with_fields_of_a_newer_docgraph_says_that_it_cannot_be_read(
    opened: Callable[[], Docgraph], new_database_url: str
) -> None:
    saved = saved_in(opened)
    newer = saved.run.model_dump(mode="json") | {"mood": "good"}
    whole = fingerprint({k: v for k, v in newer.items() if k != "trace"})
    with psycopg.connect(new_database_url) as connection:
        row = (Json(newer), whole)
        connection.execute("UPDATE docgraph.saved_runs SET run = %s::json, content_hash = %s", row)
    with opened() as dg, pytest.raises(StoreError, match=r"cannot be read by this docgraph: mood"):
        dg.runs.get(saved.run_id)


def test_a_role_that_may_only_select_reads_runs_and_is_told_that_it_cannot_save(
    opened: Callable[[], Docgraph], new_database_url: str
) -> None:
    saved = saved_in(opened)
    role = "viewer_" + new_database_url.split("/test_")[1].split("?")[0]
    with psycopg.connect(new_database_url, autocommit=True) as connection:
        connection.execute(f"CREATE ROLE {role} LOGIN")
        connection.execute(f"GRANT USAGE ON SCHEMA docgraph, ws_w TO {role}")
        connection.execute(f"GRANT SELECT ON ALL TABLES IN SCHEMA docgraph, ws_w TO {role}")
    with docgraph.connect(new_database_url.replace("postgres@", f"{role}@"), workspace="w") as dg:
        assert dg.runs.get(saved.run_id) == saved
        assert [s.run_id for s in dg.runs.list(text="first")] == [saved.run_id]
        assert (dg.runs.reviews(saved.run_id), dg.runs.changes_since(saved).stale) == ((), False)
        for change in (
            lambda: dg.runs.save(REQUEST),
            lambda: dg.runs.describe(saved.run_id, name="x"),
            lambda: dg.runs.delete(saved.run_id),
            lambda: dg.runs.review(saved.run_id, "note", text="x"),
        ):
            with pytest.raises(StoreError, match=r"cannot .*run.*permission denied.*grant it the right"):
                change()
    with psycopg.connect(new_database_url, autocommit=True) as connection:
        connection.execute(f"DROP OWNED BY {role}")
        connection.execute(f"DROP ROLE {role}")


def test_lines_of_a_review_written_at_once_are_all_kept(opened: Callable[[], Docgraph]) -> None:
    saved = saved_in(opened)
    with opened() as dg:
        entries = [ReviewEntry(kind="note", at="2026-01-01T00:00:00Z", text=str(n)) for n in range(12)]
        threads = [threading.Thread(target=dg.session.archive.add_review, args=(saved.run_id, e)) for e in entries]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert {line.text for line in dg.runs.reviews(saved.run_id)} == {str(n) for n in range(12)}
