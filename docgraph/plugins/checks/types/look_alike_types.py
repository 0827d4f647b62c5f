"""Finds relation types that are most likely one: their names are nearly the same, in letters or in meaning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from docgraph.domain.edit import Edit
from docgraph.domain.look_alikes import look_alikes
from docgraph.domain.overrides import EdgeKey
from docgraph.plugins.checks._check import BaseCheck
from docgraph.plugins.checks._wording import counted
from docgraph.plugins.checks.types._inverses import retyped
from docgraph.ports import MENTIONS, Outcome, RelationshipGraph


class LookAlikeTypes(BaseCheck):
    """One spelling: the names differ by case, separators or a plural ``s`` alone. Misspelt: by one letter or two
    swapped ones, with a ``similarity`` of letters, and one is clearly rarer: at most ``rarer`` times as frequent. One
    meaning: the embedded names have this ``cosine``, one is clearly rarer, and neither is the other's inverse.
    """

    check_id = "look_alike_types"
    title = "Similar types"
    why = "A request that names one of the two misses the relationships of the other."
    unit = "types"
    parameters: Mapping[str, Any] = {"similarity": 0.87, "cosine": 0.9, "rarer": 0.25}

    def find(self, graph: RelationshipGraph, parameters: Mapping[str, Any]) -> Outcome:
        """One finding a type that looks like a more frequent one; spelling goes before meaning."""
        counts = graph.types
        alike = look_alikes(counts, graph.type_vectors, parameters)
        spelt = {name for name, found in alike.items() if found.spelt}
        mine = _relationships_of(spelt, graph)
        there = {edge.key for edge in graph.relationships} if spelt else set()
        findings = [
            self.finding(
                _sentence(name, found.other, counts, spelt=found.spelt),
                relation_types=(name, found.other),
                evidence=graph.sentence(mine[name][0]) if name in mine else "",
                fix=_fix(mine.get(name, ()), found.other, there) if counts[name] < counts[found.other] else (),
            )
            for name, found in sorted(alike.items())
        ]
        return Outcome(len(counts), findings, "" if counts else "there is no relationship")


def _relationships_of(types: set[str], graph: RelationshipGraph) -> dict[str, list[EdgeKey]]:
    mine: dict[str, list[EdgeKey]] = {}
    for key in sorted(edge.key for edge in graph.relationships if edge.relation_type in types):
        mine.setdefault(key[1], []).append(key)
    return mine


def _sentence(name: str, other: str, counts: Mapping[str, int], *, spelt: bool) -> str:
    alike = "is written nearly like" if spelt else "means nearly the same as"
    return f"{name} ({counted(counts[name], 'relationship')}) {alike} {other} ({counts[other]:,})"


def _fix(mine: Sequence[EdgeKey], other: str, there: set[EdgeKey]) -> tuple[Edit, ...]:
    """The rarer one's relationships under the other name; one that is there under that name already goes."""
    if not mine or MENTIONS in (other, mine[0][1]):
        return ()
    return retyped(mine, other, there=there)


build = LookAlikeTypes
