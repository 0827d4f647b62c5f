"""Tables that somebody else made on purpose: their names, columns and rows, and the database that they lie in."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import psycopg
from psycopg import sql

DIMENSION = 64
GOOD = [("The queue 0 is bounded.", "a"), ("The queue 1 is bounded.", "b"), ("The queue 2 is bounded.", "a")]
"""(text, document) of three chunks that anybody can read."""
ANSWER = {"a": ["The queue 0 is bounded.", "The queue 2 is bounded."], "b": ["The queue 1 is bounded."]}
NAMES = (
    'x"; DROP TABLE kept; --',
    "a.b.c",
    "Größe 'n'",
    "{0}",
    "%s %(x)s %%",
    "select",
    "t",
    "o",
    "two\nlines\r\u2028more",
    "\u202eevil",
    "$$;$1",
    "n" * 63,
)
OTHERS = {
    "numeric": "'NaN'",
    "float8": "'-Infinity'",
    "timestamptz": "'infinity'",
    "date": "'4713-01-01 BC'",
    "interval": "'178000000 years'",
    "inet": "'::1'",
    "money": "'-92233720368547758.08'",
    "int8range": "'empty'",
    "point": "'(NaN,1e308)'",
    "oid": "4294967295",
    "regclass": "'pg_class'",
    '"char"': "'x'",
    "text[]": "array[null, '\"', E'\\n']",
    "int[]": "'[0:1][-1:0]={{1,2},{3,4}}'",
    "bytea": "'\\x00ff'",
    "tsvector": "'a:1 b'",
    "bit(3)": "B'101'",
    "jsonb": '\'{"source": "z", "x": {"": [null]}}\'',
    "json": '\'{"source": 1, "source": 2}\'',
    "uuid": "'00000000-0000-0000-0000-000000000000'",
    "kept": "(SELECT k FROM kept k)",
    "pg_lsn": "'0/0'",
    "bool": "NULL",
}
"""Type of one more column → the value that each row has in it."""
TEXT_TYPES = {"text": True, "varchar(90)": True, "char(40)": True, "bytea": False, "int": False, "worded": False}
VECTOR_TYPES = {
    "vector": True,
    "vector(64)": True,
    "halfvec": True,
    "halfvec(64)": True,
    "vector(3)": False,
    "sparsevec": False,
    "real[]": False,
    "directed": False,
}
"""Type of the column → whether a table that has it there is one that can be read."""


def vector(n: int, width: int = DIMENSION) -> str:
    """A vector of its own, as pgvector writes it."""
    return str([1.0 if place == n % width else 0.25 for place in range(width)])


_DEEP = '{"source": "z", "x": ' + "[" * 400 + "]" * 400 + "}"
_WIDE = '{"source": "z", "x": [' + ",".join("1" * 60_000) + "]}"
_ENDLESS = '{"source": "z", "n": ' + "9" * 5_000 + "}"
_TEXT, _VECTOR = "bad", vector(9)
BAD: Mapping[str, tuple[str | None, str | None, str | None]] = {
    "no text": (None, '{"source": "z"}', _VECTOR),
    "blank text": (" \n\t", '{"source": "z"}', _VECTOR),
    "no vector": (_TEXT, '{"source": "z"}', None),
    "a narrower vector": (_TEXT, '{"source": "z"}', "[1,2,3]"),
    "a wider vector": (_TEXT, '{"source": "z"}', vector(1, 65)),
    "no metadata": (_TEXT, None, _VECTOR),
    "null": (_TEXT, "null", _VECTOR),
    "a list": (_TEXT, '[{"source": "z"}]', _VECTOR),
    "a text": (_TEXT, '"source"', _VECTOR),
    "a number": (_TEXT, "1e999", _VECTOR),
    "too deep": (_TEXT, _DEEP, _VECTOR),
    "too wide": (_TEXT, _WIDE, _VECTOR),
    "a long number": (_TEXT, _ENDLESS, _VECTOR),
    "a megabyte of metadata": (_TEXT, json.dumps({"source": "z", "x": "y" * 1_000_001}), _VECTOR),
    "another field": (_TEXT, '{"page": 1}', _VECTOR),
    "source null": (_TEXT, '{"source": null}', _VECTOR),
    "source a list": (_TEXT, '{"source": ["z"]}', _VECTOR),
    "source an object": (_TEXT, '{"source": {"source": "z"}}', _VECTOR),
    "source true": (_TEXT, '{"source": true}', _VECTOR),
    "source a fraction": (_TEXT, '{"source": 1.5}', _VECTOR),
    "source empty": (_TEXT, '{"source": ""}', _VECTOR),
    "source too long": (_TEXT, json.dumps({"source": "z" * 5_000}), _VECTOR),
}
"""One row that is left out, whatever the others are: (text, metadata, vector)."""
ODD: Mapping[str, tuple[str, dict[str, Any], str]] = {
    "zeros": ("zero", {}, str([0.0] * DIMENSION)),
    "the largest numbers": ("large", {}, str([3.4e38] * DIMENSION)),
    "the smallest numbers": ("small", {}, str([1.4e-45] * DIMENSION)),
    "numbers of both kinds": ("both", {}, str([3.4e38, -3.4e38] * (DIMENSION // 2))),
    "half a megabyte": ("queue " * 90_000 + "end", {}, _VECTOR),
    "one word without an end": ("q" * 500_000, {}, _VECTOR),
    "SQL": ("'; DROP TABLE kept; --", {"title": "'; DROP TABLE kept; --", "depends_on": "a'; --"}, _VECTOR),
    "markup": ("<script>alert(1)</script>", {"title": "<img src=x onerror=y>", "Header 1": "</h1>"}, _VECTOR),
    "a node that is none": ("node", {"_node_content": '{"relationships": [1, {"1": 7}]}'}, _VECTOR),
    "a deep node": ("node", {"_node_content": "[" * 900 + "]" * 900}, _VECTOR),
    "links to itself": ("link", {"links": ["z", "z", {"to": "z"}, 7, None], "depends_on": {"z": "z"}}, _VECTOR),
    "positions of two kinds": ("place", {"page": "one", "start_index": -1e300, "chunk_index": True}, _VECTOR),
    "a path out": ("path", {"file_path": "../../../etc/passwd", "url": "file:///etc/passwd"}, _VECTOR),
}
"""One row that is read as it is, as the document ``z``: (text, further metadata, vector)."""


class Place:
    """The database of a row: makes the table ``notes`` anew, and tells all that is stored."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self.connection = connection
        self.run(
            "CREATE EXTENSION IF NOT EXISTS vector; CREATE TABLE kept (a text, b int);"
            "INSERT INTO kept VALUES ('k', 1);"
            "CREATE DOMAIN worded AS text; CREATE DOMAIN directed AS vector; CREATE TABLE traps (what text);"
            "CREATE FUNCTION trap() RETURNS text LANGUAGE plpgsql AS $$ BEGIN INSERT INTO traps VALUES ('x');"
            " RETURN 'x'; END $$"
        )

    def run(self, statements: str) -> None:
        """These, of this file."""
        self.connection.execute(statements.encode())

    def make(
        self,
        *,
        table: str = "notes",
        schema: str = "public",
        text: tuple[str, str] = ("content", "text"),
        there: tuple[str, str] = ("embedding", "vector"),
        other: tuple[str, str, str] | None = None,
        metadata: str = "jsonb",
    ) -> None:
        """The three good rows, in a table of these names and types."""
        if schema != "public":
            self.connection.execute(
                sql.SQL("DROP SCHEMA IF EXISTS {0} CASCADE; CREATE SCHEMA {0}").format(sql.Identifier(schema))
            )
        at = sql.Identifier(schema, table)
        self.clear()
        self.connection.execute(sql.SQL("DROP TABLE IF EXISTS {}").format(at))
        name, kind, value = other or ("more", "int", "1")
        columns = [("id", "serial"), (name, kind), text, ("langchain_metadata", metadata), there]
        listed = sql.SQL(", ").join(sql.SQL(f"{{}} {each[1]}").format(sql.Identifier(each[0])) for each in columns)
        self.connection.execute(sql.SQL("CREATE TABLE {} ({})").format(at, listed))
        for n, (words, source) in enumerate(GOOD):
            said = {"int": str(n), "bytea": "\\x00"}.get(text[1], words)
            given = {"sparsevec": "{1:1}/64", "real[]": "{1}", "vector(3)": "[1,2,3]"}.get(there[1], vector(n))
            self.connection.execute(
                sql.SQL(f"INSERT INTO {{}} SELECT {n}, {{}}, {{}}, {{}}, {{}}").format(
                    at,
                    sql.SQL(value),
                    *(
                        sql.SQL(f"{{}}::{cast}").format(sql.Literal(each))
                        for each, cast in (
                            (said, text[1]),
                            (json.dumps({"source": source}), metadata),
                            (given, there[1]),
                        )
                    ),
                )
            )

    def add(self, text: str | None, fields: str | None, given: str | None) -> None:
        """One more row of ``notes``, in the middle of the others by its id."""
        self.connection.execute(
            "INSERT INTO notes (id, content, langchain_metadata, embedding) VALUES (1, %s, %s::json, %s::vector)",
            (text, fields, given),
        )

    def clear(self) -> None:
        """Nothing is called ``notes`` any more, whatever it was."""
        kinds = self.connection.execute(
            "SELECT relkind::text FROM pg_class WHERE oid = to_regclass('public.notes')"
        ).fetchall()
        for (kind,) in kinds:
            self.run(f"DROP {'VIEW' if kind == 'v' else 'TABLE'} public.notes")

    def stored(self) -> dict[str, str]:
        """Relation → all of its rows with where they lie and which transaction wrote them; of everything there is."""
        there = self.connection.execute(
            "SELECT n.nspname, c.relname, c.oid::text, c.relkind::text FROM pg_class c JOIN pg_namespace n "
            "ON n.oid = c.relnamespace WHERE n.nspname !~ '^(pg_|information_schema)'"
        ).fetchall()
        said = {f"{schema}.{name}": oid for schema, name, oid, _ in there}
        for schema, name, oid, kind in there:
            if kind == "r":
                statement = sql.SQL(
                    "SELECT coalesce(md5(string_agg(ctid::text || xmin || xmax || t::text, '' ORDER BY ctid)), '') "
                    "FROM {} t"
                ).format(sql.Identifier(schema, name))
                (rows,) = self.connection.execute(statement).fetchone() or ("",)
                said[f"{schema}.{name}"] = f"{oid} {rows}"
        return said

    def position(self) -> object:
        """Up to where the write-ahead log is written."""
        return self.connection.execute("SELECT pg_current_wal_insert_lsn()").fetchone()
