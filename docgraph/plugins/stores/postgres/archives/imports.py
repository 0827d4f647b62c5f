"""Imports in PostgreSQL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docgraph.plugins.stores._rows.ready import packed, storable, unpacked
from docgraph.plugins.stores.postgres.connections.failures import refusing_foreign_rows
from docgraph.plugins.stores.postgres.part import WorkspacePart
from docgraph.plugins.stores.postgres.statements import family

if TYPE_CHECKING:
    from docgraph.domain.imports.record import ImportState, ImportSummary

SQL = family("imports")


@refusing_foreign_rows
class PostgresImports(WorkspacePart):
    """What is kept of imports (``ports.ImportLog``); with the workspace's row held, numbers are given one by one."""

    def keep_import(self, summary: ImportSummary, state: ImportState | None, *, keep: int) -> ImportSummary:
        """Keep an import under the next number, and of all the newest ``keep``."""
        ready, data = storable(summary), None if state is None else packed(state)
        with self._holding("keep an import of") as run:
            (number,) = run(SQL["number"]).fetchone() or (1,)
            made = ready.model_copy(update={"import_id": number})
            newest = run(SQL["state"], {"import_id": number}).fetchone()
            if data is not None and newest is not None and bytes(newest[0]) == data:
                data = None
            run(SQL["keep"], {"import_id": number, "summary": made.model_dump_json(), "state": data})
            oldest = run(SQL["oldest"], {"keep": keep}).fetchone()
            if oldest is not None:
                if oldest[1]:
                    run(SQL["hand_on"], {"import_id": oldest[0]})
                run(SQL["drop_before"], {"import_id": oldest[0]})
        return made

    def imports(self) -> tuple[ImportSummary, ...]:
        """All that are kept, newest first."""
        from docgraph.domain.imports.record import ImportSummary

        return tuple(self._models(ImportSummary, "imports", SQL["imports"]))

    def import_state(self, import_id: int) -> ImportState | None:
        """The state after an import: its own, or the newest before it."""
        rows = self._read("imports", SQL["state"], {"import_id": import_id})
        return unpacked(bytes(rows[0][0])) if rows else None
