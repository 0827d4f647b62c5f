"""One workspace of the reference store: every change makes a new content."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

from docgraph.domain.graph import ImportHashes, PreparedDocument, Relationship, RestatedDocument
from docgraph.domain.history import HistoryEntry
from docgraph.domain.overrides import EdgeKey
from docgraph.domain.own_questions import Trial
from docgraph.domain.revision import decided_fingerprints, moved, moved_relationships
from docgraph.domain.type_roles import TypeChange, TypeDecision, switching_off
from docgraph.domain.workspace import BY_USER, EmbedderInfo, SearchChoice, VectorSearch
from docgraph.plugins.stores._rows.embedding import changed_embedder
from docgraph.plugins.stores._rows.history import ready_changes
from docgraph.plugins.stores._rows.ready import moves_origins, ready_decisions, type_changes, with_defaults
from docgraph.plugins.stores._rows.writing import accepted, accepted_anew, clean_relationship
from docgraph.plugins.stores.memory.curation import MemoryCuration
from docgraph.plugins.stores.memory.embedding import MemoryEmbedding
from docgraph.plugins.stores.memory.history import carried_over, changed, found
from docgraph.plugins.stores.memory.imports import MemoryImports
from docgraph.plugins.stores.memory.judgments import MemoryJudgments, judged_anew, passages_anew
from docgraph.plugins.stores.memory.memories import MemoryMemories
from docgraph.plugins.stores.memory.reading import Content, MemorySnapshot
from docgraph.plugins.stores.memory.writing import replaced, restated, stated, without
from docgraph.ports import EdgeChange, WriteResult


class MemoryStore(MemoryCuration, MemoryJudgments, MemoryMemories, MemoryImports, MemoryEmbedding):
    """One workspace (``ports.Store``): every change makes a new ``Content``, so an open snapshot never changes."""

    def __init__(self, content: Content) -> None:
        self.content = content
        self._lock = threading.Lock()

    @contextmanager
    def reading(self, *, exact: bool = False, embedder: EmbedderInfo | None = None) -> Iterator[MemorySnapshot]:
        """One unchanging view."""
        content = self.content
        _check_embedder(content, embedder)
        yield MemorySnapshot(replace(content, vector_search="exact") if exact else content)

    def content_hashes(self, document_ids: Sequence[str] | None = None) -> dict[str, str]:
        """document_id → content hash of stored documents; all when ``document_ids`` is None."""
        documents = self.content.documents
        ids = documents if document_ids is None else [i for i in document_ids if i in documents]
        return {document_id: documents[document_id].document.content_hash for document_id in sorted(ids)}

    def import_hashes(self, document_ids: Sequence[str]) -> dict[str, ImportHashes]:
        """document_id → what the stored documents among these were made of."""
        documents = self.content.documents
        return {i: documents[i].hashes for i in sorted(set(document_ids)) if i in documents}

    def write(
        self, batch: Sequence[PreparedDocument], *, at: str = "", embedder: EmbedderInfo | None = None
    ) -> WriteResult:
        """Add or replace documents whole; equal ones are left alone, what people decided stands."""
        ready = accepted(batch, embedder or self.content.embedder)
        with self._lock:
            _check_embedder(self.content, embedder)
            before = self.content.documents
            same = [p for p in ready if _is_unchanged(before.get(p.document.document_id), p)]
            unchanged = {p.document.document_id for p in same}
            changed = [p for p in ready if p.document.document_id not in unchanged]
            self.content = replaced(self.content, changed, at=at)
        ids = [p.document.document_id for p in changed]
        return WriteResult(
            added=tuple(i for i in ids if i not in before),
            replaced=tuple(i for i in ids if i in before),
            unchanged=tuple(sorted(unchanged)),
        )

    def restate(self, batch: Sequence[RestatedDocument], *, at: str = "") -> tuple[str, ...]:
        """Replace what is said of documents that are made of what the batch says; which ones."""
        ready = accepted_anew(batch)
        with self._lock:
            documents = self.content.documents
            found = [
                r for r in ready if r.document_id in documents and documents[r.document_id].hashes.embedded == r.there
            ]
            self.content = restated(self.content, found, at=at)
        return tuple(each.document_id for each in found)

    def put_ingested(self, relationships: Sequence[Relationship], *, at: str = "") -> tuple[Relationship, ...]:
        """Import relationships beside those that are there. Raises NotFoundError for an unknown start."""
        edges = {edge.key: edge for edge in map(clean_relationship, relationships)}
        with self._lock:
            self.content, changed = stated(self.content, [edges[key] for key in sorted(edges)], at=at)
        return changed

    def delete_documents(self, document_ids: Sequence[str]) -> int:
        """Remove documents with chunks and outgoing relationships; how many there were."""
        with self._lock:
            before = len(self.content.documents)
            self.content = without(self.content, document_ids)
            return before - len(self.content.documents)

    def carry_over(self, moves: Mapping[str, str], *, at: str, by: str) -> tuple[HistoryEntry, ...]:
        """Give what was decided about documents to those in their place, and remove the old ones."""
        with self._lock:
            before = self.content
            known = {o: n for o, n in moves.items() if o in before.documents and n in before.documents}
            if not known:
                return ()
            self.content = without(carried_over(before, known, at=at, by=by), known)
            self._judgments = judged_anew(self._judgments, known)
            self._passages = passages_anew(self._passages, known)
            return self.content.history[len(before.history) :]

    def change_relationships(
        self, changes: Sequence[EdgeChange], *, at: str, by: str, reason: str
    ) -> tuple[HistoryEntry, ...]:
        """Change relationships and write it down, all or none. Raises ConflictError, NotFoundError."""
        ready = ready_changes(changes)
        if not ready:
            return ()
        with self._lock:
            self.content = changed(self.content, ready, at=at, by=by, reason=reason)
            if moves_origins(ready):
                self._decide(())
            return self.content.history[-len(ready) :]

    def history(
        self, *, key: EdgeKey | None = None, document_id: str | None = None, limit: int = 200, before: int | None = None
    ) -> tuple[HistoryEntry, ...]:
        """What was done to relationships, newest first."""
        return found(self.content, key=key, document_id=document_id, limit=limit, before=before)

    def set_off_relation_types(self, types: Sequence[str]) -> None:
        """Exactly these types are off from now on, by hand."""
        with self._lock:
            self._decide(switching_off(self.content.decided, types))

    def decide_types(self, decisions: Sequence[TypeDecision]) -> tuple[TypeChange, ...]:
        """Give relation types their roles in plans; what changed, by type."""
        with self._lock:
            return self._decide(ready_decisions(decisions))

    def keep_trial(self, trial: Trial) -> Trial:
        """Keep a trial of relation types under the next ``trial_id``; as it is kept."""
        with self._lock:
            kept = trial.model_copy(update={"trial_id": len(self.content.trials) + 1})
            self.content = replace(self.content, trials=(*self.content.trials, kept))
        return kept

    def trials(self, *, limit: int = 20) -> tuple[Trial, ...]:
        """Trials of relation types, newest first."""
        return self.content.trials[::-1][:limit]

    def type_history(self, *, limit: int = 200) -> tuple[TypeChange, ...]:
        """What was decided about relation types, newest first."""
        return self.content.type_history[::-1][:limit]

    def _decide(self, decisions: Sequence[TypeDecision]) -> tuple[TypeChange, ...]:
        content = self.content
        before = content.decided
        settled = with_defaults(before, decisions, MemorySnapshot(content).type_origins())
        after, made = before.after(settled), type_changes(before, settled, after=len(content.type_history))
        came, went = decided_fingerprints(after), decided_fingerprints(before)
        self.content = replace(
            content,
            off_relation_types=after.off,
            type_decisions=after.decisions,
            type_history=(*content.type_history, *made),
            revision=moved(content.revision, added=came, removed=went),
            relationships=moved_relationships(content.relationships, added=came, removed=went),
        )
        return made

    def set_vector_search(self, mode: VectorSearch, *, choice: SearchChoice = BY_USER) -> None:
        """How rankings find similar chunks from now on."""
        with self._lock:
            self.content = replace(self.content, vector_search=mode, search_choice=choice)


def _check_embedder(content: Content, embedder: EmbedderInfo | None) -> None:
    if embedder is not None and content.embedder != embedder:
        raise changed_embedder(content.name, content.embedder, embedder)


def _is_unchanged(stored: PreparedDocument | None, new: PreparedDocument) -> bool:
    """An empty hash says nothing about the content, so it never counts as equal."""
    return stored is not None and stored.hashes.stated == new.hashes.stated != ""
