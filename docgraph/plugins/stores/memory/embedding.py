"""A workspace embedded anew in the reference store: vectors beside, then a new content with all of them."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from docgraph.domain.document_vector import is_long
from docgraph.domain.embedding import EmbeddingGain, EmbeddingState, LackingVectors, NewVectors, OwnAnswer
from docgraph.domain.graph import PreparedDocument, Vector, Vectors
from docgraph.domain.memory import Memory
from docgraph.domain.revision import document_fingerprint, moved, moved_vectors, with_vectors
from docgraph.domain.workspace import EmbedderInfo
from docgraph.plugins.stores._rows.embedding import accepted_vectors, at_work, check_abandon, check_begin, none_begun
from docgraph.plugins.stores._rows.ready import ready_memories
from docgraph.plugins.stores.memory.memories import KeptMemory
from docgraph.plugins.stores.memory.reading import Content


class MemoryEmbedding:
    """Vectors of another embedder beside those that answer (``ports.EmbeddingStore``)."""

    content: Content
    _lock: threading.Lock
    _memories: Mapping[str, KeptMemory]
    _state: EmbeddingState | None = None
    _new: Mapping[str, NewVectors] = {}  # replaced, never changed
    _new_memories: Mapping[str, tuple[str, Vector]] = {}
    _at_work: str | None = None

    def embedding(self) -> EmbeddingState | None:
        """Where it stands, or how the last one ended."""
        state = self._state
        if state is None or state.finished:
            return state
        content = self.content
        n_chunks = sum(len(prepared.chunks) for prepared in content.documents.values())
        total = n_chunks + 2 * len(content.documents) + len(self._memories)
        done = sum(len(each.chunks) + 2 * (each.vector is not None) for each in self._new.values())
        done = total if state.switched else min(done + len(self._new_memories), total)
        return state.model_copy(update={"n_done": done, "n_total": total})

    @contextmanager
    def embedding_turn(self, by: str) -> Iterator[None]:
        """Inside, nobody else works at it."""
        with self._lock:
            if self._at_work is not None:
                raise at_work(self.content.name, self._at_work)
            self._at_work = by
            if self._state is not None and not self._state.finished:
                self._state = self._state.model_copy(update={"by": by})
        try:
            yield
        finally:
            self._at_work = None

    def begin_embedding(self, embedder: EmbedderInfo, *, at: str, by: str) -> EmbeddingState:
        """Begin it, or go on with it."""
        check_begin(self.content.name, self.embedding(), embedder)
        with self._lock:
            if self._state is None or self._state.finished:
                self._state = EmbeddingState(embedder=embedder, before=self.content.embedder, at=at, by=by)
                self._new, self._new_memories = {}, {}
        there = self.embedding()
        assert there is not None
        return there

    def lacking_vectors(self, *, after: str, limit: int) -> tuple[LackingVectors, ...]:
        """The next documents that lack vectors, each with its texts."""
        found: list[LackingVectors] = []
        content, n_texts = self.content, 0
        for document_id in sorted(i for i in content.documents if i > after):
            prepared = content.documents[document_id]
            n_texts += len(prepared.chunks) + 2
            if self._is_whole(prepared):
                n_texts -= len(prepared.chunks) + 2
                continue
            if found and n_texts > limit:
                break
            found.append(self._lacking(prepared, limit))
        return tuple(found)

    def lacking_memories(self, *, limit: int) -> tuple[Memory, ...]:
        """Memories that lack their vector, by id."""
        there, new = self._memories, self._new_memories
        lacking = [i for i in sorted(there) if i not in new or new[i][0] != there[i].memory.text]
        return tuple(there[i].memory for i in lacking[:limit])

    def put_vectors(self, batch: Sequence[NewVectors]) -> None:
        """Keep new vectors."""
        ready = accepted_vectors(batch, self._begun().embedder)
        with self._lock:
            new = dict(self._new)
            for each in ready:
                there = new.get(each.document_id)
                chunks = there.chunks if there is not None and there.stamp == each.stamp else {}
                new[each.document_id] = replace(each, chunks={**chunks, **each.chunks})
            self._new = new

    def put_memory_vectors(self, memories: Sequence[Memory], vectors: Vectors) -> None:
        """Keep the new vectors of memories."""
        ready, rows = ready_memories(memories, vectors, self._begun().embedder)
        with self._lock:
            made = {memory.memory_id: (memory.text, row) for memory, row in zip(ready, rows, strict=True)}
            self._new_memories = {**self._new_memories, **made}

    def note_embedding(self, *, asked: Sequence[OwnAnswer] = (), gain: EmbeddingGain | None = None) -> None:
        """Keep what was read before it, and what it brought, with the state."""
        said = {"asked": tuple(asked)} if gain is None else {"asked": (), "gain": gain}
        self._state = self._begun().model_copy(update=said)

    def switch_vectors(self) -> bool:
        """A new content with all of them."""
        state = self._begun()
        with self._lock:
            documents = self.content.documents.values()
            if state.switched or not all(map(self._is_whole, documents)) or self.lacking_memories(limit=1):
                return state.switched
            self.content = _switched(self.content, state.embedder, self._new)
            self._memories = {
                i: KeptMemory(kept.memory, self._new_memories[i][1]) for i, kept in self._memories.items()
            }
            self._new, self._new_memories = {}, {}
            self._state = state.model_copy(update={"switched": True})
        return True

    def finish_embedding(self) -> None:
        """Nothing has to be made again."""
        self._begun()
        there = self.embedding()
        assert there is not None
        self._state = there.model_copy(update={"finished": True, "asked": ()})

    def abandon_embedding(self) -> bool:
        """Throw the unfinished vectors away."""
        if self._state is None or self._state.finished:
            return False
        check_abandon(self.content.name, self._state)
        with self._lock:
            self._state, self._new, self._new_memories = None, {}, {}
        return True

    def _begun(self) -> EmbeddingState:
        if self._state is None or self._state.finished:
            raise none_begun(self.content.name)
        return self._state

    def _is_whole(self, prepared: PreparedDocument) -> bool:
        new = self._new.get(prepared.document.document_id)
        return new is not None and new.vector is not None and new.stamp == _stamp(prepared)

    def _lacking(self, prepared: PreparedDocument, limit: int) -> LackingVectors:
        stamp, new = _stamp(prepared), self._new.get(prepared.document.document_id)
        there = new.chunks if new is not None and new.stamp == stamp else {}
        chunks = sorted((c for c in prepared.chunks if c.chunk_index not in there), key=lambda c: c.chunk_index)
        return LackingVectors(prepared.document, stamp, tuple(chunks[:limit]), is_rest=len(chunks) <= limit)


def _stamp(prepared: PreparedDocument) -> str:
    return f"{_fingerprint(prepared):x}"


def _fingerprint(prepared: PreparedDocument) -> int:
    return with_vectors(document_fingerprint(prepared), prepared)


def _switched(content: Content, embedder: EmbedderInfo, new: Mapping[str, NewVectors]) -> Content:
    """The content with the new vectors, and nothing else that is new."""
    documents = {i: _embedded(prepared, new[i], embedder) for i, prepared in content.documents.items()}
    removed, added = (list(map(_fingerprint, each.values())) for each in (content.documents, documents))
    return replace(
        content,
        embedder=embedder,
        made_with=content.made_with or content.embedder.embedder_id,
        documents=documents,
        revision=moved(content.revision, added=added, removed=removed),
        vectors=moved_vectors(content.vectors, added=added, removed=removed),
    )


def _embedded(prepared: PreparedDocument, new: NewVectors, embedder: EmbedderInfo) -> PreparedDocument:
    assert new.vector is not None
    rows = [new.chunks[chunk.chunk_index] for chunk in prepared.chunks]
    return replace(
        prepared,
        vector=new.vector,
        chunk_vectors=np.asarray(rows, dtype=np.float32).reshape(len(rows), embedder.dimension),
        title_vector=new.title_vector if is_long(len(prepared.chunks)) else None,
    )
