"""The part of a PostgreSQL database that is about backups and examinations (``ports.BacksUp``).

What does the work is imported where it is asked for: a question needs none of it.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import IO, TYPE_CHECKING

from docgraph.errors import StoreError
from docgraph.plugins.stores.postgres.connections.failures import refusing_foreign_rows, store_errors
from docgraph.plugins.stores.postgres.workspaces import SQL, workspace_of

if TYPE_CHECKING:
    from docgraph.domain.workspace import Workspace
    from docgraph.plugins.stores.postgres.connections import Connector
    from docgraph.plugins.stores.postgres.server.embedded import EmbeddedServer
    from docgraph.ports.backups import Backup, Examination
    from docgraph.ports.progress import Progress

WAY_OUT = (
    "docgraph restore FILE --replace puts a backup in its place; or docgraph workspaces drop {} and import it again"
)
_WAY_OUT_OF_ALL = (
    "set DOCGRAPH_DATA_DIR to a new folder and docgraph restore FILE there; keep a copy of the damaged one"
)


@refusing_foreign_rows
class PostgresBackups:
    """Written, restored and examined; ``_damaged`` = workspaces that lost rows while the server was down."""

    _writer: Connector
    _server: EmbeddedServer | None
    _damaged: dict[str, str]

    def back_up(
        self, file: IO[bytes], *, workspaces: Sequence[str] | None = None, progress: Progress | None = None
    ) -> Backup:
        """Write workspaces to a file, as they are at one moment. Raises NotFoundError, StoreError, Stopped."""
        from docgraph.plugins.stores.postgres.backup import writing

        with store_errors("write a backup"), closing(self._writer.connect()) as connection:
            connection.autocommit = True
            return writing.back_up(connection, file, workspaces=workspaces, progress=progress)

    def read_backup(self, file: IO[bytes]) -> Backup:
        """What a file says of itself. Raises UserError for one that is no backup."""
        from docgraph.plugins.stores.postgres.backup.reading import read_backup

        return read_backup(file)

    def restore_backup(
        self,
        file: IO[bytes],
        *,
        names: Mapping[str, str] | None = None,
        replace: bool = False,
        progress: Progress | None = None,
    ) -> tuple[Workspace, ...]:
        """Make the workspaces of a backup, each whole or not at all. Raises ConflictError, UserError, StoreError."""
        from docgraph.plugins.stores.postgres.backup.restoring import restore

        free = shutil.disk_usage(self._server.data).free if self._server else None
        made = restore(self._writer, file, names=names, replace=replace, progress=progress, free_bytes=free)
        there = {row[0]: workspace_of(row) for row in self._writer.rows("list the workspaces", SQL["all"].encode())}
        return tuple(there[name] for name in made)

    def examine(self, workspace: str | None = None) -> tuple[Examination, ...]:
        """Everything counted and added up anew, on one snapshot. Raises NotFoundError, StoreError."""
        from docgraph.plugins.stores.postgres.backup.examining import examine_workbench, examine_workspace

        with self._writer.connection("examine the database") as connection, connection.transaction():
            connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            if workspace is not None:
                return (examine_workspace(connection, workspace, texts=True),)
            names = [row[0] for row in connection.execute(SQL["all"].encode()).fetchall()]
            found = (
                *(examine_workspace(connection, name, texts=True) for name in names),
                examine_workbench(connection),
            )
        return found

    def _look_after_start(self) -> None:
        """After the server was started: note workspaces that lost rows. Raises StoreError when all are concerned.

        Rows are counted where it had not been stopped properly; else one look at the sizes of the files is enough.
        """
        how = self._server.unexamined() if self._server else None
        if self._server is None or how is None:
            return
        from docgraph.plugins.stores.postgres.backup.examining import examine_quickly

        with self._writer.connection("examine the database") as connection:
            found = examine_quickly(connection, counting=how == "unclean")
        self._damaged = {each.workspace: "; ".join(each.faults) for each in found}
        if "" in self._damaged:
            raise StoreError(
                f"the database in {self._server.data} is damaged: {self._damaged['']}", hint=_WAY_OUT_OF_ALL
            )
        if not self._damaged:
            self._server.examined()

    def _refuse_damaged(self, name: str) -> None:
        """Raises StoreError for a workspace that lost rows, unless it was put right meanwhile."""
        if name not in self._damaged:
            return
        (found,) = self.examine(name)
        if found.faults:
            message = f"workspace {name!r} is damaged and gives no answers: {'; '.join(found.faults)}"
            raise StoreError(message, hint=WAY_OUT.format(name))
        del self._damaged[name]
        if not self._damaged and self._server:
            self._server.examined()
