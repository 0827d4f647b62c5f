"""A table that cannot be read, or not all of it: what is said of it, and what is read all the same."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import psycopg
import pytest
from psycopg import sql

import docgraph
from docgraph import Docgraph
from docgraph.errors import DocgraphError, EmbeddingMismatchError, SettingsError, StoreError
from docgraph.plugins.stores.table import source
from tests.conftest import database_beside
from tests.integration.commands import said

Filled = Callable[..., None]
VECTOR = [1.0] * 64


@pytest.fixture
def url(module_database_url: str) -> str:
    with psycopg.connect(module_database_url, autocommit=True) as connection:
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
    return module_database_url


@pytest.fixture
def filled(url: str) -> Filled:
    """Makes the table ``notes`` of these rows: (text, metadata, vector); JSON as text is taken as it is."""

    def fill(*rows: tuple[Any, ...], name: str = "notes", kind: str = "jsonb", width: str = "") -> None:
        table = sql.Identifier(name)
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(sql.SQL("DROP TABLE IF EXISTS {}").format(table))
            columns = f"id serial, content text, langchain_metadata {kind}, embedding vector{width}"
            connection.execute(sql.SQL("CREATE TABLE {} (" + columns + ")").format(table))
            for text, fields, vector in rows:
                given = fields if isinstance(fields, str | None) else json.dumps(fields)
                said = str(vector) if vector else None
                values = map(sql.Literal, (text, given, said))
                statement = sql.SQL(
                    "INSERT INTO {} (content, langchain_metadata, embedding) VALUES ({}, {}, {}::vector)"
                )
                connection.execute(statement.format(table, *values))

    return fill


def opened(url: str, table: str = "notes", **more: Any) -> Docgraph:
    return docgraph.connect(url, table=table, embedder_dimension=64, **more)


def ids(dg: Docgraph) -> list[str]:
    return [document.document_id for document in dg.documents.list()]


def left_out(dg: Docgraph) -> dict[str, int]:
    facts = dg.health()["database"]
    return {name.removeprefix("left_out_"): n for name, n in facts.items() if name.startswith("left_out_")}


def test_a_table_that_is_not_there_is_named_with_those_that_are(url: str, filled: Filled) -> None:
    filled(("x", {"source": "a"}, VECTOR))
    with pytest.raises(SettingsError, match=r"there is no table 'absent' at .*tables with vectors are: public\.notes"):
        opened(url, "absent")
    with pytest.raises(SettingsError, match=r"there is no table 'other\.notes'"):
        opened(url, "other.notes")


def test_a_database_without_pgvector_is_told_from_a_server_that_does_not_answer(embedded_database_url: str) -> None:
    with (
        database_beside(embedded_database_url) as empty,
        pytest.raises(
            SettingsError, match=r"has no vectors to be read: the database has no pgvector .*CREATE EXTENSION vector"
        ),
    ):
        opened(empty)
    with pytest.raises(StoreError, match=r"cannot look at the table: .*is the server running"):
        opened("postgresql://postgres@127.0.0.1:9/x")


@pytest.mark.parametrize("width", ["(3)", ""])
def test_vectors_of_another_width_than_the_embedders_are_refused_with_both_numbers(
    url: str, filled: Filled, width: str
) -> None:
    filled(("x", {"source": "a"}, [1.0, 2.0, 3.0]), width=width)
    told = r"public\.notes have 3 numbers, .*l2_supercat:64 have 64"
    with pytest.raises(EmbeddingMismatchError, match=told), opened(url) as dg:
        ids(dg)


def test_rows_without_text_or_vector_are_left_out_and_counted(url: str, filled: Filled) -> None:
    filled(
        ("whole", {"source": "a"}, VECTOR),
        (None, {"source": "a"}, VECTOR),
        ("  \n", {"source": "b"}, VECTOR),
        ("no vector", {"source": "c"}, None),
    )
    with opened(url) as dg:
        assert ids(dg) == ["a"]
        assert left_out(dg) == {"without_text": 2, "without_a_vector": 1}
        assert dg.workspace.title == "table public.notes; 3 of 4 rows left out"


@pytest.mark.parametrize("fields", ["[1, 2]", '"text"', "null", None, "7"])
def test_metadata_that_are_no_object_say_of_no_document(url: str, filled: Filled, fields: str | None) -> None:
    filled(("x", {"source": "a"}, VECTOR), ("y", fields, VECTOR))
    with opened(url, table_document_field="source") as dg:
        assert ids(dg) == ["a"]
        assert sum(left_out(dg).values()) == 1
    with opened(url, table_document_field="none") as dg:
        assert ids(dg) == ["1", "2"]


@pytest.mark.parametrize("fields", ["null", None, {"page": 7}])
def test_where_half_of_the_rows_say_of_no_document_somebody_has_to(url: str, filled: Filled, fields: object) -> None:
    filled(("x", {"source": "a"}, VECTOR), ("y", fields, VECTOR))
    told = r"no field says of every chunk .*source \(1 documents, 1 of 2 chunks\)"
    with pytest.raises(SettingsError, match=told), opened(url) as dg:
        ids(dg)


DEEP = '{"source": "b", "x": ' + "[" * 100 + "]" * 100 + "}"


@pytest.mark.parametrize(
    ("row", "why"),
    [
        (("bad", {"source": "b"}, [1.0, 2.0, 3.0]), "with_a_vector_of_another_width"),
        (("bad", {"source": "b"}, None), "without_a_vector"),
        ((None, {"source": "b"}, VECTOR), "without_text"),
        (("bad", {"page": 7}, VECTOR), "without_source"),
        (("bad", {"source": None}, VECTOR), "without_source"),
        (("bad", {"source": ["b"]}, VECTOR), "without_source"),
        (("bad", {"source": "b" * 5_000}, VECTOR), "without_source"),
        (("bad", "null", VECTOR), "without_source"),
        (("bad", None, VECTOR), "without_source"),
        (("bad", "[1, 2]", VECTOR), "with_metadata_that_is_no_object"),
        (("bad", "7", VECTOR), "with_metadata_that_is_no_object"),
        (("bad", DEEP, VECTOR), "with_metadata_that_is_no_object"),
    ],
    ids=range(12),
)
def test_one_bad_row_is_left_out_and_counted_never_the_whole_table(
    url: str, filled: Filled, row: tuple[object, ...], why: str
) -> None:
    """One row of another width, or one without the field, had the whole table refused."""
    good = [(f"The queue {n} is bounded.", {"source": f"a{n % 2}"}, VECTOR) for n in range(4)]
    filled(*good[:2], row, *good[2:])
    with opened(url) as dg:
        assert ids(dg) == ["a0", "a1"]
        assert left_out(dg) == {why: 1}
        assert dg.workspace.title.endswith("1 of 5 rows left out")
        assert dg.run(docgraph.RetrievalRequest(query="queue")).plan.document_ids


def test_one_row_in_ten_may_say_nothing_of_its_document(url: str, filled: Filled) -> None:
    good = [("x", {"source": f"a{n % 3}"}, VECTOR) for n in range(36)]
    bad: list[tuple[object, ...]] = [("y", {"page": n}, VECTOR) for n in range(5)]
    filled(*good, *bad[:4])
    with opened(url) as dg:
        assert left_out(dg) == {"without_source": 4}
    filled(*good, *bad)
    with pytest.raises(SettingsError, match=r"source \(3 documents, 36 of 41 chunks\)"), opened(url) as dg:
        ids(dg)


def test_where_most_vectors_have_another_width_the_embedder_is_another(url: str, filled: Filled) -> None:
    filled(*(("x", {"source": "a"}, [1.0, 2.0, 3.0]) for _ in range(2)), ("y", {"source": "b"}, VECTOR))
    with pytest.raises(EmbeddingMismatchError, match=r"have 3 numbers, .* have 64"), opened(url) as dg:
        ids(dg)


def test_bytes_that_are_no_text_are_left_out_of_a_database_without_an_encoding(embedded_database_url: str) -> None:
    name = "without_encoding"
    row = "INSERT INTO notes VALUES (%s, convert_from(%s::bytea, 'SQL_ASCII'), {}, %s)"
    with psycopg.connect(embedded_database_url, autocommit=True) as connection:
        connection.execute(
            f"CREATE DATABASE {name} TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE_PROVIDER libc LOCALE 'C'"
        )
        url = embedded_database_url.replace("/docgraph?", f"/{name}?")
        with psycopg.connect(url, autocommit=True) as other:
            other.execute("CREATE EXTENSION vector")
            other.execute("CREATE TABLE notes (id text, content text, embedding vector, metadata json)")
            vector = f"'{VECTOR}'"
            for place, text in enumerate((b"plain", "Größe".encode(), b"\xff\xfe")):
                other.execute(row.format(vector), (str(place), text, json.dumps({"source": f"s{place}"})))
        with opened(url) as dg:
            assert ids(dg) == ["s0", "s1"]
            assert left_out(dg) == {"with_text_that_is_no_UTF-8": 1}
            assert [chunk.text for chunk in dg.documents.chunks("s1")] == ["Größe"]
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def test_hostile_metadata_are_read_within_bounds_and_never_as_anything_but_text(url: str, filled: Filled) -> None:
    deep = '{"source": "deep", "x": ' + "[" * 500 + "]" * 500 + "}"
    wide = '{"source": "wide", "x": [' + ",".join("1" * 60_000) + "]}"
    endless = '{"source": "endless", "x": 1e999, "n": ' + "9" * 5_000 + "}"
    odd = (
        '{"source": "\\ud800\\u0000 \\u202e<script>", "title": "<img src=x>", "depends_on": [{"to": {"to": []}}, 7.5]}'
    )
    filled(*((each, each, VECTOR) for each in (deep, wide, endless, odd)), kind="json")
    with opened(url, table_document_field="source") as dg:
        (document,) = dg.documents.list()
        assert document.title == "<img src=x>"
        assert "\x00" not in document.document_id
        assert left_out(dg) == {"with_metadata_that_is_no_object": 3}


def test_several_fields_that_group_alike_are_one_and_others_are_listed(url: str, filled: Filled) -> None:
    rows = [("x", {"source": f"{i % 2}.md", "file_path": f"/docs/{i % 2}.md", "page": i}, VECTOR) for i in range(4)]
    filled(*rows)
    with opened(url) as dg:
        assert ids(dg) == ["0.md", "1.md"]
    filled(*(("x", {**fields, "document_id": "all"}, VECTOR) for _, fields, _ in rows))
    with pytest.raises(SettingsError) as caught, opened(url) as dg:
        ids(dg)
    assert caught.value.message == (
        "several fields could say which document a chunk of table public.notes belongs to: "
        "document_id (1 documents, 4 of 4 chunks), file_path (2 documents, 4 of 4 chunks), "
        "source (2 documents, 4 of 4 chunks)"
    )
    assert "DOCGRAPH_TABLE_DOCUMENT_FIELD" in caught.value.hint
    with opened(url, table_document_field="document_id") as dg:
        assert ids(dg) == ["all"]
    told = r"no chunk of table public\.notes has the field 'absent'"
    with pytest.raises(SettingsError, match=told), opened(url, table_document_field="absent") as dg:
        ids(dg)


def test_a_table_without_rows_is_an_empty_workspace(url: str, filled: Filled) -> None:
    filled()
    with opened(url) as dg:
        assert (dg.workspace.n_documents, dg.workspace.title) == (0, "table public.notes")
        assert not dg.run(docgraph.RetrievalRequest(query="anything")).plan.document_ids
        filled(("x", {"source": "a"}, VECTOR))
    with opened(url) as dg:
        assert ids(dg) == ["a"]


def test_more_than_fits_into_memory_is_refused_before_it_is_read(
    url: str, filled: Filled, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(*(("x", {"source": "a"}, VECTOR) for _ in range(3)))
    for bound, message in (
        ("MAX_ROWS", r"has 3 chunks; at most 2 are read where they lie.*docs\.jsonl"),
        ("MAX_NUMBERS", r"has 192 numbers in its vectors; at most 2"),
        ("MAX_CHARACTERS", r"has 48 characters; at most 2"),
    ):
        with monkeypatch.context() as patch, opened(url) as dg:
            patch.setattr(source, bound, 2)
            with pytest.raises(StoreError, match=message):
                ids(dg)


@pytest.mark.parametrize("name", ['x"; DROP TABLE kept; --', "a.b.c", "Größe 'n'", "{0}", "%s"])
def test_a_name_is_never_more_than_a_name(url: str, filled: Filled, name: str) -> None:
    filled(("kept", {"source": "kept"}, VECTOR), name="kept")
    filled(("x", {"source": "a"}, VECTOR), name=name)
    with opened(url, name) as dg:
        assert ids(dg) == ["a"]
    with opened(url, f"public.{name}") as dg:
        assert ids(dg) == ["a"]
    with opened(url, "kept") as dg:
        assert ids(dg) == ["kept"]


COLLECTIONS = """
DROP SCHEMA IF EXISTS lc CASCADE; CREATE SCHEMA lc;
CREATE TABLE lc.langchain_pg_collection (uuid uuid PRIMARY KEY, name varchar NOT NULL UNIQUE, cmetadata json);
CREATE TABLE lc.langchain_pg_embedding (id varchar PRIMARY KEY, collection_id uuid, embedding vector, document varchar,
 cmetadata jsonb)"""


def test_a_collection_is_named_where_there_are_several(url: str, filled: Filled) -> None:
    table = "lc.langchain_pg_embedding"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(COLLECTIONS)
        with pytest.raises(SettingsError, match=r"has no collections: none"):
            opened(url, table)
        connection.execute("INSERT INTO lc.langchain_pg_collection VALUES (gen_random_uuid(), 'a')")
        with opened(url, table) as dg:
            assert dg.workspace.title == f"collection a of table {table} (LangChain PGVector)"
        connection.execute("INSERT INTO lc.langchain_pg_collection VALUES (gen_random_uuid(), 'b')")
        with pytest.raises(SettingsError, match=r"has several collections: a \(0 chunks\), b \(0 chunks\)"):
            opened(url, table)
        with pytest.raises(SettingsError, match=r"has no collection 'c': a \(0 chunks\)"):
            opened(url, table, table_collection="c")
    filled(("x", {"source": "a"}, VECTOR))
    with pytest.raises(SettingsError, match=r"notes has no collections, but DOCGRAPH_TABLE_COLLECTION names 'a'"):
        opened(url, table_collection="a")


def test_fields_name_documents_by_whatever_they_are_called(url: str, filled: Filled) -> None:
    filled(
        ("x", {"document_id": "a", "source": "https://x.example/a?b=1,2", "see": ["https://x.example/c", "b"]}, VECTOR),
        ("y", {"document_id": "a", "source": "https://x.example/a?b=1,2", "see": "Bee; https://else.example"}, VECTOR),
        ("z", {"document_id": "b", "source": "https://x.example/c", "see": ["https://x.example/a?b=1,2"]}, VECTOR),
    )
    with opened(url, table_relations=("see=sees",)) as dg:
        edges = {edge.key for edge in dg.relationships.list()}
    assert {key for key in edges if key[2] in ("a", "b")} == {("a", "sees", "b"), ("b", "sees", "a")}
    assert not [key for key in edges if key[2].startswith("https://")]
    with opened(url) as dg:
        assert not [*dg.relationships.list()], "no usual field is there"
    with pytest.raises(SettingsError, match=r"'=sees' in DOCGRAPH_TABLE_RELATIONS is no field"):
        opened(url, table_relations=("=sees",))


def test_settings_that_do_not_fit_a_table_are_refused_by_name(url: str, filled: Filled) -> None:
    filled(("x", {"source": "a"}, VECTOR))
    with pytest.raises(SettingsError, match=r"DOCGRAPH_DATABASE_URL is not set, and the store 'table' needs it"):
        docgraph.connect(table="notes")
    with pytest.raises(SettingsError, match=r"DOCGRAPH_READ_DATABASE_URL is set, but stores plug-in 'table' cannot"):
        opened(url, read_database_url=url)
    with pytest.raises(SettingsError, match=r"DOCGRAPH_TABLE_TITLE_FIELD is set, but stores plug-in 'postgres' cannot"):
        docgraph.connect(url, table_title_field="title")
    with pytest.raises(SettingsError, match=r"DOCGRAPH_TABLE is set, but stores plug-in 'memory' cannot"):
        docgraph.connect(table="notes", store="memory")


def test_commands_ask_a_table_and_refuse_what_would_be_kept(
    url: str, filled: Filled, command: Any, tmp_path: Any
) -> None:
    filled(("The queue is bounded.", {"source": "a", "title": "Bounded", "depends_on": "b"}, VECTOR), width="(64)")
    there = {"DATABASE_URL": url, "TABLE": "notes", "EMBEDDER_DIMENSION": "64", "DATA_DIR": str(tmp_path)}
    code, out, _ = command("plan", "Why is the queue bounded?", "--json", **there)
    assert (code, json.loads(out)["seed_documents"][0]["document_id"]) == (0, "a")
    code, out, _ = command("workspaces", "--json", **there)
    assert [each["title"] for each in json.loads(out)["workspaces"]] == ["table public.notes"]
    code, out, _ = command("doctor", "--json", **there)
    facts = json.loads(out)["health"]["database"]
    assert (code, facts["kind"], facts["table"], facts["document_field"]) == (
        0,
        "table",
        "table public.notes",
        "source",
    )
    (tmp_path / "new.md").write_text("# New\n\nText.\n")
    code, _, err = command("ingest", str(tmp_path / "new.md"), **there)
    assert (code, said(err)[0]) == (1, "the store 'table' only reads: nothing is imported into it")
    for refused in (("backup", str(tmp_path / "x.zip")), ("db", "distribute"), ("workspaces", "drop", "w", "--yes")):
        code, _, err = command(*refused, **there)
        assert code in (1, 2, 3)
        assert said(err)[1]


def test_an_error_of_a_table_never_repeats_the_password(filled: Filled) -> None:
    with pytest.raises(DocgraphError) as caught:
        opened("postgresql://someone:s3cret-word@127.0.0.1:9/x")
    assert "s3cret-word" not in f"{caught.value}{caught.value.__cause__}"
