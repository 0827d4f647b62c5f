"""Reading needs the right to read and nothing else, and it writes nothing."""

from __future__ import annotations

import psycopg
import pytest

import docgraph
from docgraph import RetrievalRequest, plugins
from docgraph.domain.edit import Edit
from docgraph.domain.finding import Finding, Rule
from docgraph.domain.graph import Document, Relationship
from docgraph.errors import StoreError
from docgraph.plugins.stores.postgres.curation import WRITTEN
from docgraph.ports import Database, EdgeChange
from tests.contract.stores.embedding import OTHER
from tests.contract.stores.examples import EMBEDDER, example_document
from tests.contract.stores.history import everything

GRANTS = """
CREATE ROLE {role} LOGIN;
GRANT USAGE ON SCHEMA docgraph, ws_w TO {role};
GRANT SELECT ON ALL TABLES IN SCHEMA docgraph, ws_w TO {role};
"""
READ_ONLY = "options=-c%20default_transaction_read_only%3Don"


@pytest.fixture
def reader_url(new_database_url: str) -> str:
    """A database with a filled workspace ``w``, as a role that may only SELECT."""
    owner: Database = plugins.build("stores", "postgres", database_url=new_database_url)
    documents = [example_document(i, ("the zebra",), edges=[("cites", "a"), ("cites", "x")]) for i in "abc"]
    owner.create_workspace("w", EMBEDDER).write(documents)
    owner.close()
    role = "reader_" + new_database_url.split("/test_")[1].split("?")[0]
    with psycopg.connect(new_database_url, autocommit=True) as connection:
        connection.execute(GRANTS.format(role=role))
    return new_database_url.replace("postgres@", f"{role}@")


def test_a_role_that_may_only_select_reads_everything_and_changes_nothing(reader_url: str) -> None:
    database: Database = plugins.build("stores", "postgres", database_url=reader_url)
    assert [workspace.n_documents for workspace in database.workspaces()] == [3]
    store = database.open_workspace("w")
    assert not store.may_write()
    assert (store.rules(), store.dismissals(), store.contested(), store.judgments()) == ({}, (), (), ())
    with store.reading() as snapshot:
        assert len(everything(snapshot)["documents"]) == 3
    assert database.health()["n_workspaces"] == 1
    with pytest.raises(StoreError, match=r"permission denied.*grant it the right"):
        store.write([example_document("d")])
    with pytest.raises(StoreError, match=r"permission denied"):
        database.drop_workspace("w")
    assert database.workspaces()[0].n_documents == 3
    database.close()


def test_questions_go_to_the_reading_url_and_changes_to_the_other(reader_url: str, new_database_url: str) -> None:
    database: Database = plugins.build(
        "stores", "postgres", database_url=new_database_url, read_database_url=reader_url
    )
    store = database.open_workspace("w")
    store.write([example_document("d")])
    with store.reading() as snapshot:
        user = snapshot._connection.execute("SELECT current_user").fetchone()  # type: ignore[attr-defined]
        assert user[0].startswith("reader_")
        assert snapshot.workspace.n_documents == 4
    database.close()


def test_who_may_write_is_known_by_rights_not_by_trying(reader_url: str, new_database_url: str) -> None:
    """The owner may, unless the session is read-only; a role with half the rights may not."""
    role = reader_url.split("//")[1].split("@")[0]
    read_only = new_database_url + ("&" if "?" in new_database_url else "?") + READ_ONLY
    with psycopg.connect(new_database_url, autocommit=True) as connection:
        connection.execute(f"GRANT INSERT, DELETE ON ws_w.document_relationships TO {role}")
        for url, may in ((new_database_url, True), (read_only, False), (reader_url, False)):
            database: Database = plugins.build("stores", "postgres", database_url=url)
            assert database.open_workspace("w").may_write() is may
            database.close()
        for table, right in WRITTEN:
            connection.execute(f"GRANT {right} ON {table.replace('{schema}', 'ws_w')} TO {role}")
    half: Database = plugins.build("stores", "postgres", database_url=reader_url)
    store = half.open_workspace("w")
    assert store.may_write()
    store.set_rules({"hub": Rule(on=False)})
    with store.reading() as snapshot:
        edge = next(iter(snapshot.relationships()))
    store.change_relationships([EdgeChange(Edit(action="remove", key=edge.key), edge, None)], at="", by="x", reason="")
    half.close()


def test_reading_cannot_write_and_moves_no_write_ahead_log(reader_url: str, new_database_url: str) -> None:
    """Even the owner's snapshot refuses a write; the log's position stays where it was after any reading."""
    database: Database = plugins.build("stores", "postgres", database_url=new_database_url)
    store = database.open_workspace("w")
    with store.reading() as snapshot:
        everything(snapshot)  # the first reading may set hint bits
    with psycopg.connect(new_database_url, autocommit=True) as connection:
        connection.execute("CHECKPOINT")
        for _ in range(20):
            before = connection.execute("SELECT pg_current_wal_lsn()").fetchone()
            with store.reading() as snapshot:
                everything(snapshot)
            after = connection.execute("SELECT pg_current_wal_lsn()").fetchone()
            if before == after:
                break  # a background process may log something by itself, but not every time
        assert before == after
    with pytest.raises(StoreError, match="read-only"), store.reading() as snapshot:
        snapshot._connection.execute("CREATE TABLE x ()")  # type: ignore[attr-defined]
    database.close()


def test_everything_that_reads_through_docgraph_works_for_a_role_that_may_only_select(new_database_url: str) -> None:
    documents = [Document(document_id=i, title=f"Queue {i}", text=f"The queue {i} is bounded.") for i in "abcdefgh"]
    edge = Relationship(from_document_id="a", relation_type="explains", to_document_id="h")
    with docgraph.connect(new_database_url, workspace="w") as owner:
        owner.ingest_records(documents, [edge])
        request = RetrievalRequest(query="queue a", seed_document_ids=("a",))
        expected = owner.run(request)
    role = "viewer_" + new_database_url.split("/test_")[1].split("?")[0]
    with psycopg.connect(new_database_url, autocommit=True) as connection:
        connection.execute(GRANTS.format(role=role))
    with docgraph.connect(new_database_url.replace("postgres@", f"{role}@"), workspace="w") as dg:
        run = dg.run(request)
        assert (run.plan, run.context, run.assembled) == (expected.plan, expected.context, expected.assembled)
        assert all(check.passed for check in run.contract)
        assert dg.execute(dg.plan(request)) == expected.context
        assert dg.explain(request, "h").reasons
        assert [document.document_id for document in dg.documents.list()] == list("abcdefgh")
        assert [relationship.key for relationship in dg.relationships.list(dangling=False)] == [edge.key]
        assert dg.relationships.types() == {"explains": 1}
        assert len(dg.documents.chunks("a")) == 1
        assert dg.health()["workspaces"][0]["n_documents"] == len(documents)
        assert not dg.may_write()
        assert (dg.rules.get(), dg.rules.dismissals(), dg.rules.contested(), dg.judgments.list()) == ({}, (), (), ())
        assert dg.check().n_relationships == 1
        for change in (
            lambda: dg.ingest_records([Document(document_id="z", title="z", text="z")]),
            lambda: dg.documents.delete(["a"]),
            lambda: dg.relationships.remove(edge.key),
            lambda: dg.create_workspace("other"),
            lambda: dg.rules.set({"hub": Rule(on=False)}),
            lambda: dg.rules.dismiss([Finding.about("hub", "info", "x", document_ids=("a",))], by="me", reason="why"),
            lambda: dg.rules.withdraw(["x"]),
            lambda: dg.judgments.judge("queue a", "a", True, by="me"),
            lambda: dg.judgments.judge("queue a", "a", None, by="me"),
            lambda: dg.drop_workspace("w"),
        ):
            with pytest.raises(StoreError, match=r"permission denied.*grant it the right"):
                change()
        assert dg.workspace.revision == expected.plan.corpus_revision


def test_a_role_that_may_only_read_is_told_that_a_workspace_is_being_embedded_anew(
    reader_url: str, new_database_url: str
) -> None:
    """Its vectors are in a table that the role has no right to; whose they are, and of how many texts, it knows."""
    owner: Database = plugins.build("stores", "postgres", database_url=new_database_url)
    owner.open_workspace("w").begin_embedding(OTHER, at="", by="Ann")
    owner.close()
    database: Database = plugins.build("stores", "postgres", database_url=reader_url)
    store = database.open_workspace("w")
    state = store.embedding()
    assert state is not None
    assert (state.embedder, state.by, state.n_done, state.n_total) == (OTHER, "Ann", 0, 9)
    with pytest.raises(StoreError, match="permission denied"):
        store.begin_embedding(OTHER, at="", by="Bob")
    database.close()
