"""What one session remembers while it judges: the pool as it was read, what was said, skipped, and taken back."""

from __future__ import annotations

from dataclasses import dataclass, field

import streamlit as st

from docgraph.domain.judging import Passage, Pile, Pool
from docgraph.errors import DocgraphError
from docgraph.ui.frame.state import session
from docgraph.ui.query_sets.scope import Scope

_MEMORY = "query_sets_judging"
NOTE = "qj-note-text"
SEED = 0
"""Of the order: two people who judge one set meet ties in the same order."""


@dataclass(frozen=True)
class Said:
    """One grade that was given in this session; ``place`` = the passage in words."""

    passage: Passage
    place: str
    grade: int | None


@dataclass
class Hand:
    """``said`` newest last, ``skipped`` in their order, ``first`` = keys that were taken back, newest last.

    ``context`` = how many passages before and after are open; ``problem`` = what the last act met, shown once.
    """

    stamp: tuple[object, ...] = ()
    pool: Pool = field(default_factory=lambda: Pool(query_set=""))
    said: list[Said] = field(default_factory=list)
    skipped: list[tuple[str, str, str]] = field(default_factory=list)
    first: list[tuple[str, str, str]] = field(default_factory=list)
    before: bool = False
    after: bool = False
    noting: bool = False
    problem: DocgraphError | None = None

    def turn(self) -> None:
        """The next passage comes without what was opened around the last one."""
        self.before = self.after = self.noting = False
        st.session_state.pop(NOTE, None)


def hand_of(scope: Scope) -> Hand:
    """The memory of this session for this set, person and state of data and evaluations; the pool is read once."""
    assert scope.chosen is not None
    kept: Hand = session().page.setdefault(_MEMORY, Hand())
    runs = scope.docgraph.query_sets.runs(scope.chosen.name)
    revision = scope.docgraph.workspace.revision
    evaluations = tuple((each.evaluation_id, each.n, each.pinned) for each in runs)
    stamp = (scope.workspace, scope.chosen.name, scope.chosen.at, scope.who, revision, evaluations)
    if kept.stamp != stamp:
        kept = Hand(stamp=stamp, pool=scope.docgraph.query_sets.pool(scope.chosen.name))
        session().page[_MEMORY] = kept
    return kept


def in_order(pile: Pile, hand: Hand) -> list[Passage]:
    """The pile as this session goes through it: what was taken back first, what was skipped last."""
    places = {key: place for place, key in enumerate(hand.skipped)}
    back = {key: -place for place, key in enumerate(hand.first)}
    return sorted(pile.passages, key=lambda each: (_part(each, hand), back.get(each.key, 0), places.get(each.key, 0)))


def _part(passage: Passage, hand: Hand) -> int:
    return 0 if passage.key in hand.first else 2 if passage.key in hand.skipped else 1


def give(scope: Scope, passage: Passage, place: str, grade: int | None) -> None:
    """Keep a grade, with the note that stands in the field, and turn to the next passage (in a callback)."""
    hand = hand_of(scope)
    try:
        note = str(st.session_state.get(NOTE, ""))
        scope.docgraph.judgments.judge_passage(passage.query, passage.chunk_id, grade, by=scope.who, note=note)
    except DocgraphError as problem:
        hand.problem = problem
        return
    hand.said.append(Said(passage, place, grade))
    hand.first = [key for key in hand.first if key != passage.key]
    hand.turn()


def undo(scope: Scope) -> None:
    """Take the last grade of this session back; its passage is the next one (in a callback). Again: the one before."""
    hand = hand_of(scope)
    if not hand.said:
        return
    last = hand.said[-1].passage
    try:
        scope.docgraph.judgments.withdraw_passage(last.query, last.chunk_id, by=scope.who)
    except DocgraphError as problem:
        hand.problem = problem
        return
    hand.said.pop()
    hand.first.append(last.key)
    hand.skipped = [key for key in hand.skipped if key != last.key]
    hand.turn()


def skip(scope: Scope, passage: Passage) -> None:
    """Put a passage behind all others, without a word on it (in a callback)."""
    hand = hand_of(scope)
    hand.first = [key for key in hand.first if key != passage.key]
    hand.skipped = [*(key for key in hand.skipped if key != passage.key), passage.key]
    hand.turn()


def toggle(scope: Scope, what: str) -> None:
    """Open or close ``before``, ``after`` or ``noting`` (in a callback)."""
    hand = hand_of(scope)
    setattr(hand, what, not getattr(hand, what))
