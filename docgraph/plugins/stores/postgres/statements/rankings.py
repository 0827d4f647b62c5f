"""The statements that rank documents, put together of parts: exact ones, and two-stage ones (shortlist, rescoring)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from docgraph.plugins.stores.postgres.statements import family, with_parts

if TYPE_CHECKING:
    from docgraph.domain.request import SeedSignal
    from docgraph.domain.where import Condition
    from docgraph.domain.workspace import VectorSearch

RANKING = family("ranking")
SHORTLISTS: Mapping[VectorSearch, str] = {"quantized": "by_bits", "hnsw": "by_index"}
"""Mode → the part that makes its shortlist of chunks."""
_PARTS = family("two_stage")
_IN_ORDER: Mapping[SeedSignal, Sequence[str]] = {
    "chunk": ("estimated", "rough_by_chunk", "compared", "ranked_by_chunk", "wanted", "told_by_chunk"),
    "mean": ("estimated", "rough_by_mean", "compared", "ranked_by_mean", "wanted", "told_by_mean"),
    "hybrid": ("words", "estimated", "rough_by_mean", "compared", "ranked_by_hybrid", "wanted", "told_by_hybrid"),
}
"""Signal → its parts behind the shortlist."""
_CACHED: Mapping[SeedSignal, Sequence[str]] = {
    "chunk": ("given_near",),
    "mean": ("given_near", "given_heads"),
    "hybrid": ("given_near", "given_heads"),
}
"""Signal → the parts in place of the shortlist's where a process has looked at the bits itself."""
_BETWEEN = '(facet COLLATE "C" >= %({low})s AND facet COLLATE "C" < %({high})s)'


@lru_cache(maxsize=256)
def ranking(
    signal: SeedSignal, tests: tuple[str, ...], *, search: VectorSearch = "exact", in_cache: bool = False
) -> str:
    """The statement that ranks documents by ``signal``, among those that pass the ``tests`` (values bound by name)."""
    if is_two_stage(signal, search, is_filtered=bool(tests)):
        return two_stage(signal, search, where=filter_by(tests), in_cache=in_cache)
    return with_parts(_by_scores(signal), **_inside(tests))


def _inside(tests: Sequence[str]) -> dict[str, str]:
    """The parts that keep a ranking by scores to what passes the tests."""
    if not tests:
        return {}
    return {"where": filter_by(tests), "inside": f" {RANKING['inside']}", "and_so_many": f" {RANKING['and_so_many']}"}


def filter_by(tests: Sequence[str]) -> str:
    """The tests as a WHERE, or nothing."""
    return "\n  WHERE " + " AND ".join(tests) if tests else ""


@lru_cache(maxsize=256)
def ranking_with_hop(
    signal: SeedSignal,
    tests: tuple[str, ...] = (),
    *,
    of_types: bool,
    search: VectorSearch = "exact",
    in_cache: bool = False,
) -> str:
    """``ranking``, with what finds the neighbours of the first of them."""
    hop = with_parts(RANKING["hop"], of_types=f" {RANKING['of_types']}" if of_types else "")
    edges = RANKING["edges"]
    if is_two_stage(signal, search, is_filtered=bool(tests)):
        return two_stage(signal, search, where=filter_by(tests), hop=hop, edges=edges, in_cache=in_cache)
    return with_parts(
        _by_scores(signal), **_inside(tests), hop=hop, or_reached=f" {RANKING['or_reached']}", edges=edges
    )


def _by_scores(signal: SeedSignal) -> str:
    return f"WITH\n{RANKING[f'scored_by_{signal}']}\n{RANKING['ranked']}"


def is_two_stage(signal: SeedSignal, search: VectorSearch, *, is_filtered: bool = False) -> bool:
    """``summary`` has no vectors of chunks. Among filtered documents the approximate index would find too few."""
    return signal != "summary" and search != "exact" and not (search == "hnsw" and is_filtered)


@cache
def two_stage(
    signal: SeedSignal, search: VectorSearch, *, where: str = "", hop: str = "", edges: str = "", in_cache: bool = False
) -> str:
    """The statement that ranks in two stages; ``where`` = a filter by fields, ``hop`` = what finds neighbours.

    ``edges`` = what each row says of its own edges then; ``in_cache`` = bits and words were looked at elsewhere.
    """
    inside = {name: f" {_PARTS[name]}" for name in ("inside", "and_inside", "and_n_inside")} if where else {}
    also = {"chunk": (), "mean": ("also_by_heads",), "hybrid": ("also_by_heads", "also_by_words")}[signal]
    passed = [with_parts(_PARTS["passed"], where=where)] if where else []
    near = _CACHED[signal] if in_cache else ("bits", SHORTLISTS[search])
    behind = ["given_words" if in_cache and name == "words" else name for name in _IN_ORDER[signal]]
    texts = [*passed, *(_PARTS[name] for name in (*near, *behind))]
    return with_parts(
        "WITH\n" + "\n".join(texts),
        also="".join(f"\n  {_PARTS[name]}" for name in also),
        with_chunks=f" {_PARTS['with_chunks']}" if signal == "chunk" else "",
        fitting=f"{_PARTS['given_fits']}\n{_fit('fitting')}" if in_cache else _fit("fitting"),
        but_given=f" {_PARTS['but_given']}" if in_cache else "",
        outside=_fit("outside"),
        hop=hop,
        edges=edges,
        or_reached=f"\n  {_PARTS['or_reached']}" if hop else "",
        **inside,
    )


def _fit(documents: str) -> str:
    """How well documents fit by words, of a list of them."""
    return with_parts(_PARTS["fit"], rows=with_parts(_PARTS["rows_of"], of=documents))


def predicates(conditions: Sequence[Condition]) -> tuple[tuple[str, ...], dict[str, Any]]:
    """(tests that a row of ``document_nodes`` has to pass, their values by name).

    The index over facets answers what asks for a key; what asks for a range is looked at in the rows that have the
    field, which the index finds.
    """
    tests, values = [], dict[str, Any]()
    for number, condition in enumerate(conditions):
        keys, ranges, is_not, there = condition.wanted
        name = f"facets_{number}"
        values[name] = list(keys or (there,))
        test = f"facets && %({name})s::text[]"
        if ranges:
            between = []
            for place, (low, high) in enumerate(ranges):
                bounds = {"low": f"{name}_low_{place}", "high": f"{name}_high_{place}"}
                values |= {bounds["low"]: low, bounds["high"]: high}
                between.append(_BETWEEN.format(**bounds))
            test += f" AND EXISTS (SELECT FROM unnest(facets) AS facet WHERE {' OR '.join(between)})"
        tests.append(f"NOT ({test})" if is_not else f"({test})")
    return tuple(tests), values
