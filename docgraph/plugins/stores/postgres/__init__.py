"""PostgreSQL with pgvector: the embedded server, or any server there is; the same schema and statements everywhere."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import ExitStack, closing
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import platformdirs

from docgraph.domain.revision import revision_text
from docgraph.domain.workspace import Workspace
from docgraph.errors import ConflictError, NotFoundError
from docgraph.plugins.stores.postgres.backup.database import PostgresBackups
from docgraph.plugins.stores.postgres.connections import Connector, PreparedStatements, ensure_vector_extension
from docgraph.plugins.stores.postgres.connections.conninfo import checked_conninfo, location
from docgraph.plugins.stores.postgres.connections.failures import refusing_foreign_rows, store_errors
from docgraph.plugins.stores.postgres.migrating import bring_up_to_date, is_up_to_date, make_schema, remove_schema
from docgraph.plugins.stores.postgres.migrating import upgrade as migrate
from docgraph.plugins.stores.postgres.server.embedded import embedded_server, stop_server
from docgraph.plugins.stores.postgres.server.setup import setup_sql as setup_sql
from docgraph.plugins.stores.postgres.store import PostgresStore
from docgraph.plugins.stores.postgres.vector_cache.cache import VectorCache
from docgraph.plugins.stores.postgres.workspaces import SQL, workspace_of

if TYPE_CHECKING:  # imported where a schema is changed: a question needs none of it
    from sqlalchemy import Connection as SchemaConnection

    from docgraph.domain.workspace import EmbedderInfo
    from docgraph.plugins.stores.postgres.archives.query_sets import PostgresQuerySets
    from docgraph.plugins.stores.postgres.archives.runs import PostgresRuns
    from docgraph.plugins.stores.postgres.archives.sign_ins import PostgresSignIns
    from docgraph.plugins.stores.postgres.migrating import Kind
    from docgraph.plugins.stores.postgres.server.embedded import EmbeddedServer
    from docgraph.ports.backups import Upgrade
    from docgraph.ports.distribution import Distribution
    from docgraph.ports.progress import Progress

_INSERT = """
INSERT INTO docgraph.workspaces (name, title, embedder_name, embedder_model, dimension)
VALUES (:name, :title, :embedder, :model, :dimension) ON CONFLICT (name) DO NOTHING"""


def build(
    database_url: str | None = None,
    *,
    read_database_url: str | None = None,
    data_dir: str | None = None,
    statement_timeout: float = 30.0,
    pool_size: int = 8,
    server_idle_minutes: float = 30.0,
    resident_mb: int = 0,
    prepared_statements: PreparedStatements = "auto",
    schema_prefix: str = "",
) -> PostgresDatabase:
    """Open a database, creating or upgrading docgraph's own schema where that is needed.

    Without ``database_url`` the embedded server of ``data_dir`` is started. ``read_database_url`` names a replica or a
    role with only the right to read. ``statement_timeout`` bounds reading statements, in seconds. Each of the (at most
    two) pools keeps ``pool_size`` connections and opens as many more for a moment. An embedded server that no program
    has used for ``server_idle_minutes`` ends by itself (0 = never). ``resident_mb`` = megabytes that this process may
    hold to rank quantized workspaces (0 = none). ``prepared_statements`` = ``off`` where a pooler stands between that
    ``auto`` does not notice. ``schema_prefix`` stands before the names of all schemas.
    Raises SettingsError for a URL that cannot be understood and StoreError when the server cannot be used.
    """
    with ExitStack() as undo:  # whatever fails, the connections and the claim on the server are given back
        folder = Path(data_dir or _default_folder()) / "postgres"
        server = None if database_url else embedded_server(folder, idle_minutes=server_idle_minutes)
        if server:
            undo.callback(server.release)
        writer = Connector(
            checked_conninfo(database_url or (server.conninfo if server else "")),
            pool_size=pool_size,
            revive=server.ensure_running if server else None,
            prepared_statements=prepared_statements,
            prefix=schema_prefix,
        )
        undo.callback(writer.close)
        reader: Connector = writer
        if read_database_url:
            from docgraph.plugins.stores.postgres.connections.replicas import Replica  # most have none

            reader = Replica(
                checked_conninfo(read_database_url),
                pool_size=pool_size,
                primary=writer,
                prepared_statements=prepared_statements,
                prefix=schema_prefix,
            )
            undo.callback(reader.close)
        database = PostgresDatabase(
            writer, reader, server=server, statement_timeout=statement_timeout, resident_mb=resident_mb
        )
        undo.pop_all()
        return database


class Server:
    """The embedded server of a data folder (``ports.ManagesServer``)."""

    def __init__(self, data_dir: str | None = None) -> None:
        self._folder = Path(data_dir or _default_folder()).expanduser().resolve()

    def stop(self, *, force: bool = False) -> bool:
        """Stop the server; False = none runs. Raises ConflictError while a program uses it, unless ``force``."""
        return stop_server(self._folder / "postgres", force=force)

    def files(self) -> tuple[tuple[str, ...], int]:
        """(paths, bytes) of what ``remove`` takes. Raises UserError for a folder that is not docgraph's."""
        from docgraph.plugins.stores.postgres.server.removal import own_paths, size_of

        paths = own_paths(self._folder)
        return tuple(map(str, paths)), size_of(paths)

    def remove(self) -> tuple[str, ...]:
        """Stop the server and remove its data. Raises ConflictError while a program uses it, UserError."""
        from docgraph.plugins.stores.postgres.server.removal import remove

        return tuple(map(str, remove(self._folder)))

    def upgrade(self, *, old_programs: str | None = None, progress: Progress | None = None) -> Upgrade | None:
        """Move the data to the version that comes with docgraph; None = they are there already."""
        from docgraph.plugins.stores.postgres.backup.upgrading import upgrade

        def opened(folder: Path) -> closing[PostgresDatabase]:
            return closing(build(data_dir=str(folder), server_idle_minutes=0))

        programs = Path(old_programs).expanduser() if old_programs is not None else None
        return upgrade(self._folder / "postgres", open_database=opened, old_programs=programs, progress=progress)


@refusing_foreign_rows
class PostgresDatabase(PostgresBackups):
    """Holds workspaces, each in a PostgreSQL schema of its own (``ports.Database``)."""

    def __init__(
        self,
        writer: Connector,
        reader: Connector,
        *,
        server: EmbeddedServer | None,
        statement_timeout: float,
        resident_mb: int = 0,
    ) -> None:
        self._writer, self._reader, self._server = writer, reader, server
        self._statement_timeout, self._damaged = statement_timeout, {}
        self.vector_cache = (
            VectorCache(reader, megabytes=resident_mb, statement_timeout=statement_timeout) if resident_mb else None
        )
        with store_errors(f"open the database at {location(writer.conninfo)}"), writer.connect() as connection:
            ensure_vector_extension(connection)
        self._look_after_start()
        self._bring_up_to_date("prepare the database", "workbench", writer.naming.workbench)

    @cached_property
    def runs(self) -> PostgresRuns:
        """The saved runs of all workspaces."""
        from docgraph.plugins.stores.postgres.archives.runs import PostgresRuns

        return PostgresRuns(self._writer, self._reader)

    @cached_property
    def query_sets(self) -> PostgresQuerySets:
        """The query sets, with their evaluations."""
        from docgraph.plugins.stores.postgres.archives.query_sets import PostgresQuerySets

        return PostgresQuerySets(self._writer, self._reader)

    @cached_property
    def sign_ins(self) -> PostgresSignIns:
        """The sign-ins, of all processes."""
        from docgraph.plugins.stores.postgres.archives.sign_ins import PostgresSignIns

        return PostgresSignIns(self._writer)

    def workspaces(self) -> tuple[Workspace, ...]:
        """All workspaces by name, with counts."""
        return tuple(map(workspace_of, self._reader.rows("list the workspaces", SQL["all"].encode())))

    def create_workspace(self, name: str, embedder: EmbedderInfo, *, title: str = "") -> PostgresStore:
        """A new, empty workspace. Raises ConflictError when it exists."""
        from sqlalchemy import text

        empty = Workspace(name=name, title=title.replace("\x00", ""), embedder=embedder, revision=revision_text(0))
        schema = self._writer.naming.schema_of(name)
        values = {"name": name, "title": empty.title, "dimension": embedder.dimension}
        with self._writer.schema_change(f"create workspace {name!r}") as change:
            row = values | {"embedder": embedder.name, "model": embedder.model}
            if change.execute(text(_INSERT), row).rowcount != 1:
                raise ConflictError(f"workspace {name!r} exists already", hint="open it, or choose another name")
            make_schema(change, schema)
            migrate(change, "workspace", schema, dimension=embedder.dimension)
        return self._store(name, embedder)

    def open_workspace(self, name: str) -> PostgresStore:
        """The workspace, brought to the newest schema. Raises NotFoundError, naming the workspaces there are."""
        found = {workspace.name: workspace for workspace in self.workspaces()}
        if name not in found:
            raise _unknown(name, sorted(found))
        self._refuse_damaged(name)
        embedder = found[name].embedder
        schema = self._writer.naming.schema_of(name)
        self._bring_up_to_date(f"open workspace {name!r}", "workspace", schema, dimension=embedder.dimension)
        return self._store(name, embedder)

    def drop_workspace(self, name: str) -> None:
        """Remove a workspace with everything in it. Raises NotFoundError."""
        from sqlalchemy import text

        with self._writer.schema_change(f"drop workspace {name!r}") as change:
            removed = change.execute(text("DELETE FROM docgraph.workspaces WHERE name = :name"), {"name": name})
            if removed.rowcount != 1:
                raise _unknown(name, _names(change))
            remove_schema(change, self._writer.naming.schema_of(name))

    def distribute(
        self, workspace: str, *, n_shards: int, dry_run: bool = False, told: Callable[[str], None] = lambda table: None
    ) -> Distribution:
        """Spread the tables of a workspace over a Citus cluster (``ports.Distributes``)."""
        from docgraph.plugins.stores.postgres.server import citus

        return citus.distribute(self._writer, workspace, n_shards=n_shards, dry_run=dry_run, told=told)

    def undistribute(
        self, workspace: str, *, dry_run: bool = False, told: Callable[[str], None] = lambda table: None
    ) -> Distribution:
        """Bring them back to the coordinator (``ports.Distributes``)."""
        from docgraph.plugins.stores.postgres.server import citus

        return citus.undistribute(self._writer, workspace, dry_run=dry_run, told=told)

    def health(self) -> dict[str, Any]:
        """``kind`` (embedded or served), versions, ``location`` (no password), ``data_dir``, ``free_bytes``, counts.

        ``data_dir`` and ``free_bytes`` are None for a served database, whose disk cannot be seen from here.
        ``codes_in_memory`` = of which workspaces this process holds codes; None: it never holds any.
        On a Citus coordinator also ``citus_version``, ``n_distributed_workspaces`` and, where there are any,
        ``n_shards`` and ``nodes``.
        """
        from docgraph.plugins.stores.postgres.server import citus

        (row,) = self._reader.rows("ask the database about itself", SQL["health"].encode())
        server_version, vector_version, n_workspaces = row
        data = self._server.data if self._server else None
        return {
            "kind": "embedded" if data else "served",
            "server_version": server_version,
            "pgvector_version": vector_version,
            "location": location(self._writer.conninfo),
            "data_dir": str(data) if data else None,
            "free_bytes": shutil.disk_usage(data).free if data else None,
            "n_workspaces": n_workspaces,
            **self._reader.facts(),
            "pooled": self._writer.is_pooled or self._reader.is_pooled,
            "codes_in_memory": self.vector_cache.facts() if self.vector_cache else None,
            **citus.cluster_health(self._reader),
        }

    @property
    def conninfo(self) -> str:
        """How to connect to this database, password included: for plug-ins that bring their own connections."""
        return self._writer.conninfo

    def close(self) -> None:
        """Close the connections; the embedded server stops when nobody else uses it."""
        if self.vector_cache is not None:
            self.vector_cache.close()
        self._writer.close()
        self._reader.close()
        if self._server:
            self._server.release()
            self._server = None

    def _bring_up_to_date(self, action: str, kind: Kind, schema: str, *, dimension: int = 0) -> None:
        """By migrations, unless the schema is at the newest one already."""
        with self._writer.connection(action) as connection:
            if is_up_to_date(connection, kind, schema):
                return
        with self._writer.schema_change(action) as change:
            bring_up_to_date(change, kind, schema, dimension=dimension)

    def _store(self, name: str, embedder: EmbedderInfo) -> PostgresStore:
        return PostgresStore(
            name,
            embedder,
            writer=self._writer,
            reader=self._reader,
            statement_timeout=self._statement_timeout,
            vector_cache=self.vector_cache,
        )


def _unknown(name: str, there: list[str]) -> NotFoundError:
    return NotFoundError(
        f"there is no workspace {name!r}",
        hint=f"there are: {', '.join(there) or 'none yet; the first import makes one'}",
    )


def _names(change: SchemaConnection) -> list[str]:
    from sqlalchemy import text

    return list(change.scalars(text("SELECT name FROM docgraph.workspaces ORDER BY name")))


def _default_folder() -> str:
    return platformdirs.user_data_dir("docgraph", appauthor=False)
