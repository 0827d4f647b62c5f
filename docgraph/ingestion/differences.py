"""Tells what of a document differs from what is stored: nothing, what is said of it, or what is embedded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from docgraph.domain.frozen import fingerprint
from docgraph.domain.graph import Document, ImportHashes, Relationship, Section, StoredChunk, StoredDocument
from docgraph.domain.workspace import EmbedderInfo
from docgraph.ingestion.chunking import ChunkingOptions
from docgraph.ingestion.preparing import Draft
from docgraph.ports import Snapshot, Store

Chunks = tuple[StoredChunk, ...]

_PLACE_AND_METADATA = {"document_id", "source", "doc_type", "ingestion_id", "metadata"}


@dataclass(frozen=True)
class Stored:
    """A draft, and the hash ``embedded`` of what is stored when its vectors can stay; None = it is embedded anew."""

    draft: Draft
    there: str | None = None


def import_hashes(
    document: Document, relationships: Sequence[Relationship], *, embedder: EmbedderInfo, options: ChunkingOptions
) -> ImportHashes:
    """What the document is made of, known *before* anything is cut, summarised or embedded."""
    made_by: dict[str, Any] = {"embedder": embedder.embedder_id, "chunking": asdict(options)}
    whole = document.model_dump(mode="json")
    edges = [edge.model_dump(mode="json") for edge in sorted(relationships, key=lambda e: e.key)]
    embedded = {name: value for name, value in whole.items() if name not in _PLACE_AND_METADATA}
    return ImportHashes(
        text=fingerprint({"title": document.title, "text": _read(document)}),
        embedded=fingerprint({**made_by, "document": embedded}),
        stated=fingerprint({**made_by, "document": whole, "relationships": edges}),
    )


def with_stored(drafts: Sequence[Draft], store: Store, cut: Callable[[Document], Chunks]) -> list[Stored]:
    """Each draft beside what is stored of it: its content hash stays where title and text do.

    A document of which no hashes are known (stored before they were kept) is compared by its chunks as ``cut`` makes
    them; a text that is cut in another way today counts as changed.
    """
    ids = [draft.document.document_id for draft in drafts]
    there, content = store.import_hashes(ids), store.content_hashes(ids)
    with store.reading() as snapshot:
        older = _Older(snapshot, cut)
        return [_beside(d, there.get(i), content.get(i, ""), older) for i, d in zip(ids, drafts, strict=True)]


def _beside(draft: Draft, there: ImportHashes | None, content_hash: str, older: _Older) -> Stored:
    if there is None:
        return Stored(draft)
    known = bool(there.text)
    if not (there.text == draft.hashes.text if known else older.same_text(draft.document)):
        return Stored(draft)
    embedded = there.embedded == draft.hashes.embedded if known else older.keeps_vectors(draft.document)
    return Stored(replace(draft, content_hash=content_hash), there.embedded if embedded else None)


@dataclass(frozen=True)
class _Older:
    """Compares with stored documents of which no hashes are known."""

    snapshot: Snapshot
    cut: Callable[[Document], Chunks]

    def same_text(self, document: Document) -> bool:
        """By title and chunks, else by the summary that stands for the text."""
        stored = self._stored(document)
        if stored is None or document.title != stored.title:
            return False
        try:
            chunks = self.cut(document)
        except ValueError:
            return False
        there = self.snapshot.chunks(document.document_id)
        return there == chunks if there else not chunks and document.summary == stored.summary

    def keeps_vectors(self, document: Document) -> bool:
        """Of a document with the same text; of given vectors nothing can be said."""
        stored = self._stored(document)
        given = document.vector is not None or any(chunk.vector is not None for chunk in document.chunks or ())
        return stored is not None and not given and document.summary in ("", stored.summary)

    def _stored(self, document: Document) -> StoredDocument | None:
        return self.snapshot.documents_by_id([document.document_id]).get(document.document_id)


def _read(document: Document) -> list[Any]:
    """What a person reads of it under its title: headings and texts in their order, else the summary."""
    if document.chunks is not None:
        parts = [(c.heading_path, c.text) for c in sorted(document.chunks, key=lambda chunk: chunk.chunk_index)]
    else:
        sections = document.sections or (Section(text=document.text),)
        parts = [(section.heading_path, section.text.strip()) for section in sections]
    return [part for part in parts if any(part)] or [document.summary]
