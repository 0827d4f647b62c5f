"""The place of a chunk in its source as one column: a list of four numbers, or nothing."""

from __future__ import annotations

from collections.abc import Sequence

from docgraph.domain.graph import ChunkPlace, StoredChunk


def place_column(place: ChunkPlace | None) -> list[int | None] | None:
    """``[start, end, line, page]``; None where the place is not known."""
    return None if place is None else [place.start, place.end, place.line, place.page]


def place_of(column: Sequence[int | None] | None) -> ChunkPlace | None:
    """The place that such a column holds."""
    if column is None:
        return None
    start, end, line, page = column
    return ChunkPlace.trusted({"start": start, "end": end, "line": line, "page": page})


def placed_anew(stored: Sequence[StoredChunk], cut: Sequence[StoredChunk]) -> tuple[StoredChunk, ...]:
    """The stored chunks with the places of those that are cut today: equal index and text, else none is known."""
    places = {(chunk.chunk_index, chunk.text): chunk.place for chunk in cut}
    return tuple(
        chunk
        if (place := places.get((chunk.chunk_index, chunk.text))) == chunk.place
        else chunk.model_copy(update={"place": place})
        for chunk in stored
    )
