"""Vectors of titles for long documents that were stored without one: before there were any, or with a given vector."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from docgraph.domain.document_vector import document_texts, document_vector
from docgraph.domain.graph import StoredDocument, TitleVector
from docgraph.domain.report import TitlesReport
from docgraph.ports import Embedder, Store
from docgraph.ports.checked_vectors import embed_checked

AT_ONCE = 64


def fill_titles(
    store: Store,
    embedder: Embedder,
    document_ids: Sequence[str],
    *,
    goes_on: Callable[[int], bool] = lambda _: True,
) -> TitlesReport:
    """Embed title and summary of these stored documents and put the titles' vectors beside them, batch by batch.

    ``goes_on`` is told how many are done and says whether to go on; what is done by then stays. Raises EmbedderError,
    StoreError.
    """
    filled: list[str] = []
    left: list[str] = []
    for start in range(0, len(document_ids), AT_ONCE):
        if not goes_on(start):
            break
        with store.reading() as snapshot:
            there = snapshot.documents_by_id(document_ids[start : start + AT_ONCE])
        put = store.put_title_vectors(_embedded(list(there.values()), embedder))
        filled += put
        left += sorted(there.keys() - set(put))
    return TitlesReport(filled=tuple(filled), left=tuple(left))


def _embedded(documents: Sequence[StoredDocument], embedder: Embedder) -> list[TitleVector]:
    texts = [text for each in documents for text in document_texts(each.title, each.summary)]
    rows = embed_checked(embedder, texts).reshape(len(documents), 2, -1)
    return [
        TitleVector(d.document_id, np.asarray(own[0]), document_vector(own))
        for d, own in zip(documents, rows, strict=True)
    ]
