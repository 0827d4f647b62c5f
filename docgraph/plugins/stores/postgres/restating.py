"""Replacing what is said of stored documents in PostgreSQL: their row's texts and relationships, no chunk, no word.

And putting vectors of titles beside those of long documents, with their bits and fingerprints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from psycopg.types.json import Jsonb

from docgraph.domain.document_vector import LONG_DOCUMENT, are_same
from docgraph.domain.graph import PreparedDocument, StoredChunk, StoredDocument
from docgraph.domain.naming import name_keys
from docgraph.domain.revision import (
    BITS,
    N_BYTES,
    N_DOCUMENT_BYTES,
    document_fingerprint,
    with_vectors,
    with_vectors_of,
)
from docgraph.domain.where import facets_of_document
from docgraph.plugins.stores._rows.ready import place_column, placed_anew
from docgraph.plugins.stores._rows.writing import RESTATED
from docgraph.plugins.stores.postgres.postings import add_title_bits
from docgraph.plugins.stores.postgres.queries import NODE, chunk
from docgraph.plugins.stores.postgres.statements import family, placed
from docgraph.plugins.stores.postgres.statements.values import numbers_of
from docgraph.plugins.stores.postgres.writing import HASH_COLUMNS, as_bytes, hashes_of

if TYPE_CHECKING:
    from docgraph.domain.graph import RestatedDocument, TitleVector
    from docgraph.plugins.stores.postgres.writing import Writing

SQL = family("writing")
_OF_TEXT = (1 << 2 * BITS) - 1
LACKING = {"long": LONG_DOCUMENT}
"""What the statements that look for long documents without a vector of the title are given."""


def restate(writing: Writing, ready: Sequence[RestatedDocument], *, at: str) -> tuple[str, ...]:
    """Say it of those documents, all locked, that are made of what ``there`` says; which ones."""
    import numpy as np

    stored = {row[0]: row for row in writing.rows(SQL["made_of"], {"ids": [each.document_id for each in ready]})}
    found = [each for each in ready if each.document_id in stored and stored[each.document_id][-2] == each.there]
    if not found:
        return ()
    chunks = chunks_of(writing, [each.document_id for each in found])
    rows = []
    moved: list[StoredChunk] = []
    for each in found:
        row = stored[each.document_id]
        document = StoredDocument(**(dict(zip(NODE, row, strict=False)) | _said(each)))
        there = int.from_bytes(row[-1], "big")
        before = chunks[each.document_id]
        now = placed_anew(before, each.chunks)
        moved += (new for old, new in zip(before, now, strict=True) if old.place != new.place)
        prepared = PreparedDocument(document, np.zeros((0, 0), np.float32), now, np.zeros((0, 0), np.float32))
        new = with_vectors_of(document_fingerprint(prepared), there)
        writing.change.removed.append(there)
        writing.change.added.append(new)
        rows.append(_values(each, document, new))
    with writing.connection.cursor() as cursor:
        cursor.executemany(placed(SQL["restate_node"], writing.schema), rows)
        if moved:
            cursor.executemany(placed(SQL["place_chunk"], writing.schema), map(_moved, moved))
    writing.replace_relationships({each.document_id: each.relationships for each in found}, at=at)
    return tuple(each.document_id for each in found)


def chunks_of(writing: Writing, document_ids: Sequence[str]) -> dict[str, tuple[StoredChunk, ...]]:
    """document_id → its chunks in text order, without vectors."""
    found: dict[str, list[StoredChunk]] = {document_id: [] for document_id in document_ids}
    for row in writing.rows(SQL["chunks_of"], {"ids": list(document_ids)}):
        found[row[0]].append(chunk(row))
    return {document_id: tuple(chunks) for document_id, chunks in found.items()}


def _moved(chunk: StoredChunk) -> dict[str, Any]:
    key = {"document_id": chunk.document_id, "chunk_index": chunk.chunk_index}
    return {**key, "source_place": place_column(chunk.place)}


def _said(each: RestatedDocument) -> dict[str, Any]:
    return {name: getattr(each, name) for name in RESTATED}


def _values(each: RestatedDocument, document: StoredDocument, fingerprint: int) -> dict[str, Any]:
    hashes = dict(zip(HASH_COLUMNS, hashes_of(each.hashes), strict=True))
    names = name_keys(document.document_id, document.title, document.metadata)
    row = {
        "document_id": each.document_id,
        "fingerprint": as_bytes(fingerprint, N_DOCUMENT_BYTES),
        "names": list(names),
        "facets": list(facets_of_document(document)),
    }
    return {**_said(each), "metadata": Jsonb(each.metadata), **hashes, **row}


def put_titles(writing: Writing, ready: Sequence[TitleVector]) -> tuple[str, ...]:
    """Put them beside those of the documents, all locked, that may have one; which ones, in order."""
    import numpy as np

    ids = [each.document_id for each in ready]
    stored = {row[0]: row for row in writing.rows(SQL["untitled_of"], {"ids": ids, **LACKING})}
    found = [
        each
        for each in ready
        if each.document_id in stored and are_same(numbers_of(stored[each.document_id][-2]), each.there)
    ]
    if not found:
        return ()
    ids = [each.document_id for each in found]
    vectors: dict[str, list[Any]] = {document_id: [] for document_id in ids}
    for document_id, vector in writing.rows(SQL["vectors_of"], {"ids": ids}):
        vectors[document_id].append(numbers_of(vector))
    rows = []
    for each in found:
        row = stored[each.document_id]
        own = np.asarray(vectors[each.document_id], dtype=np.float32)
        new = _fingerprint(writing, each, row, own)
        writing.change.removed.append(int.from_bytes(row[-1], "big"))
        writing.change.added.append(new)
        fingerprint = as_bytes(new, N_DOCUMENT_BYTES)
        rows.append({"document_id": each.document_id, "title_embedding": each.vector, "fingerprint": fingerprint})
    with writing.connection.cursor() as cursor:
        cursor.executemany(placed(SQL["put_title"], writing.schema), rows)
    add_title_bits(writing.connection, writing.schema, ids, mode=writing.search)
    return tuple(ids)


def _fingerprint(writing: Writing, each: TitleVector, row: Sequence[Any], own: Any) -> int:
    """What it says of the texts stays; that of the oldest ones says too little, and is made anew."""
    document = StoredDocument(**dict(zip(NODE, row, strict=False)))
    there, is_old = int.from_bytes(row[-1], "big"), len(row[-1]) < N_BYTES
    chunks = chunks_of(writing, [each.document_id])[each.document_id] if is_old else ()
    prepared = PreparedDocument(document, numbers_of(row[-2]), chunks, own, title_vector=each.vector)
    return with_vectors(document_fingerprint(prepared) if is_old else there & _OF_TEXT, prepared)
