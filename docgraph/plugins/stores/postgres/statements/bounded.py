"""The statements that rank documents by candidates, put together: a pool, the likely ones, what is told of whom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from docgraph.domain.request import SeedSignal
from docgraph.domain.workspace import VectorSearch
from docgraph.plugins.stores.postgres.statements import family, with_parts

BOUNDED: Mapping[VectorSearch, str] = {"quantized": "by_bits", "hnsw": "by_index"}
"""Mode → the part that makes its shortlist of chunks."""
_PARTS = family("bounded")
_IN_ORDER: Mapping[SeedSignal, Sequence[str]] = {
    "chunk": ("estimated", "rough_by_chunk", "compared", "ranked_by_chunk", "wanted", "told_by_chunk"),
    "mean": ("estimated", "rough_by_mean", "compared", "ranked_by_mean", "wanted", "told_by_mean"),
    "hybrid": ("words", "estimated", "rough_by_mean", "compared", "ranked_by_hybrid", "wanted", "told_by_hybrid"),
}
"""Signal → its parts behind the shortlist."""
_GIVEN: Mapping[SeedSignal, Sequence[str]] = {
    "chunk": ("given_near",),
    "mean": ("given_near", "given_heads"),
    "hybrid": ("given_near", "given_heads"),
}
"""Signal → the parts in place of the shortlist's where a process has looked at the bits itself."""


@cache
def by_candidates(
    signal: SeedSignal,
    search: VectorSearch,
    *,
    where: str = "",
    hop: str = "",
    edges: str = "",
    is_given: bool = False,
) -> str:
    """The statement that ranks by candidates; ``where`` = a filter by fields, ``hop`` = what finds neighbours.

    ``edges`` = what each row says of its own edges then; ``is_given`` = bits and words were looked at elsewhere.
    """
    inside = {name: f" {_PARTS[name]}" for name in ("inside", "and_inside", "and_n_inside")} if where else {}
    also = {"chunk": (), "mean": ("also_by_heads",), "hybrid": ("also_by_heads", "also_by_words")}[signal]
    passed = [with_parts(_PARTS["passed"], where=where)] if where else []
    near = _GIVEN[signal] if is_given else ("bits", BOUNDED[search])
    behind = ["given_words" if is_given and name == "words" else name for name in _IN_ORDER[signal]]
    texts = [*passed, *(_PARTS[name] for name in (*near, *behind))]
    return with_parts(
        "WITH\n" + "\n".join(texts),
        also="".join(f"\n  {_PARTS[name]}" for name in also),
        with_chunks=f" {_PARTS['with_chunks']}" if signal == "chunk" else "",
        fitting=f"{_PARTS['given_fits']}\n{_fit('fitting')}" if is_given else _fit("fitting"),
        but_given=f" {_PARTS['but_given']}" if is_given else "",
        outside=_fit("outside"),
        hop=hop,
        edges=edges,
        or_reached=f"\n  {_PARTS['or_reached']}" if hop else "",
        **inside,
    )


def _fit(documents: str) -> str:
    """How well documents fit by words, of a list of them."""
    return with_parts(_PARTS["fit"], rows=with_parts(_PARTS["rows_of"], of=documents))
