"""Relation types: those that say the same thing from the other end, and the fix for one with a wrong name."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from docgraph.domain.edit import Edit
from docgraph.domain.overrides import EdgeKey
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

MAX_FIXED = 100
"""A type with more relationships is merged by a person who looks at them."""


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


def retyped(keys: Sequence[EdgeKey], name: str, *, there: Collection[EdgeKey]) -> tuple[Edit, ...]:
    """The relationships at ``keys`` under the other name; one that is there under it already goes. None for many."""
    if len(keys) > MAX_FIXED:
        return ()
    return tuple(
        Edit(action="remove", key=key)
        if (key[0], name, key[2]) in there
        else Edit(action="retype", key=key, relation_type=name)
        for key in keys
    )
