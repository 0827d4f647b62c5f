"""Imports in PostgreSQL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docgraph.plugins.stores.postgres.connections.failures import refusing_foreign_rows
from docgraph.plugins.stores.postgres.statements import family
from docgraph.plugins.stores.postgres.workspaces import hold

if TYPE_CHECKING:
    from docgraph.domain.imports.record import ImportState, ImportSummary
    from docgraph.plugins.stores.postgres.connections import Connector

SQL = family("imports")


@refusing_foreign_rows
class PostgresImports:
    """What is kept of imports (``ports.ImportLog``). Who keeps one holds the workspace's row: numbers go one by one."""

    _name: str
    _writer: Connector
    _reader: Connector

    def keep_import(self, summary: ImportSummary, state: ImportState | None, *, keep: int) -> ImportSummary:
        """Keep an import under the next number, and of all the newest ``keep``."""
        from docgraph.plugins.stores._rows.imports import packed, ready_summary

        ready, data = ready_summary(summary), None if state is None else packed(state)
        key = {"workspace": self._name}
        with self._writer.transaction(f"keep an import of workspace {self._name!r}") as connection:
            hold(connection, self._name)
            (number,) = connection.execute(SQL["number"].encode(), key).fetchone() or (1,)
            made = ready.model_copy(update={"import_id": number})
            newest = connection.execute(SQL["state"].encode(), key | {"import_id": number}).fetchone()
            if data is not None and newest is not None and bytes(newest[0]) == data:
                data = None
            row = {"import_id": number, "summary": made.model_dump_json(), "state": data}
            connection.execute(SQL["keep"].encode(), key | row)
            oldest = connection.execute(SQL["oldest"].encode(), key | {"keep": keep}).fetchone()
            if oldest is not None:
                stays = key | {"import_id": oldest[0]}
                if oldest[1]:
                    connection.execute(SQL["hand_on"].encode(), stays)
                connection.execute(SQL["drop_before"].encode(), stays)
        return made

    def imports(self) -> tuple[ImportSummary, ...]:
        """All that are kept, newest first."""
        from docgraph.domain.imports.record import ImportSummary

        rows = self._reader.rows("read imports", SQL["imports"].encode(), {"workspace": self._name})
        return tuple(ImportSummary.model_validate_json(text) for (text,) in rows)

    def import_state(self, import_id: int) -> ImportState | None:
        """The state after an import: its own, or the newest before it."""
        from docgraph.plugins.stores._rows.imports import unpacked

        values = {"workspace": self._name, "import_id": import_id}
        rows = self._reader.rows("read imports", SQL["state"].encode(), values)
        return unpacked(bytes(rows[0][0])) if rows else None
