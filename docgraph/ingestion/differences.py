"""Tells what of a document differs from what is stored: nothing, what is said of it, or what is embedded."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from docgraph.domain.frozen import fingerprint
from docgraph.domain.graph import ChunkPlace, Document, ImportHashes, Relationship, Section, StoredChunk, StoredDocument
from docgraph.domain.workspace import EmbedderInfo
from docgraph.ingestion.cutting.chunking import ChunkingOptions
from docgraph.ingestion.preparing import Draft
from docgraph.ports import Store


@dataclass(frozen=True)
class New:
    """A document that is not stored: where it stands, and the hash of its title and text."""

    document_id: str
    source: str
    text: str


def new_among(documents: Iterable[Document]) -> list[New]:
    """Documents as far as moves are told by them; each is let go of."""
    return [New(each.document_id, each.source, text_hash(each)) for each in documents]


def moves_among(
    gone: Sequence[StoredDocument], came: Iterable[New], hashes: Mapping[str, ImportHashes], *, sources: Iterable[str]
) -> dict[str, str]:
    """Old id → new id, by the old one.

    ``gone`` = stored documents that this import should hold and does not, ``came`` = documents of it that are not
    stored, ``hashes`` = those of documents that are gone, by id, as far as they are known, ``sources`` = where
    the stored documents stand. A text that several of either have says nothing, and neither does an id that changed in
    a file that stands where it stood.
    """
    stood = set(sources)
    new = [each for each in came if each.source and each.source not in stood]
    there = _by_text((each.text, each.document_id) for each in new)
    here = {each.source for each in new}
    left = _by_text((_text(hashes.get(each.document_id)), each.document_id) for each in gone if each.source)
    places = {each.document_id: each.source for each in gone}
    pairs = ((left[text], there[text]) for text in left.keys() & there.keys() if text)
    found = {old[0]: now[0] for old, now in pairs if len(old) == len(now) == 1 and places[old[0]] not in here}
    return {old: found[old] for old in sorted(found)}


def _text(hashes: ImportHashes | None) -> str:
    return "" if hashes is None else hashes.text


def _by_text(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for text, document_id in pairs:
        found.setdefault(text, []).append(document_id)
    return found


Chunks = tuple[StoredChunk, ...]

_PLACES: dict[str, Any] = {"sections": {"__all__": {"place"}}, "chunks": {"__all__": {"place"}}}
_PLACE_AND_METADATA = {"document_id", "source", "doc_type", "ingestion_id", "metadata"}


@dataclass(frozen=True)
class Stored:
    """A draft, and the hash ``embedded`` of what is stored when its vectors can stay; None = it is embedded anew."""

    draft: Draft
    there: str | None = None


def import_hashes(
    document: Document, relationships: Sequence[Relationship], *, embedder: EmbedderInfo, options: ChunkingOptions
) -> ImportHashes:
    """What the document is made of, known *before* anything is cut, summarised or embedded.

    Given vectors count by the bytes of their 32-bit numbers: written out as text they cost as much as everything else.
    """
    if not has_vectors(document):
        return _hashes_without_vectors(document, relationships, made_by=_made_by(embedder, options))
    whole = document.model_dump(
        mode="json", exclude={**_PLACES, "vector": True, "chunks": {"__all__": {"vector", "place"}}}
    )
    said = {name: whole.pop(name) for name in _PLACE_AND_METADATA}
    made_by = _made_by(embedder, options)
    embedded = fingerprint({**made_by, "document": whole, "vectors": _vectors_hash(document)})
    return ImportHashes(
        text=text_hash(document),
        embedded=embedded,
        stated=fingerprint({"embedded": embedded, "said": said, **_stated_beside(document, relationships)}),
    )


def _hashes_without_vectors(
    document: Document, relationships: Sequence[Relationship], *, made_by: Mapping[str, Any]
) -> ImportHashes:
    whole = document.model_dump(mode="json", exclude=_PLACES)
    embedded = {name: value for name, value in whole.items() if name not in _PLACE_AND_METADATA}
    return ImportHashes(
        text=text_hash(document),
        embedded=fingerprint({**made_by, "document": embedded}),
        stated=fingerprint({**made_by, "document": whole, **_stated_beside(document, relationships)}),
    )


def has_places(document: Document) -> bool:
    """Whether it is known where any part of the document stands in its source."""
    return any(place is not None for place in _places(document))


def _places(document: Document) -> Iterator[ChunkPlace | None]:
    yield from (section.place for section in document.sections)
    yield from (chunk.place for chunk in document.chunks or ())


def has_vectors(document: Document) -> bool:
    """Whether any vector was given with the document."""
    return document.vector is not None or any(chunk.vector is not None for chunk in document.chunks or ())


def is_stated(draft: Draft, there: ImportHashes | None) -> bool:
    """Whether all that the draft says is stored already."""
    return there is not None and there.stated == draft.hashes.stated


def with_stored(drafts: Sequence[Draft], store: Store) -> list[Stored]:
    """Each draft beside what is stored of it: its content hash stays where title and text do."""
    ids = [draft.document.document_id for draft in drafts]
    there = store.import_hashes(ids)
    if not there:  # all are new: nothing more to ask for
        return [Stored(draft) for draft in drafts]
    content = store.content_hashes(ids)
    return [_beside(draft, there.get(i), content.get(i, "")) for i, draft in zip(ids, drafts, strict=True)]


def _beside(draft: Draft, there: ImportHashes | None, content_hash: str) -> Stored:
    if there is None or there.text != draft.hashes.text:
        return Stored(draft)
    stays = there.embedded == draft.hashes.embedded
    return Stored(replace(draft, content_hash=content_hash), there.embedded if stays else None)


def _made_by(embedder: EmbedderInfo, options: ChunkingOptions) -> dict[str, Any]:
    return {"embedder": embedder.embedder_id, "chunking": asdict(options)}


def _stated_beside(document: Document, relationships: Sequence[Relationship]) -> dict[str, Any]:
    """Relationships, and the places of the document's parts where any is known."""
    said: dict[str, Any] = {"relationships": _edges(relationships)}
    if has_places(document):
        said["places"] = [place and (place.start, place.line, place.page) for place in _places(document)]
    return said


def _edges(relationships: Sequence[Relationship]) -> list[dict[str, Any]]:
    return [edge.model_dump(mode="json") for edge in sorted(relationships, key=lambda e: e.key)]


def text_hash(document: Document) -> str:
    """Over title and text, as ``ImportHashes.text``."""
    return fingerprint({"title": document.title, "text": _read(document)})


def _vectors_hash(document: Document) -> str:
    """Over every given vector and the place it was given for: "" = the document's own, else the chunk's position."""
    given = [("", document.vector), *((str(place), chunk.vector) for place, chunk in enumerate(document.chunks or ()))]
    digest = hashlib.sha256()
    for place, vector in given:
        if vector is not None:
            digest.update(f"{place}:{len(vector)}:".encode())
            digest.update(np.asarray(vector, dtype="<f4").tobytes())
    return digest.hexdigest()


def _read(document: Document) -> list[Any]:
    """What a person reads of it under its title: headings and texts in their order, else the summary."""
    if document.chunks is not None:
        parts = [(c.heading_path, c.text) for c in sorted(document.chunks, key=lambda chunk: chunk.chunk_index)]
    else:
        sections = document.sections or (Section(text=document.text),)
        parts = [(section.heading_path, section.text.strip()) for section in sections]
    return [part for part in parts if any(part)] or [document.summary]
