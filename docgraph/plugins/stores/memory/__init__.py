"""The reference store: whole workspaces in dicts, lost when the process ends; what other stores are checked against."""

from __future__ import annotations

import threading
from typing import Any

from docgraph.domain.workspace import EmbedderInfo, Workspace
from docgraph.errors import ConflictError, NotFoundError
from docgraph.plugins.stores.memory.query_sets import MemoryQuerySets
from docgraph.plugins.stores.memory.reading import Content
from docgraph.plugins.stores.memory.runs import MemoryRuns
from docgraph.plugins.stores.memory.sign_ins import MemorySignIns
from docgraph.plugins.stores.memory.store import MemoryStore


def build() -> MemoryDatabase:
    """An empty database in this process's memory; for tests and for corpora of a few thousand documents."""
    return MemoryDatabase()


class MemoryDatabase:
    """Holds workspaces by name (``ports.Database``)."""

    def __init__(self) -> None:
        self._stores: dict[str, MemoryStore] = {}
        self.runs = MemoryRuns()
        self.query_sets = MemoryQuerySets()
        self.sign_ins = MemorySignIns()
        self._lock = threading.Lock()

    def workspaces(self) -> tuple[Workspace, ...]:
        """All workspaces by name."""
        with self._lock:
            stores = [self._stores[name] for name in sorted(self._stores)]
        return tuple(store.content.workspace() for store in stores)

    def create_workspace(self, name: str, embedder: EmbedderInfo, *, title: str = "") -> MemoryStore:
        """A new, empty workspace. Raises ConflictError when it exists."""
        store = MemoryStore(Content(name=name, title=title, embedder=embedder))
        store.content.workspace()  # validates the name
        with self._lock:
            if name in self._stores:
                raise ConflictError(f"workspace {name!r} exists already", hint="open it, or choose another name")
            self._stores[name] = store
        return store

    def open_workspace(self, name: str) -> MemoryStore:
        """Raises NotFoundError, naming the workspaces there are."""
        with self._lock:
            if name not in self._stores:
                raise self._unknown(name)
            return self._stores[name]

    def drop_workspace(self, name: str) -> None:
        """Remove a workspace with everything in it. Raises NotFoundError."""
        with self._lock:
            if self._stores.pop(name, None) is None:
                raise self._unknown(name)

    def health(self) -> dict[str, Any]:
        """``kind`` and ``n_workspaces``: there is no server to ask about."""
        return {"kind": "memory", "location": "memory of this process", "n_workspaces": len(self._stores)}

    def close(self) -> None:
        """Nothing to give back."""

    def _unknown(self, name: str) -> NotFoundError:
        there = ", ".join(sorted(self._stores)) or "none yet; the first import makes one"
        return NotFoundError(f"there is no workspace {name!r}", hint=f"there are: {there}")
