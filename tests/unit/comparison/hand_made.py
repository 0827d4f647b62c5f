"""Rows of a comparison made by hand, for the sentences about them."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

from docgraph.comparison.narrative import verdict
from docgraph.domain.comparison import (
    Change,
    ChunkChange,
    Comparison,
    DocumentChange,
    LayerTokens,
    Phrase,
    RelevantDocument,
    Side,
)
from docgraph.domain.request import RetrievalRequest


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
    of_documents: Sequence[DocumentChange],
    of_chunks: Sequence[ChunkChange],
    *,
    tokens: int = 0,
    relevant: Sequence[RelevantDocument] = (),
    alone: bool = True,
    label_a: str = "MS3",
) -> tuple[Phrase, ...]:
    """The verdict over rows made by hand; ``alone``: relationships are all that the two runs differ in."""
    layers = (LayerTokens(layer="total", a=max(-tokens, 0), b=max(tokens, 0)),)
    request = RetrievalRequest(query="Why?")
    other = request.model_copy(update={"use_relationships": False} if alone else {"max_chunks": 3})
    sides = [
        Side.model_construct(name=name, label=label, run=SimpleNamespace(request=asked))
        for name, label, asked in (("ms3", "MS3", other), ("run", "MS5", request))
    ]
    made = Comparison.model_construct(
        a=sides[0],
        b=sides[1],
        documents=tuple(of_documents),
        chunks=tuple(of_chunks),
        tokens=layers,
        relevant=tuple(relevant),
    )
    return verdict(made, label_a, "MS5")


def sentence(*arguments: Any, **options: Any) -> str:
    return "".join(phrase.text for phrase in phrases(*arguments, **options))
