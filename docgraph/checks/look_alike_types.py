"""Finds relation types that are most likely one: their names are nearly the same, in letters or in meaning."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any

import numpy as np

from docgraph.checks._spelling import plain
from docgraph.checks._wording import counted
from docgraph.domain.edit import Edit
from docgraph.domain.finding import Finding, Severity
from docgraph.domain.graph import Vectors
from docgraph.domain.overrides import EdgeKey
from docgraph.ports import MENTIONS, Outcome, RelationshipGraph

MAX_FIXED = 100
"""A type with more relationships is merged by a person who looks at them."""

BLOCK = 512
"""Rows of similarities that are held at once."""

_DIGITS = re.compile(r"\d+")
_WORDS = re.compile(r"[^\W_]+")
_TURNING = frozenset(("by", "has", "have", "is", "was", "not", "from", "to"))
"""Words that turn a name round: ``amended_by`` means nearly what ``amends`` means, and the opposite."""


@dataclass(frozen=True)
class LookAlikeTypes:
    """One spelling: the names differ by case, separators or a plural ``s`` alone. Misspelt: by one letter or two
    swapped ones, with a ``similarity`` of letters, and one is clearly rarer: at most ``rarer`` times as frequent. One
    meaning: the embedded names have this ``cosine``, one is clearly rarer, and neither is the other's inverse.
    """

    check_id: str = "look_alike_types"
    title: str = "Look-alike types"
    severity: Severity = "warning"
    why: str = "A request that names one of the two leaves out every relationship of the other."
    unit: str = "types"
    parameters: Mapping[str, Any] = field(
        default_factory=lambda: {"similarity": 0.87, "cosine": 0.9, "rarer": 0.25}
    )  # fmt: skip

    def find(self, graph: RelationshipGraph, parameters: Mapping[str, Any]) -> Outcome:
        """One finding a type that looks like a more frequent one; spelling goes before meaning."""
        counts = graph.types
        alike = _of_one_spelling(counts)
        for name, other in _misspelt(counts, parameters):
            alike.setdefault(name, other)
        spelt = set(alike)
        for name, other in _of_one_meaning(graph, parameters):
            alike.setdefault(name, other)
        mine = _relationships_of(spelt, graph)
        there = {edge.key for edge in graph.relationships} if spelt else set()
        findings = [
            Finding.about(
                self.check_id, self.severity, _sentence(name, other, counts, spelt=name in spelt),
                relation_types=(name, other), evidence=graph.sentence(mine[name][0]) if name in mine else "",
                fix=_fix(mine.get(name, ()), other, there) if counts[name] < counts[other] else (),
            )
            for name, other in sorted(alike.items())
        ]  # fmt: skip
        return Outcome(len(counts), findings, "" if counts else "there is no relationship")


def _most_frequent_first(counts: Mapping[str, int]) -> list[str]:
    return sorted(counts, key=lambda name: (-counts[name], name))


def _of_one_spelling(counts: Mapping[str, int]) -> dict[str, str]:
    """Type → the most frequent one of the same letters."""
    first: dict[str, str] = {}
    alike = {}
    for name in _most_frequent_first(counts):
        form = plain(name).removesuffix("s") or name
        if first.setdefault(form, name) != name:
            alike[name] = first[form]
    return alike


def _misspelt(counts: Mapping[str, int], parameters: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """(type, the most frequent one that is a slip of the pen away).

    Two such names are equal once one letter is left out of each: they meet under that key, so no type is compared with
    all others. Under each key the two most frequent names wait, for the others would never be the better partner.
    """
    waiting: dict[str, list[str]] = {}
    order = _most_frequent_first(counts)
    for name in order:
        for form in _with_one_letter_less(name):
            if len(waiting.setdefault(form, [])) < 2:
                waiting[form].append(name)
    for name in order:
        partners = {p for form in _with_one_letter_less(name) for p in waiting[form]} - {name}
        for other in sorted(partners, key=lambda p: (-counts[p], p)):
            is_rarer = counts[name] <= parameters["rarer"] * counts[other]
            if is_rarer and _similarity(name, other) >= parameters["similarity"]:
                yield name, other
                break


def _similarity(name: str, other: str) -> float:
    a, b = sorted((plain(name), plain(other)))
    return SequenceMatcher(None, a, b, autojunk=False).ratio() if a else 0.0


def _with_one_letter_less(name: str) -> set[str]:
    """The name itself and every name that lacks one of its letters; digits make names different: ``level_1``."""
    word, digits = _DIGITS.sub("", plain(name)), ",".join(_DIGITS.findall(name))
    return {f"{digits}|{form}" for form in (word, *(word[:i] + word[i + 1 :] for i in range(len(word))))}


def _of_one_meaning(graph: RelationshipGraph, parameters: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """(type, the clearly more frequent one whose embedded name is nearest)."""
    vectors = graph.type_vectors
    names = [name for name in sorted(graph.types) if name in vectors]
    n = np.array([graph.types[name] for name in names], dtype=np.float64)
    frequent = [i for i in range(len(names)) if n[i] * parameters["rarer"] >= 1]
    if not frequent:
        return
    matrix: Vectors = np.stack([vectors[name] for name in names])
    for start in range(0, len(names), BLOCK):
        cosines = matrix[start : start + BLOCK] @ matrix[frequent].T
        too_frequent = n[start : start + BLOCK, None] > parameters["rarer"] * n[frequent]
        cosines[too_frequent | (cosines < parameters["cosine"])] = -1.0
        for row in np.flatnonzero(cosines.max(axis=1) > -1.0):
            name = names[start + row]
            near = [names[frequent[c]] for c in np.argsort(-cosines[row], kind="stable") if cosines[row, c] > -1.0]
            if other := next((p for p in near if p != name and not _turned(name, p)), ""):
                yield name, other


def _turned(name: str, other: str) -> bool:
    words, others = (set(_WORDS.findall(each.casefold())) for each in (name, other))
    return bool((words ^ others) & _TURNING) or _DIGITS.findall(name) != _DIGITS.findall(other)


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
    if not mine or len(mine) > MAX_FIXED or MENTIONS in (other, mine[0][1]):
        return ()
    return tuple(
        Edit(action="remove", key=key)
        if (key[0], other, key[2]) in there
        else Edit(action="retype", key=key, relation_type=other)
        for key in mine
    )


def build() -> LookAlikeTypes:
    """The check with its defaults."""
    return LookAlikeTypes()
