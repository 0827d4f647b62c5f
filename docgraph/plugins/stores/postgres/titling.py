"""Putting vectors of titles beside stored long documents in PostgreSQL, with their bits and fingerprints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from docgraph.domain.document_vector import LONG_DOCUMENT, are_same
from docgraph.domain.graph import PreparedDocument, StoredDocument, TitleVector
from docgraph.domain.revision import BITS, N_BYTES, N_DOCUMENT_BYTES, document_fingerprint, with_vectors
from docgraph.plugins.stores.postgres.postings import add_title_bits
from docgraph.plugins.stores.postgres.queries import NODE
from docgraph.plugins.stores.postgres.restating import chunks_of
from docgraph.plugins.stores.postgres.statements import family, placed
from docgraph.plugins.stores.postgres.writing import Writing, as_bytes

SQL = family("writing")
LACKING = {"long": LONG_DOCUMENT}
"""What the statements that look for long documents without a vector of the title are given."""
_OF_TEXT = (1 << 2 * BITS) - 1


def put_titles(writing: Writing, ready: Sequence[TitleVector]) -> tuple[str, ...]:
    """Put them beside those of the documents, all locked, that may have one; which ones, in order."""
    ids = [each.document_id for each in ready]
    stored = {row[0]: row for row in writing.rows(SQL["untitled_of"], {"ids": ids, **LACKING})}
    found = [
        each for each in ready if each.document_id in stored and are_same(stored[each.document_id][-2], each.there)
    ]
    if not found:
        return ()
    ids = [each.document_id for each in found]
    vectors: dict[str, list[Any]] = {document_id: [] for document_id in ids}
    for document_id, vector in writing.rows(SQL["vectors_of"], {"ids": ids}):
        vectors[document_id].append(vector)
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
    prepared = PreparedDocument(document, row[-2], chunks, own, title_vector=each.vector)
    return with_vectors(document_fingerprint(prepared) if is_old else there & _OF_TEXT, prepared)
