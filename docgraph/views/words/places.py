"""Where a chunk stands in its source, in words."""

from __future__ import annotations

from docgraph.domain.graph import ChunkPlace


def place_words(place: ChunkPlace | None) -> str:
    """``line 41`` or ``page 3``; "" where it is not known."""
    if place is None:
        return ""
    if place.page is not None:
        return f"page {place.page:,}"
    return "" if place.line is None else f"line {place.line:,}"
