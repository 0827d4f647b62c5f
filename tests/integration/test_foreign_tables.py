"""Tables that LangChain and LlamaIndex made are read where they lie: whole, with their relationships, and only read.

What the libraries write is kept in ``foreign_tables``, as ``benchmarks.peers.foreign_tables`` made it with them.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import psycopg
import pytest

import docgraph
from docgraph import Docgraph, RetrievalRequest
from docgraph.domain.edit import Edit
from docgraph.domain.graph import Document
from docgraph.domain.workspace import EmbedderInfo
from docgraph.errors import StoreError, UserError
from docgraph.plugins.stores.postgres.server.binaries import binaries
from docgraph.plugins.stores.table.source import TableSource
from tests.conftest import database_beside

MADE = Path(__file__).parent / "foreign_tables"
QUESTION = "Why is the queue bounded?"
TABLES: dict[str, dict[str, Any]] = {
    "data_notes": {},
    "data_lean": {},
    "langchain_pg_embedding": {"table_collection": "notes"},
    "Lang Notes": {},
}
STATED = {
    ("docs/adr-1.md", "depends_on", "docs/adr-2.md"),
    ("docs/adr-1.md", "references", "docs/gone.md"),
    ("docs/adr-1.md", "references", "docs/runbook.md"),
    ("docs/adr-2.md", "links_to", "docs/adr-1.md"),
}


@pytest.fixture(scope="module")
def url(embedded_database_url: str) -> Iterator[str]:
    """A database with the tables of both libraries."""
    with database_beside(embedded_database_url) as made:
        with psycopg.connect(made, autocommit=True) as connection:
            for file in ("langchain.sql", "llamaindex.sql"):
                connection.execute((MADE / file).read_bytes())
        yield made


def opened(url: str, table: str, **more: Any) -> Docgraph:
    return docgraph.connect(url, table=table, embedder_dimension=64, **more)


def changed(url: str, statement: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(statement.encode())


@pytest.mark.parametrize("table", TABLES)
def test_a_table_made_by_a_library_is_read_with_its_documents_and_relationships(url: str, table: str) -> None:
    with opened(url, table, **TABLES[table]) as dg:
        documents = {document.document_id: document for document in dg.documents.list()}
        edges = {edge.key for edge in dg.relationships.list()}
        texts = [chunk.text for chunk in dg.documents.chunks("docs/adr-1.md")]
    assert [*documents] == ["docs/adr-1.md", "docs/adr-2.md", "docs/lunch.md", "docs/runbook.md"]
    assert documents["docs/adr-1.md"].title == "ADR-1: Bounded queue"
    assert edges >= STATED
    assert edges - STATED <= {("docs/lunch.md", "parent", "docs/runbook.md")}
    assert len(texts) == 2
    assert texts[0].startswith("The queue between intake and workers")
    assert texts[1].endswith("nothing is lost silently.")


@pytest.mark.parametrize("table", ["data_notes", "data_lean"])
def test_relations_between_nodes_of_llamaindex_are_relationships_of_their_documents(url: str, table: str) -> None:
    with opened(url, table) as dg:
        assert [edge.to_document_id for edge in dg.relationships.list(relation_type="parent")] == ["docs/runbook.md"]
        assert not [*dg.relationships.list(relation_type="next")], "both nodes belong to one document"


@pytest.mark.parametrize("table", TABLES)
def test_over_a_table_everything_is_asked_and_every_promise_is_kept(url: str, table: str) -> None:
    request = RetrievalRequest(query=QUESTION, max_seeds=1)
    with opened(url, table, **TABLES[table]) as dg:
        run = dg.run(request)
        assert all(check.passed for check in run.contract)
        assert run.plan.document_ids[0] == "docs/adr-1.md"
        assert {*run.plan.document_ids[1:]} == {"docs/adr-2.md", "docs/runbook.md"}
        assert dg.plan(request) == run.plan
        assert dg.execute(run.plan) == run.context
        added = [each.document_id for each in dg.compare(request).documents if each.change == "added"]
        assert added == [*run.plan.document_ids[1:]]
        assert dg.explain(request, "docs/runbook.md").role == "expanded"
        assert {r.check_id: len(r.findings) for r in dg.check().results}["missing_endpoint"] == 1
        assert dg.retrieve(QUESTION).context_packet.candidates
        without = run.request.model_copy(update={"use_relationships": False})
        assert dg.run(without).plan.document_ids == ("docs/adr-1.md",)
        anew = str(dg.health()["database"]["chunks_embedded_anew"])
    assert anew == "1.00, 1.00, 1.00 similar to their vectors"


def dump(url: str) -> str:
    """The whole database as text; its key is another one with each call."""
    socket, name = unquote(url.split("host=")[1]), url.rsplit("/", 1)[1].split("?")[0]
    command = [str(binaries() / "pg_dump"), "-h", socket, "-U", "postgres", name]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return "\n".join(line for line in text.splitlines() if not line.startswith(("\\restrict", "\\unrestrict")))


def refusal(act: Any) -> str:
    try:
        act()
    except UserError as error:
        return error.message
    return "not refused"


@pytest.mark.parametrize("table", TABLES)
def test_nothing_in_the_database_changes_whatever_is_asked_or_tried(url: str, table: str, tmp_path: Path) -> None:
    (tmp_path / "new.md").write_text("# New\n\nText.\n")
    before = dump(url)
    with opened(url, table, **TABLES[table]) as dg:
        run = dg.run(RetrievalRequest(query=QUESTION))
        dg.check()
        dg.converse(None, "And what of back pressure?")
        refused = [
            refusal(act)
            for act in (
                lambda: dg.runs.save(run),
                lambda: dg.ingest(tmp_path),
                lambda: dg.ingest_records([Document(document_id="x", title="X", text="x")]),
                lambda: dg.documents.delete(["docs/adr-1.md"]),
                lambda: dg.relationships.edit(
                    [Edit(action="remove", key=("docs/adr-1.md", "depends_on", "docs/adr-2.md"))], by="me"
                ),
                lambda: dg.judgments.judge(QUESTION, "docs/adr-1.md", True, by="me"),
                lambda: dg.create_workspace("new"),
                lambda: dg.drop_workspace("default"),
            )
        ]
        assert not dg.may_write()
    assert all(message.startswith("the store 'table' only reads: ") for message in refused), refused
    assert dump(url) == before


EMBEDDER = EmbedderInfo(name="wordllama", model="l2_supercat", dimension=64)


def test_the_server_itself_refuses_a_write_in_the_transactions_that_read(url: str) -> None:
    source = TableSource(url, table="data_notes", collection=None, embedder=EMBEDDER, statement_timeout=30)
    told = r"cannot read: cannot execute DELETE in a read-only transaction"
    with closing(source), pytest.raises(StoreError, match=told), source._reading("read") as connection:
        connection.execute("DELETE FROM data_notes")


def test_a_role_that_may_only_select_is_enough(url: str) -> None:
    role = "selects_" + url.rsplit("/test_", 1)[1][:8]
    changed(url, f"CREATE ROLE {role} LOGIN; GRANT SELECT ON data_notes TO {role}")
    with opened(url.replace("postgres@", f"{role}@"), "data_notes") as dg:
        assert dg.workspace.n_documents == 4
    changed(url, f"DROP OWNED BY {role}; DROP ROLE {role}")


def test_a_view_of_the_table_sees_one_state_and_the_next_one_what_came_since(url: str) -> None:
    changed(url, "CREATE TABLE moving AS SELECT * FROM data_notes")
    with opened(url, "moving") as dg:
        first = dg.workspace
        with dg.session.reading() as snapshot:
            changed(url, "DELETE FROM moving WHERE metadata_ ->> 'ref_doc_id' = 'docs/lunch.md'")
            assert [each.document_id for each in snapshot.documents(text="lunch")] == ["docs/lunch.md"]
        assert dg.workspace.n_documents == 3
        assert dg.workspace.revision != first.revision
        second = dg.workspace
        changed(url, "UPDATE moving SET text = text || ' Soup.' WHERE id = 1")
        assert dg.workspace.revision != second.revision
    changed(url, "DROP TABLE moving")


def test_rows_that_only_lie_elsewhere_are_the_same_content(url: str) -> None:
    changed(url, "CREATE TABLE lying AS SELECT * FROM data_notes ORDER BY id")
    with opened(url, "lying") as dg:
        first = dg.workspace
        changed(url, "UPDATE lying SET text = text WHERE id = 1; CREATE INDEX ON lying (id DESC)")
        assert dg.workspace.revision == first.revision
    changed(url, "DROP TABLE lying")


def test_a_view_can_be_opened_where_a_table_has_no_names_that_are_known(url: str) -> None:
    changed(
        url,
        "CREATE TABLE own (said text, words text, where_from text, v1 vector(64)); INSERT INTO own SELECT 'x', text, "
        "metadata_ ->> 'ref_doc_id', embedding FROM data_notes; "
        "CREATE VIEW readable AS SELECT words AS content, where_from AS source, v1 FROM own",
    )
    with pytest.raises(docgraph.DocgraphError, match=r"none of the columns of public\.own is known to hold the texts"):
        opened(url, "own")
    with opened(url, "readable") as dg:
        first = dg.workspace
        assert (first.n_documents, first.n_chunks) == (4, 5)
        changed(url, "UPDATE own SET words = 'Another text.' WHERE where_from = 'docs/lunch.md'")
        assert dg.workspace.revision != first.revision
    changed(url, "DROP TABLE own CASCADE")
