"""The slope chart of a comparison as rows: every chunk with its places on both sides; those that left below a line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from docgraph.domain.comparison import ChunkChange, Comparison, Order
from docgraph.views.words import counts
from docgraph.views.words.changes import Filter, Movement, chunk_name, chunks_in, departure_brief, movement

MAX_ROWS = 40
"""Chunks that are drawn until a reader asks for all of them."""

SEPARATOR = "\n"
"""Between document and chunk in a key; ids are one line, so no two chunks share a key."""


@dataclass(frozen=True)
class SlopeRow:
    """One chunk in the chart.

    ``y_a`` and ``y_b`` count rows from 1, top to bottom (``None``: not on that side); ``place_a`` and ``place_b`` are
    the numbers beside them. ``below`` = it left, and stands under the line with the place it would have had, when
    that is known. ``dimmed`` = the filter does not let it through. ``head_a`` and ``head_b`` name the document where
    the row above on that side belongs to another one, and are empty below it.
    """

    key: str
    document: str
    chunk: str
    kind: Movement
    y_a: int | None
    y_b: int
    place_a: str
    place_b: str
    delta: str
    score: str
    why: str
    below: bool = False
    dimmed: bool = False
    head_a: str = ""
    head_b: str = ""


@dataclass(frozen=True)
class Slope:
    """The chart: rows in B's order, then those that left.

    ``n_a`` and ``n_b`` count the rows on each side above the line; ``line`` says what the line is (empty: nothing
    left, no line). ``shown`` is "12 of 40" when something is not drawn, else empty.
    """

    order: Order
    label_a: str
    label_b: str
    rows: tuple[SlopeRow, ...]
    n_a: int
    n_b: int
    n_left: int
    line: str = ""
    shown: str = ""


def chunk_key(chunk: ChunkChange) -> str:
    """What a chunk is called between chart, tables and texts."""
    return f"{chunk.document_id}{SEPARATOR}{chunk.chunk_id}"


def slope(
    comparison: Comparison,
    order: Order,
    *,
    only_changes: bool = False,
    wanted: Filter = "all",
    max_rows: int | None = MAX_ROWS,
) -> Slope:
    """The chart's rows in one order; ``only_changes`` leaves out what stayed at its place."""
    lit = {chunk_key(c) for c in chunks_in(comparison, wanted, order)}
    candidates = [c for c in comparison.chunks if not only_changes or movement(c, order) != "same"]
    drawn = _bounded(candidates, lit, order, max_rows=max_rows)
    rows_a = _rows(drawn, "a", order)
    rows_b = _rows(drawn, "b", order)
    left = sorted((c for c in drawn if c.change == "left"), key=lambda c: (c.rank_a or 0, chunk_key(c)))
    n_b = len(rows_b)
    below = {chunk_key(c): n_b + i for i, c in enumerate(left, start=1)}
    there = sorted((c for c in drawn if c.change != "left"), key=lambda c: rows_b[chunk_key(c)])
    rows = tuple(
        _row(c, order, y_a=rows_a.get(chunk_key(c)), y_b=(rows_b | below)[chunk_key(c)], dimmed=chunk_key(c) not in lit)
        for c in (*there, *left)
    )
    n, m = len(drawn), len(comparison.chunks)
    return Slope(
        order=order,
        label_a=comparison.a.label,
        label_b=comparison.b.label,
        rows=_headed(rows),
        n_a=len(rows_a),
        n_b=n_b,
        n_left=len(left),
        line=_line(comparison, left) if left else "",
        shown="" if n == m else counts.n_of_m(n, m),
    )


def _bounded(
    candidates: Sequence[ChunkChange], lit: set[str], order: Order, *, max_rows: int | None
) -> list[ChunkChange]:
    """At most ``max_rows``: those that the filter lets through before others, then by their better place."""
    if max_rows is None or len(candidates) <= max_rows:
        return list(candidates)

    def first(chunk: ChunkChange) -> tuple[bool, int, str]:
        places = [p for p in (chunk.at("a", order), chunk.at("b", order)) if p is not None]
        return chunk_key(chunk) not in lit, min(places, default=0), chunk_key(chunk)

    kept = {chunk_key(c) for c in sorted(candidates, key=first)[:max_rows]}
    return [c for c in candidates if chunk_key(c) in kept]


def _rows(drawn: Sequence[ChunkChange], side: str, order: Order) -> dict[str, int]:
    """chunk key → row on one side, from 1, without gaps."""
    placed = [(place, chunk_key(c)) for c in drawn if (place := c.at("a" if side == "a" else "b", order)) is not None]
    return {key: y for y, (_, key) in enumerate(sorted(placed), start=1)}


def _row(chunk: ChunkChange, order: Order, *, y_a: int | None, y_b: int, dimmed: bool) -> SlopeRow:
    document, name = chunk_name(chunk)
    kind = movement(chunk, order)
    place_a, place_b = chunk.at("a", order), chunk.at("b", order)
    why = departure_brief(chunk.left_because) if chunk.left_because else ""
    return SlopeRow(
        key=chunk_key(chunk),
        document=document,
        chunk=name,
        kind=kind,
        y_a=y_a,
        y_b=y_b,
        place_a="" if place_a is None else str(place_a),
        place_b=_would_be(chunk) if place_b is None else str(place_b),
        delta=str(abs(chunk.moved(order))) if kind in ("up", "down") else "",
        score=counts.score(chunk.score),
        why=why,
        below=kind == "left",
        dimmed=dimmed,
    )


def _headed(rows: Sequence[SlopeRow]) -> tuple[SlopeRow, ...]:
    """The rows with the document's name where it changes (or the filter ends), so that a name is read once a group."""
    heads: dict[str, dict[str, str]] = {"a": {}, "b": {}}
    for side, found in heads.items():
        before: tuple[str, bool] | None = None
        placed = [(y, row) for row in rows if (y := row.y_a if side == "a" else row.y_b) is not None]
        for _, row in sorted(placed, key=lambda pair: (pair[0], pair[1].key)):
            own = (row.key.split(SEPARATOR)[0], row.dimmed)
            found[row.key] = "" if own == before else row.document
            before = own
    return tuple(replace(row, head_a=heads["a"].get(row.key, ""), head_b=heads["b"].get(row.key, "")) for row in rows)


def _would_be(chunk: ChunkChange) -> str:
    """The place in B's context that a chunk would have had, where the runs tell it."""
    cause = chunk.left_because
    if cause is None or cause.cause != "max_chunks" or cause.place is None:
        return counts.UNKNOWN
    return f"{cause.place}{'+' if cause.at_least else ''}"


def _line(comparison: Comparison, left: Sequence[ChunkChange]) -> str:
    limit = comparison.b.run.plan.constraints.max_chunks
    full = len(comparison.chunks) - len(comparison.chunks_with("left")) == limit
    total = any(c.left_because is not None and c.left_because.cause == "max_chunks" for c in left)
    if full and total:
        return f"Limit: {counts.plural(limit, 'passage')}"
    return f"Not in {comparison.b.label}"
