"""A workspace that does not exist yet: a dry run sees that nothing is stored, an import makes it as it first writes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import RLock
from typing import Any

from docgraph.domain.graph import ImportHashes, PreparedDocument, Relationship, StoredDocument
from docgraph.domain.type_roles import Decided, Origin, TypeChange, TypeDecision
from docgraph.domain.workspace import EmbedderInfo, Workspace
from docgraph.ports import Store, WriteResult


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

    def type_origins(self) -> tuple[Origin, ...]:
        """None."""
        return ()


class EmptyWorkspace:
    """The reading part of ``ports.Store`` that an import asks for."""

    def __init__(self, name: str, embedder: EmbedderInfo) -> None:
        self._snapshot = EmptySnapshot(Workspace(name=name, embedder=embedder, revision=""))

    @contextmanager
    def reading(self, *, exact: bool = False, embedder: EmbedderInfo | None = None) -> Iterator[EmptySnapshot]:
        """One view of nothing."""
        yield self._snapshot

    def content_hashes(self, document_ids: Sequence[str] | None = None) -> dict[str, str]:
        """None."""
        return {}

    def import_hashes(self, document_ids: Sequence[str]) -> dict[str, ImportHashes]:
        """None."""
        return {}


class PendingWorkspace(EmptyWorkspace):
    """Empty until the first documents are written: those make it, so an import that fails before leaves none behind.

    From then on it is the store that was made. ``make`` gives it, and what takes it back when that first write fails.
    Safe to share between threads.
    """

    def __init__(self, name: str, embedder: EmbedderInfo, make: Callable[[], tuple[Store, Callable[[], None]]]) -> None:
        super().__init__(name, embedder)
        self._make = make
        self._made: Store | None = None
        self._decisions: tuple[TypeDecision, ...] = ()
        self._lock = RLock()

    @contextmanager
    def reading(self, *, exact: bool = False, embedder: EmbedderInfo | None = None) -> Iterator[Any]:
        """One view: of nothing, or of what was made."""
        made = self._made
        with super().reading() if made is None else made.reading(exact=exact, embedder=embedder) as snapshot:
            yield snapshot

    def content_hashes(self, document_ids: Sequence[str] | None = None) -> dict[str, str]:
        """None, or those of what was made."""
        return {} if self._made is None else dict(self._made.content_hashes(document_ids))

    def import_hashes(self, document_ids: Sequence[str]) -> dict[str, ImportHashes]:
        """None, or those of what was made."""
        return {} if self._made is None else dict(self._made.import_hashes(document_ids))

    def decide_types(self, decisions: Sequence[TypeDecision]) -> tuple[TypeChange, ...]:
        """Roles of relation types; kept until there is a workspace that can keep them."""
        with self._lock:
            if self._made is not None:
                return self._made.decide_types(decisions)
            before = Decided((), self._decisions)
            self._decisions = before.after(decisions).decisions
            pairs = enumerate(before.changes(decisions), start=1)  # as they will be numbered there
            return tuple(TypeChange(entry_id=i, before=old, after=new) for i, (old, new) in pairs)

    def write(
        self, batch: Sequence[PreparedDocument], *, at: str = "", embedder: EmbedderInfo | None = None
    ) -> WriteResult:
        """Write a batch into the workspace, which the first one makes."""
        with self._lock:
            if self._made is not None:
                return self._made.write(batch, at=at, embedder=embedder)
            made, take_back = self._make()
            try:
                if self._decisions:
                    made.decide_types(self._decisions)
                result = made.write(batch, at=at)
            except BaseException:
                take_back()
                raise
            self._made = made
            return result

    def __getattr__(self, name: str) -> Any:
        """Whatever else a store can do, done by the one that was made: it asks for documents that are written."""
        if self._made is None:
            raise AttributeError(f"{name} asks for a workspace that is made already")
        return getattr(self._made, name)
