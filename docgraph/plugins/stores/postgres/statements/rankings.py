"""The statements that rank documents, put together of the parts of ``ranking.sql`` and of those for candidates."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from docgraph.plugins.stores.postgres.statements import family, with_parts
from docgraph.plugins.stores.postgres.statements.bounded import by_candidates

if TYPE_CHECKING:
    from docgraph.domain.request import SeedSignal
    from docgraph.domain.workspace import VectorSearch

RANKING = family("ranking")


@lru_cache(maxsize=256)
def ranking(
    signal: SeedSignal, tests: tuple[str, ...], *, search: VectorSearch = "exact", is_given: bool = False
) -> str:
    """The statement that ranks documents by ``signal``, among those that pass the ``tests`` (values bound by name)."""
    if is_bounded(signal, search, is_filtered=bool(tests)):
        return by_candidates(signal, search, where=filter_by(tests), is_given=is_given)
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
    is_given: bool = False,
) -> str:
    """``ranking``, with what finds the neighbours of the first of them."""
    hop = with_parts(RANKING["hop"], of_types=f" {RANKING['of_types']}" if of_types else "")
    edges = RANKING["edges"]
    if is_bounded(signal, search, is_filtered=bool(tests)):
        return by_candidates(signal, search, where=filter_by(tests), hop=hop, edges=edges, is_given=is_given)
    return with_parts(
        _by_scores(signal), **_inside(tests), hop=hop, or_reached=f" {RANKING['or_reached']}", edges=edges
    )


def _by_scores(signal: SeedSignal) -> str:
    return f"WITH\n{RANKING[f'scored_by_{signal}']}\n{RANKING['ranked']}"


def is_bounded(signal: SeedSignal, search: VectorSearch, *, is_filtered: bool = False) -> bool:
    """``summary`` has no vectors of chunks. Among filtered documents the approximate index would find too few."""
    return signal != "summary" and search != "exact" and not (search == "hnsw" and is_filtered)
