"""The relation types of a workspace as rows: counts, directions, marks, and what merging some of them would do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from docgraph.domain.edit import Edit
from docgraph.domain.vocabulary import DirectionUse, TypeUse, Vocabulary
from docgraph.views.words.counts import UNKNOWN, n_of_m, plural

NO_TYPE = "untyped"
"""Stands for the kind of a document that has none, or that does not exist."""

MAX_NAMED = 8
"""Types that one sentence names."""


@dataclass(frozen=True)
class Direction:
    """How a type is used between two kinds of documents: ``n`` times one way, ``n_back`` times the other way.

    ``minority`` = the few that go the other way stand against at least 90 % of at least three.
    """

    start: str
    end: str
    n: int
    n_back: int = 0
    minority: bool = False

    @property
    def text(self) -> str:
        """``decision → service 9``; ``…, service → decision 1, the exception``."""
        first = f"{self.start} → {self.end} {self.n:,}"
        if not self.n_back:
            return first
        return f"{first}, {self.end} → {self.start} {self.n_back:,}{', the exception' if self.minority else ''}"


def directions(use: TypeUse) -> tuple[Direction, ...]:
    """One row a pair of kinds, whichever way it goes more often, most frequent first, then by kind."""
    by_pair: dict[frozenset[str], list[DirectionUse]] = {}
    for each in use.directions:
        by_pair.setdefault(frozenset((each.from_doc_type, each.to_doc_type)), []).append(each)
    found = []
    for group in by_pair.values():
        ways = sorted(group, key=lambda way: (-way.n, way.from_doc_type, way.to_doc_type))
        most, rest = ways[0], ways[1:]
        same = most.from_doc_type == most.to_doc_type
        found.append(
            Direction(
                most.from_doc_type or NO_TYPE,
                most.to_doc_type or NO_TYPE,
                most.n,
                n_back=0 if same else (rest[0].n if rest else most.n_back),
                minority=any(way.is_minority for way in rest),
            )
        )
    return tuple(sorted(found, key=lambda row: (-row.n - row.n_back, row.start, row.end)))


def marks(use: TypeUse) -> tuple[str, ...]:
    """What is special about a type, in words; empty when nothing is."""
    return () if use.known else ("not a known type",)


def reviewed(use: TypeUse) -> str:
    """``4 of 9``; ``--`` when there is nothing to review."""
    return n_of_m(use.n_reviewed, use.n) if use.n else UNKNOWN


def questions(use: TypeUse, vocabulary: Vocabulary) -> str:
    """``3 of 12`` saved questions; ``--`` when none is saved."""
    return n_of_m(use.n_questions, vocabulary.n_questions) if vocabulary.n_questions else UNKNOWN


def share(use: TypeUse, vocabulary: Vocabulary) -> float:
    """Length of a type's bar, 0..1, against the most frequent type."""
    most = max((each.n for each in vocabulary.types), default=0)
    return use.n / most if most else 0.0


def headline(vocabulary: Vocabulary) -> str:
    """``9 types on 61 relationships; 12 saved questions planned``: the denominators of the page."""
    said = f"{plural(len(vocabulary.types), 'type')} on {plural(vocabulary.n_relationships, 'relationship')}"
    if not vocabulary.n_questions:
        return f"{said}; no saved questions to count"
    return f"{said}; counted over {plural(vocabulary.n_questions, 'saved question')}"


@dataclass(frozen=True)
class MergePreview:
    """What a merge does, from its edits: ``retyped`` and ``dropped`` = type → how many.

    Those are dropped that stand there under the new name already: one of the two is enough.
    """

    into: str
    retyped: dict[str, int]
    dropped: dict[str, int]

    @property
    def n_retyped(self) -> int:
        """Relationships that get another type."""
        return sum(self.retyped.values())

    @property
    def n_dropped(self) -> int:
        """Relationships that are removed because they exist under the new name."""
        return sum(self.dropped.values())

    @property
    def sentence(self) -> str:
        """``9 relationships change to explains; 2 are removed because they already exist as explains.``"""
        n, gone = self.n_retyped, self.n_dropped
        if not n and not gone:
            return f"Every relationship already has the type {self.into}. There is nothing to merge."
        said = f"{plural(n, 'relationship')} {'changes' if n == 1 else 'change'} to {self.into}" if n else ""
        if not gone:
            return f"{said}."
        why = "is removed because it already exists" if gone == 1 else "are removed because they already exist"
        only = f"{gone:,} {why} as {self.into}" if n else f"{plural(gone, 'relationship')} {why} as {self.into}"
        return f"{said}; {only}." if n else f"{only}."


def merge_preview(edits: Sequence[Edit], into: str) -> MergePreview:
    """Counts the edits of one merge by the type that they take away."""
    retyped = Counter(edit.key[1] for edit in edits if edit.action == "retype")
    dropped = Counter(edit.key[1] for edit in edits if edit.action == "remove")
    return MergePreview(into, dict(sorted(retyped.items())), dict(sorted(dropped.items())))


def merge_reason(types: Sequence[str], into: str) -> str:
    """The reason that a merge is saved with unless the person writes one."""
    named = ", ".join(types[:MAX_NAMED]) + (", …" if len(types) > MAX_NAMED else "")
    return f"merged {named} into {into}"
