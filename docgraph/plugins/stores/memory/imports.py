"""Imports in the reference store."""

from __future__ import annotations

import threading
from collections.abc import Mapping

from docgraph.domain.imports.record import ImportState, ImportSummary
from docgraph.plugins.stores._rows.ready import packed, storable, unpacked

Kept = tuple[ImportSummary, bytes | None]


class MemoryImports:
    """What is kept of imports (``ports.ImportLog``), beside the ``Content``: no revision moves with it."""

    _lock: threading.Lock
    _imports: Mapping[int, Kept] = {}  # replaced, never changed
    _last_import: int = 0

    def keep_import(self, summary: ImportSummary, state: ImportState | None, *, keep: int) -> ImportSummary:
        """Keep an import under the next number, and of all the newest ``keep``."""
        ready, data = storable(summary), None if state is None else packed(state)
        with self._lock:
            if data is not None and data == _state_at(self._imports, self._last_import):
                data = None
            self._last_import += 1
            made = ready.model_copy(update={"import_id": self._last_import})
            every = {**self._imports, made.import_id: (made, data)}
            stays = sorted(every)[-keep:]
            if data is None or every[stays[0]][1] is None:
                every[stays[0]] = (every[stays[0]][0], _state_at(every, stays[0]))
            self._imports = {each: every[each] for each in stays}
        return made

    def imports(self) -> tuple[ImportSummary, ...]:
        """All that are kept, newest first."""
        there = self._imports
        return tuple(there[each][0] for each in sorted(there, reverse=True))

    def import_state(self, import_id: int) -> ImportState | None:
        """The state after an import: its own, or the newest before it."""
        data = _state_at(self._imports, import_id)
        return None if data is None else unpacked(data)


def _state_at(every: Mapping[int, Kept], import_id: int) -> bytes | None:
    found = (every[each][1] for each in sorted(every, reverse=True) if each <= import_id)
    return next((data for data in found if data is not None), None)
