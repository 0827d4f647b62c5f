"""What changes a workspace, and the database that holds workspaces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from docgraph.domain.workspace import BY_USER
from docgraph.ports.keeping import (
    CalibrationStore,
    CurationStore,
    EmbeddingStore,
    ImportLog,
    JudgmentStore,
    MemoryStore,
)

if TYPE_CHECKING:
    from docgraph.domain.edit import Edit
    from docgraph.domain.graph import ImportHashes, PreparedDocument, Relationship, RestatedDocument
    from docgraph.domain.history import HistoryEntry
    from docgraph.domain.overrides import EdgeKey
    from docgraph.domain.own_questions import Trial
    from docgraph.domain.type_roles import TypeChange, TypeDecision
    from docgraph.domain.workspace import EmbedderInfo, SearchChoice, VectorSearch, Workspace
    from docgraph.ports.keeping import QuerySetArchive, RunArchive, SignInLog
    from docgraph.ports.reading import Snapshot


@dataclass(frozen=True)
class WriteResult:
    """document_ids by what became of them in one atomic write."""

    added: tuple[str, ...] = ()
    replaced: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()


@dataclass(frozen=True)
class EdgeChange:
    """What an edit makes of one relationship: ``before`` → ``after``; None = there is none.

    ``undoes`` = the entry of the history that this change takes back; ``reason`` = one of its own, in the place of the
    one that is given for all changes of a call.
    """

    edit: Edit
    before: Relationship | None
    after: Relationship | None
    undoes: int | None = None
    reason: str = ""


class GraphWriter(Protocol):
    """Changes a workspace; every call is one transaction and moves the revision."""

    def content_hashes(self, document_ids: Sequence[str] | None = None) -> dict[str, str]:
        """document_id → content hash (hex) of stored documents; all when ``document_ids`` is None."""
        ...

    def import_hashes(self, document_ids: Sequence[str]) -> dict[str, ImportHashes]:
        """document_id → what the stored documents among these were made of."""
        ...

    def write(
        self, batch: Sequence[PreparedDocument], *, at: str = "", embedder: EmbedderInfo | None = None
    ) -> WriteResult:
        """Add or replace documents whole, with chunks and *ingested* relationships; equal ones are left alone.

        Equal is a document whose known hash ``stated`` is the stored one.

        What people decided about relationships stands (``domain.decisions``): one that a person took away does not
        come back; one that a person accepted keeps its review, and stays when it is not stated any more; those that a
        person made (``relationship_metadata["extractor"] == "manual"``) survive. Where import and decision disagree it
        is remembered as contested, ``at`` (ISO 8601, UTC), in the place of what was contested of these documents.
        ``embedder`` = whose vectors these are; None = whose the workspace held when it was opened. Raises
        EmbedderChangedError where it holds another one's by now, EmbeddingMismatchError for a wrong width or values
        that are not finite, before anything is written.
        """
        ...

    def restate(self, batch: Sequence[RestatedDocument], *, at: str = "") -> tuple[str, ...]:
        """Replace what is said of stored documents, ingested relationships included, under the rules of ``write``.

        Title, summary, headings, chunks and vectors stay. Returns the ids of those that were restated, in order: one
        that is gone, or that is made of something else than ``there`` says, is left alone.
        """
        ...

    def put_ingested(self, relationships: Sequence[Relationship], *, at: str = "") -> tuple[Relationship, ...]:
        """Import relationships of stored documents beside those they have, under the rules of ``write``.

        Returns those that were added or changed, by key. Raises NotFoundError for an unknown start.
        """
        ...

    def delete_documents(self, document_ids: Sequence[str]) -> int:
        """Remove documents with chunks and outgoing relationships (incoming ones stay, dangling); how many."""
        ...

    def carry_over(self, moves: Mapping[str, str], *, at: str, by: str) -> tuple[HistoryEntry, ...]:
        """Give what people decided about documents to those that stand in their place, and remove the old ones.

        ``moves`` = old id → new id, both stored; others are passed over. Relationships that a person made or accepted,
        at either end, get their new ends; one that a person took away is taken away under its new ends too; judgments
        change their document. Each change of a relationship is an entry of the history (returned, in order). What was
        decided at the new id already stands.
        """
        ...

    def change_relationships(
        self, changes: Sequence[EdgeChange], *, at: str, by: str, reason: str
    ) -> tuple[HistoryEntry, ...]:
        """Change relationships one after the other and write each change into the history: all of it or nothing.

        Raises ConflictError when a relationship is not as ``before`` says, metadata included (the message says what is
        there now), when ``after`` would stand on another one, and for an entry that was already undone; NotFoundError
        for an unknown start and for an unknown entry to undo. ``at`` is ISO 8601 in UTC. Defaults of relation types
        that follow from it come into force with it (see ``decide_types``).
        """
        ...

    def history(
        self, *, key: EdgeKey | None = None, document_id: str | None = None, limit: int = 200, before: int | None = None
    ) -> tuple[HistoryEntry, ...]:
        """What was done to relationships, newest first; ``before`` = only entries with a smaller id.

        ``key`` = entries that found or left this relationship, ``document_id`` = one with this document at either end.
        """
        ...

    def set_off_relation_types(self, types: Sequence[str]) -> None:
        """Exactly these types are off from now on, by hand; decisions about others stay (see ``decide_types``)."""
        ...

    def decide_types(self, decisions: Sequence[TypeDecision]) -> tuple[TypeChange, ...]:
        """Give relation types their roles in plans; what changed, by type, as the history has it: all or nothing.

        With them the defaults come into force that follow from where relationships come from
        (``domain.type_roles.default_decisions``): without decisions nothing but these. One decision a type, the last
        one counts. A role that plans depend on moves the revision, not the content revision. A decision that is the one
        there is changes nothing and leaves no entry.
        """
        ...

    def keep_trial(self, trial: Trial) -> Trial:
        """Keep a trial of relation types under the next ``trial_id``; as it is kept. It moves no revision."""
        ...

    def trials(self, *, limit: int = 20) -> tuple[Trial, ...]:
        """Trials of relation types, newest first."""
        ...

    def type_history(self, *, limit: int = 200) -> tuple[TypeChange, ...]:
        """What was decided about relation types, newest first."""
        ...

    def set_vector_search(self, mode: VectorSearch, *, choice: SearchChoice = BY_USER) -> None:
        """How rankings find similar chunks from now on; moves ``Workspace.state``, not the revision.

        ``quantized``, ``hnsw``: see ``domain.ranking``. What a mode needs is made here, kept true by every write, and
        dropped when it is left. ``choice`` = who says so and why. Raises NotFoundError, and UserError where the store
        cannot search so.
        """
        ...


@runtime_checkable
class Store(
    GraphWriter, CurationStore, JudgmentStore, MemoryStore, CalibrationStore, ImportLog, EmbeddingStore, Protocol
):
    """One workspace of a database."""

    def reading(self, *, exact: bool = False, embedder: EmbedderInfo | None = None) -> AbstractContextManager[Snapshot]:
        """One snapshot for everything read inside (REPEATABLE READ, READ ONLY). Raises StoreError.

        ``exact`` = as though the workspace were searched exactly, to measure by it. ``embedder`` = whose vectors the
        questions have: over those of another one nothing is read, and the first read raises EmbedderChangedError.
        """
        ...


@runtime_checkable
class Database(Protocol):
    """Holds workspaces, saved runs and query sets. Plug-in folder: ``plugins/stores/``."""

    @property
    def runs(self) -> RunArchive:
        """The saved runs of all workspaces; they outlive the documents and the workspaces that they were made on."""
        ...

    @property
    def query_sets(self) -> QuerySetArchive:
        """The query sets of all workspaces with their evaluations; they outlive the workspaces as saved runs do."""
        ...

    @property
    def sign_ins(self) -> SignInLog:
        """The sign-ins of the dashboard, of all processes of this database."""
        ...

    def workspaces(self) -> tuple[Workspace, ...]:
        """All workspaces by name, with counts."""
        ...

    def create_workspace(self, name: str, embedder: EmbedderInfo, *, title: str = "") -> Store:
        """A new, empty workspace. Raises ConflictError when it exists."""
        ...

    def open_workspace(self, name: str) -> Store:
        """Raises NotFoundError, naming the workspaces there are."""
        ...

    def drop_workspace(self, name: str) -> None:
        """Remove a workspace with everything in it. Raises NotFoundError."""
        ...

    def health(self) -> dict[str, Any]:
        """What ``docgraph doctor`` shows: kind, server version, pgvector version, location, free bytes …"""
        ...

    def close(self) -> None:
        """Give back connections (and stop the embedded server when nobody else uses it)."""
        ...
