"""A workspace that does not exist yet, seen by a dry run: nothing is stored, nothing can be written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from docgraph.domain.graph import ImportHashes, Relationship, StoredDocument
from docgraph.domain.workspace import EmbedderInfo, Workspace


class EmptySnapshot:
    """The reading half that an import asks for (part of ``ports.Snapshot``)."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace

    def documents(self) -> Iterator[StoredDocument]:
        """None."""
        return iter(())

    def relationships(self, **_: Any) -> Iterator[Relationship]:
        """None."""
        return iter(())

    def relation_types(self) -> dict[str, int]:
        """None."""
        return {}


class EmptyWorkspace:
    """The part of ``ports.Store`` that a dry run asks for."""

    def __init__(self, name: str, embedder: EmbedderInfo) -> None:
        self._snapshot = EmptySnapshot(Workspace(name=name, embedder=embedder, revision=""))

    @contextmanager
    def reading(self, *, exact: bool = False) -> Iterator[EmptySnapshot]:
        """One view of nothing."""
        yield self._snapshot

    def content_hashes(self, document_ids: Sequence[str] | None = None) -> dict[str, str]:
        """None."""
        return {}

    def import_hashes(self, document_ids: Sequence[str]) -> dict[str, ImportHashes]:
        """None."""
        return {}
