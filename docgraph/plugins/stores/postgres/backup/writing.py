"""Writes a backup: a zip of tables as PostgreSQL's COPY writes them, and a manifest that names and hashes them."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from datetime import UTC, datetime
from typing import IO, Any

from psycopg import sql

import docgraph as package
from docgraph.domain.revision import places_text, revision_text
from docgraph.domain.workspace import EmbedderInfo
from docgraph.errors import NotFoundError
from docgraph.plugins.stores.postgres.backup.contents import (
    OF_RUNS,
    OF_SETS,
    Part,
    kept_parts,
    version_of,
    workspace_parts,
)
from docgraph.plugins.stores.postgres.connections.naming import Connection
from docgraph.plugins.stores.postgres.workspaces import decisions_of, search_of
from docgraph.ports.backups import Backup, KeptWorkspace, TableFile
from docgraph.ports.progress import Progress, Stopped

MANIFEST = "manifest.json"
LEVEL = 3
"""Of the compression: twice as fast as the usual one, for a tenth more bytes."""
_SNAPSHOT = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"
_PLAIN = """
SET LOCAL DateStyle = 'ISO'; SET LOCAL TimeZone = 'UTC';
SET LOCAL extra_float_digits = 1; SET LOCAL bytea_output = 'hex'
"""
_ROWS = "SELECT to_jsonb(w) - 'revision', revision::text FROM docgraph.workspaces w ORDER BY name"
_ORPHANS = "SELECT DISTINCT workspace::text FROM docgraph.saved_runs ORDER BY 1"

_ORPHANED_SETS = "SELECT DISTINCT workspace::text FROM docgraph.query_sets ORDER BY 1"


def back_up(
    connection: Connection, file: IO[bytes], *, workspaces: Sequence[str] | None, progress: Progress | None
) -> Backup:
    """See ``ports.BacksUp.back_up``; the connection is used for one transaction, and needs no pool.

    Everything is read by the names of its columns, whatever migration a schema is at.
    """
    with connection.transaction():
        connection.execute(_SNAPSHOT)
        connection.execute(_PLAIN)
        chosen = _chosen(connection, workspaces)
        told = _teller(chosen, progress)
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, allowZip64=True, compresslevel=LEVEL) as archive:
            kept = kept_parts(connection) if version_of(connection, connection.naming.workbench) else ()
            made = tuple(_written(connection, archive, each, kept=kept, told=told) for each in chosen)
            said = Backup(
                docgraph=package.__version__,
                made_at=datetime.now(UTC).isoformat(timespec="seconds"),
                server=str(connection.info.server_version // 10_000),
                workbench_version=version_of(connection, connection.naming.workbench),
                workspaces=made,
            )
            archive.writestr(MANIFEST, said.model_dump_json(indent=1))
    return said


def path_of(workspace: str, table: str, *, kept: bool) -> str:
    """Where the table of a workspace lies in the file."""
    return f"workspaces/{workspace}/{'kept/' if kept else ''}{table}.copy"


def _chosen(connection: Connection, asked: Sequence[str] | None) -> list[KeptWorkspace]:
    """What is recorded of the workspaces, and of those that only saved runs or query sets are left of, by name."""
    if not version_of(connection, connection.naming.workbench):
        return []
    there = {row["name"]: _recorded(row, revision) for row, revision in connection.execute(_ROWS).fetchall()}
    for table, names in (("saved_runs", _ORPHANS), ("query_sets", _ORPHANED_SETS)):
        whole = f"{connection.naming.workbench}.{table}"
        if connection.execute("SELECT to_regclass(%s)", (whole,)).fetchone() != (None,):
            for (name,) in connection.execute(names).fetchall():
                there.setdefault(name, KeptWorkspace(name=name))
    if asked is None:
        return [there[name] for name in sorted(there)]
    for name in asked:
        if name not in there or there[name].embedder is None:
            known = ", ".join(name for name, each in sorted(there.items()) if each.embedder) or "none"
            raise NotFoundError(f"there is no workspace {name[:60]!r}", hint=f"there are: {known}")
    return [there[name] for name in sorted(set(asked))]


def _recorded(row: dict[str, Any], revision: str) -> KeptWorkspace:
    state = int(revision)
    return KeptWorkspace(
        name=row["name"],
        title=row["title"],
        embedder=EmbedderInfo(name=row["embedder_name"], model=row["embedder_model"], dimension=row["dimension"]),
        created_at=row["created_at"],
        **search_of(row.get("vector_search", "exact")),
        off_relation_types=tuple(row["off_relation_types"]),
        type_decisions=decisions_of(row.get("type_decisions", "")),
        made_with=row.get("made_with", ""),
        revision=revision_text(state),
        places=places_text(state),
        **{name: row[name] for name in ("n_documents", "n_relationships", "n_chunks")},
    )


def _written(
    connection: Connection,
    archive: zipfile.ZipFile,
    each: KeptWorkspace,
    *,
    kept: Sequence[Part],
    told: Callable[[str, int], None],
) -> KeptWorkspace:
    """The workspace with what was written of it."""
    schema = connection.naming.schema_of(each.name)
    parts = workspace_parts(connection, schema) if each.embedder else ()
    own = [
        _copied(connection, archive, part, path_of(each.name, part.table, kept=False), each.name, told)
        for part in parts
    ]
    others = [part for part in kept if each.embedder or part.table in (*OF_RUNS, *OF_SETS)]
    with_it = [
        _copied(connection, archive, part, path_of(each.name, part.table, kept=True), each.name, told)
        for part in others
    ]
    version = version_of(connection, schema) if each.embedder else ""
    return each.model_copy(update={"schema_version": version, "tables": tuple(own), "kept": tuple(with_it)})


def _copied(
    connection: Connection,
    archive: zipfile.ZipFile,
    part: Part,
    path: str,
    workspace: str,
    told: Callable[[str, int], None],
) -> TableFile:
    seen, n_rows, n_bytes = hashlib.sha256(), 0, 0
    with archive.open(path, "w", force_zip64=True) as target, closing(_rows(connection, part, workspace)) as pieces:
        for piece in pieces:  # one that breaks off ends the copy before the connection is used again
            seen.update(piece)
            rows = piece.count(b"\n")
            n_rows, n_bytes = n_rows + rows, n_bytes + len(piece)
            target.write(piece)
            told(f"{workspace}: {part.table}", rows)
    return TableFile(table=part.table, columns=part.columns, n_rows=n_rows, n_bytes=n_bytes, sha256=seen.hexdigest())


def _rows(connection: Connection, part: Part, workspace: str) -> Generator[bytes, None, None]:
    """The rows of a workspace as COPY writes them: a line each, columns apart by tabs, vectors to the last bit."""
    which: sql.Composable = sql.SQL("")
    if part.by == "workspace":
        which = sql.SQL(" WHERE workspace = {}").format(sql.Literal(workspace))
    elif part.by:
        which = sql.SQL(" WHERE run_id IN (SELECT run_id FROM docgraph.saved_runs WHERE workspace = {})").format(
            sql.Literal(workspace)
        )
    statement = sql.SQL("COPY (SELECT {} FROM {}{}) TO STDOUT (ENCODING 'UTF8')").format(part.listed, part.name, which)
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        for piece in copy:
            yield bytes(piece)


def _teller(chosen: Sequence[KeptWorkspace], progress: Progress | None) -> Callable[[str, int], None]:
    """Tells of the documents, relationships and chunks that are written, of all there are; Stopped when asked to."""
    total, done = sum(each.n_documents + each.n_relationships + each.n_chunks for each in chosen), 0
    main = tuple(f": {table}" for table in ("document_nodes", "document_relationships", "vector_chunks"))

    def told(message: str, rows: int) -> None:
        nonlocal done
        if progress is None:
            return
        if progress.cancelled():
            raise Stopped
        if message.endswith(main):
            done += rows
        progress.update(min(done, total), total, message)

    return told
