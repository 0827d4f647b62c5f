"""Relation types that say the same thing from the other end, and the families that they make."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from docgraph.domain.spelling import plain

Pair = tuple[str, str]

INVERSES: tuple[Pair, ...] = (
    ("supersedes", "superseded_by"),
    ("replaces", "replaced_by"),
    ("replaces", "superseded_by"),
    ("supersedes", "replaced_by"),
    ("obsoletes", "obsoleted_by"),
    ("amends", "amended_by"),
    ("updates", "updated_by"),
    ("decision_for", "decided_by"),
    ("explains", "explained_by"),
    ("implements", "implemented_by"),
)


def families(pairs: Sequence[Sequence[str]]) -> list[tuple[Pair, ...]]:
    """Pairs that share a type, directly or over others, in the order given; case and separators do not matter."""
    found: list[list[Pair]] = []
    for first, second in pairs:
        names = {plain(first), plain(second)}
        mine = [family for family in found if not names.isdisjoint(plain(n) for pair in family for n in pair)]
        found = [family for family in found if family not in mine]
        found.append([*(pair for family in mine for pair in family), (first, second)])
    return [tuple(family) for family in found]


def spelt(names: Iterable[str], wanted: Iterable[str]) -> frozenset[str]:
    """Those of ``names`` that are one of ``wanted``, whatever their case and separators."""
    plain_names = {plain(name) for name in wanted}
    return frozenset(name for name in names if plain(name) in plain_names)
