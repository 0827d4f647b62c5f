"""Names in statements: everything that pgvector brings is found, and nothing else is touched."""

from __future__ import annotations

import re
from pathlib import Path

import psycopg
import pytest

from docgraph.plugins.stores import postgres
from docgraph.plugins.stores.postgres.connections.naming import Naming

FOLDER = Path(postgres.__file__).parent
BOTH = Naming("p_", "ext")
_OF_EXTENSION = """
SELECT p.proname FROM pg_depend d JOIN pg_extension e ON e.oid = d.refobjid AND d.deptype = 'e'
JOIN pg_proc p ON p.oid = d.objid AND d.classid = 'pg_proc'::regclass WHERE e.extname = 'vector'
AND p.proname NOT IN (SELECT proname FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace)"""


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ("SELECT * FROM docgraph.workspaces", 'SELECT * FROM "p_docgraph".workspaces'),
        ('SELECT * FROM "docgraph"."runs"', 'SELECT * FROM "p_docgraph"."runs"'),
        ("SELECT 'docgraph.x', \"a docgraph.x\", docgraphs.y, x.docgraph.z", None),
        ("SELECT 'it''s ::vector' -- docgraph.x ::vector\n", None),
        ("SELECT /* ::vector */ $x$ docgraph.x ::vector $x$", None),
        ("SELECT %(vector)s, vector FROM t", None),
        ("SELECT %(vector)s::vector(8)", 'SELECT %(vector)s::"ext".vector(8)'),
        ("ALTER TABLE t ALTER e TYPE vector", 'ALTER TABLE t ALTER e TYPE "ext".vector'),
        ("CREATE TABLE t (e vector(8))", 'CREATE TABLE t (e "ext".vector(8))'),
        ("SELECT vector_dims(e), s.vector_chunks (x)", 'SELECT "ext".vector_dims(e), s.vector_chunks (x)'),
        ("ORDER BY a <=> b", 'ORDER BY a OPERATOR("ext".<=>) b'),
        ("USING hnsw (e vector_cosine_ops)", 'USING hnsw (e "ext".vector_cosine_ops)'),
        ("CREATE EXTENSION IF NOT EXISTS vector", None),
    ],
)
def test_a_name_is_written_as_the_database_has_it_and_a_text_stays_a_text(given: str, written: str | None) -> None:
    made = BOTH.written(given.encode())
    assert made.decode() == (written or given)
    assert BOTH.written(made) == made
    assert Naming().written(given.encode()) == given.encode()


@pytest.mark.parametrize("name", ['a"b', "50%", "Größe", "a b"])
def test_a_schema_of_any_name_stays_one_name(name: str) -> None:
    made = Naming("", name).written(b"SELECT x::vector", bound=False).decode()
    assert made == 'SELECT x::"{}".vector'.format(name.replace('"', '""'))
    assert Naming("", "50%").written(b"SELECT %(q)s::vector") == b'SELECT %(q)s::"50%%".vector'


def test_every_function_of_pgvector_that_is_called_anywhere_is_known(embedded_database_url: str) -> None:
    """One that is forgotten is not there for whoever has pgvector in a schema of its own."""
    with psycopg.connect(embedded_database_url, autocommit=True) as connection:
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
        names = {row[0] for row in connection.execute(_OF_EXTENSION).fetchall()}
    assert len(names) > 50
    called = re.compile(rf"(?<![\w.])({'|'.join(sorted(names))})\(")
    found: set[str] = set()
    for path in (*FOLDER.rglob("*.sql"), *FOLDER.rglob("*.py")):
        found |= set(called.findall(path.read_text(encoding="utf-8")))
    assert {"cosine_distance", "vector_send"} <= found
    for name in found - {"vector"}:
        assert Naming("", "ext").written(f"SELECT {name}(x)".encode()) == f'SELECT "ext".{name}(x)'.encode()
