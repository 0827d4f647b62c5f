"""The server that a benchmark measures on: a given one, or an embedded one in a new folder, gone at the end."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import psycopg

from benchmarks.corpus import EMBEDDER
from docgraph import plugins
from docgraph.domain.graph import PreparedDocument
from docgraph.plugins.stores.postgres.connections.naming import Naming
from docgraph.plugins.stores.postgres.server.embedded import embedded_server
from docgraph.ports import Database, Store

BATCH = 200
WORKSPACE = "bench"


@contextmanager
def measured_on(given: str | None) -> Iterator[tuple[str, Database]]:
    """(URL, docgraph's database there)."""
    with tempfile.TemporaryDirectory(prefix="docgraph-bench-") as folder:
        Path(folder).chmod(0o755)  # as root, the embedded server runs as another user
        with server_url(given, Path(folder)) as url:
            database = plugins.build("stores", "postgres", database_url=url, statement_timeout=3_600)
            try:
                yield url, database
            finally:
                database.close()


@contextmanager
def server_url(given: str | None, folder: Path) -> Iterator[str]:
    """The URL of the given server, or of an embedded one that lives as long as the benchmark."""
    if given:
        yield given
        return
    server = embedded_server(folder / "postgres")
    try:
        with psycopg.connect(server.conninfo) as connection:
            row = connection.execute("SHOW unix_socket_directories").fetchone()
        assert row is not None
        yield f"postgresql://postgres@/docgraph?host={quote(row[0], safe='')}"
    finally:
        server.release()


def new_workspace(database: Database, name: str = WORKSPACE) -> Store:
    """An empty workspace of this name, whatever was there."""
    if any(workspace.name == name for workspace in database.workspaces()):
        database.drop_workspace(name)
    return database.create_workspace(name, EMBEDDER)


def write(store: Store, documents: Sequence[PreparedDocument]) -> None:
    """Batch by batch."""
    for start in range(0, len(documents), BATCH):
        store.write(documents[start : start + BATCH])


def vacuum(url: str, name: str = WORKSPACE) -> None:
    """Fresh statistics for every table of a workspace."""
    with psycopg.connect(url, autocommit=True) as connection:
        schema = Naming().schema_of(name)
        rows = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = %s", (schema,)).fetchall()
        for (table,) in rows:
            connection.execute(f'VACUUM ANALYZE "{schema}"."{table}"')
