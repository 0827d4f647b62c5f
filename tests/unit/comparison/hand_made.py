"""Rows of a comparison made by hand, for the sentences about them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from docgraph.comparison.narrative import verdict
from docgraph.domain.comparison import Change, ChunkChange, DocumentChange, LayerTokens, Phrase


def documents(**counts: int) -> list[DocumentChange]:
    """``documents(kept=2, added=1)``."""
    names = [(change, n) for change, count in counts.items() for n in range(count)]
    return [DocumentChange.model_validate({"document_id": f"{c}{n}", "title": c, "change": c}) for c, n in names]


def chunk(change: Change, place_a: int | None, place_b: int | None, **fields: Any) -> ChunkChange:
    own = f"{change}-{place_a}-{place_b}"
    return ChunkChange(
        document_id="d",
        title="D",
        chunk_id=own,
        chunk_index=0,
        change=change,
        place_a=place_a,
        place_b=place_b,
        rank_a=place_a,
        rank_b=place_b,
        **fields,
    )


def chunks(*, kept: int = 0, added: int = 0, left: int = 0) -> list[ChunkChange]:
    """Kept ones stay in front, in their places."""
    return [
        *(chunk("kept", i, i) for i in range(1, kept + 1)),
        *(chunk("added", None, i) for i in range(kept + 1, kept + added + 1)),
        *(chunk("left", i, None) for i in range(kept + 1, kept + left + 1)),
    ]


def phrases(
    of_documents: Sequence[DocumentChange], of_chunks: Sequence[ChunkChange], *, n_top: int = 0, tokens: int = 0
) -> tuple[Phrase, ...]:
    layers = (LayerTokens(layer="total", a=max(-tokens, 0), b=max(tokens, 0)),)
    return verdict("MS3", "MS5", documents=of_documents, chunks=of_chunks, n_top=n_top, tokens=layers)


def sentence(*arguments: Any, **options: Any) -> str:
    return "".join(phrase.text for phrase in phrases(*arguments, **options))
