"""Replacing what is said of stored documents in PostgreSQL: their row's texts and relationships, no chunk, no word.

And putting vectors of titles beside those of long documents, with their bits and fingerprints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from psycopg.types.json import Jsonb

from docgraph.domain.graph import PreparedDocument, StoredChunk, StoredDocument
from docgraph.domain.naming import name_keys
from docgraph.domain.revision import (
    N_DOCUMENT_BYTES,
    document_fingerprint,
    with_vectors_of,
)
from docgraph.domain.where import facets_of_document
from docgraph.plugins.stores._rows.ready import place_column, placed_anew
from docgraph.plugins.stores._rows.writing import RESTATED
from docgraph.plugins.stores.postgres.queries import NODE, chunk
from docgraph.plugins.stores.postgres.statements import family, placed
from docgraph.plugins.stores.postgres.writing import HASH_COLUMNS, as_bytes, hashes_of

if TYPE_CHECKING:
    from docgraph.domain.graph import RestatedDocument
    from docgraph.plugins.stores.postgres.writing import Writing

SQL = family("writing")


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
