"""When two names of relation types are most likely one: spelt nearly alike, or of nearly one meaning."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

import numpy as np

from docgraph.domain.graph import Vector, Vectors
from docgraph.domain.spelling import plain

BLOCK = 512
"""Rows of similarities that are held at once."""

_DIGITS = re.compile(r"\d+")
_WORDS = re.compile(r"[^\W_]+")
_TURNING = frozenset(("by", "has", "have", "is", "was", "not", "from", "to"))
"""Words that turn a name round: ``amended_by`` means nearly what ``amends`` means, and the opposite."""


@dataclass(frozen=True)
class LookAlike:
    """The more frequent type that a name looks like; ``spelt``: in letters, and else in meaning."""

    other: str
    spelt: bool


def look_alikes(
    counts: Mapping[str, int], vectors: Mapping[str, Vector], parameters: Mapping[str, Any]
) -> dict[str, LookAlike]:
    """Type → the one that it looks like; spelling goes before meaning.

    ``counts`` = type → relationships, ``vectors`` = type → its embedded name, a unit vector of shape (dimension,).
    ``parameters``: ``similarity`` of letters and ``cosine`` of vectors from which two are alike, and ``rarer``: of two
    that are not one spelling, one has at most this share of the other's relationships.
    """
    alike = {name: LookAlike(other, True) for name, other in _of_one_spelling(counts).items()}
    for name, other in _misspelt(counts, parameters):
        alike.setdefault(name, LookAlike(other, True))
    for name, other in _of_one_meaning(counts, vectors, parameters):
        alike.setdefault(name, LookAlike(other, False))
    return alike


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


def _of_one_meaning(
    counts: Mapping[str, int], vectors: Mapping[str, Vector], parameters: Mapping[str, Any]
) -> Iterator[tuple[str, str]]:
    """(type, the clearly more frequent one whose embedded name is nearest)."""
    names = [name for name in sorted(counts) if name in vectors]
    n = np.array([counts[name] for name in names], dtype=np.float64)
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
