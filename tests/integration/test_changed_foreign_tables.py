"""A table whose columns change while it is open, and a database in which others made functions of their own."""

from __future__ import annotations

import psycopg
import pytest

import docgraph
from docgraph import Docgraph
from docgraph.errors import SettingsError

VECTOR = [1.0] * 64


@pytest.fixture
def url(new_database_url: str) -> str:
    with psycopg.connect(new_database_url, autocommit=True) as connection:
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
        connection.execute("CREATE TABLE notes (id serial, content text, langchain_metadata jsonb, embedding vector)")
        row = ("x", '{"source": "a"}', str(VECTOR))
        connection.execute(
            "INSERT INTO notes (content, langchain_metadata, embedding) VALUES (%s, %s::jsonb, %s::vector)", row
        )
    return new_database_url


def opened(url: str) -> Docgraph:
    return docgraph.connect(url, table="notes", embedder_dimension=64)


def ids(dg: Docgraph) -> list[str]:
    return [document.document_id for document in dg.documents.list()]


@pytest.mark.parametrize("own", ["(text, int)", "(text, bigint)"])
def test_a_function_of_anybody_is_not_taken_for_the_server_s(url: str, own: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            f"CREATE FUNCTION hashtextextended{own} RETURNS bigint LANGUAGE sql AS 'SELECT 1/0'".encode()
        )
        try:
            with opened(url) as dg:
                assert ids(dg) == ["a"]
        finally:
            connection.execute(f"DROP FUNCTION public.hashtextextended{own}".encode())


def test_columns_that_change_while_a_table_is_open_are_looked_at_anew(url: str) -> None:
    """Vectors that became texts were an error of the program, a view in the table's place one of the database."""
    with opened(url) as dg, psycopg.connect(url, autocommit=True) as connection:
        assert ids(dg) == ["a"]
        connection.execute("CREATE TABLE held AS SELECT * FROM notes")
        connection.execute("ALTER TABLE notes ALTER embedding TYPE text")
        with pytest.raises(SettingsError, match="no column of the type vector"):
            ids(dg)
        connection.execute("DROP TABLE notes")
        with pytest.raises(SettingsError, match="there is no table 'notes'"):
            ids(dg)
        connection.execute("CREATE VIEW notes AS SELECT * FROM held")
        assert ids(dg) == ["a"]
        connection.execute("DROP VIEW notes")
        connection.execute("DROP TABLE held")
