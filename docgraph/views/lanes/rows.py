"""Who stands in which lane and in which order when two plans are drawn as one: the union of both, kept ones first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from docgraph.domain.comparison import DocumentChange, Removal
from docgraph.domain.plan import RetrievalPlan
from docgraph.domain.run import Run
from docgraph.views.lanes.text import plain

Lane = Literal["seed", "expanded"]
LANES: tuple[Lane, Lane] = ("seed", "expanded")

MAX_ROWS = 14
"""Most documents of a lane that is not drawn whole; what changed beyond them is counted."""

FITTING = 8
"""Rows of a lane that stand above the fold of a small screen; in a longer lane the unchanged documents are folded."""


@dataclass(frozen=True)
class Member:
    """One document in one lane. ``place_a`` / ``place_b`` count from 1; None = on that side it is not in this lane.

    ``elsewhere`` = on the other side it stands in the other lane. ``tokens`` are those of A and of B.
    """

    document_id: str
    title: str
    lane: Lane
    place_a: int | None
    place_b: int | None
    elsewhere: bool = False
    tokens: tuple[int, int] = (0, 0)
    departure: Removal | None = None

    @property
    def changed(self) -> bool:
        """Whether it is not in this lane on both sides."""
        return self.place_a is None or self.place_b is None

    def on(self, side: Literal["a", "b"]) -> bool:
        """Whether it stands in this lane on one side."""
        return (self.place_a if side == "a" else self.place_b) is not None


@dataclass(frozen=True)
class Rows:
    """Both lanes from top to bottom, and the documents of either plan that are not drawn, by id."""

    seeds: tuple[Member, ...]
    expanded: tuple[Member, ...]
    hidden: tuple[Member, ...] = ()

    def folded(self, lane: Lane) -> int:
        """How many documents of a lane are not drawn because nothing changed about them."""
        return sum(m.lane == lane and not m.changed for m in self.hidden)


def union_rows(
    a: Run, b: Run, changes: Sequence[DocumentChange] = (), *, fitting: int = FITTING, max_rows: int = MAX_ROWS
) -> Rows:
    """The union of both plans in two lanes; a lane of more than ``fitting`` documents is folded.

    What came and what left is always drawn, and so are the seeds that lead to it; only beyond ``max_rows`` is any of
    these counted.
    """
    members = _members(a, b, {c.document_id: c for c in changes})
    edges = {*a.plan.edges, *b.plan.edges}
    expanded = _fold([m for m in members if m.lane == "expanded"], first=set(), fitting=fitting, max_rows=max_rows)
    targets = {m.document_id for m in expanded if m.changed} or {m.document_id for m in expanded}
    sources = {source for source, _, target in edges if target in targets}
    seeds = _fold([m for m in members if m.lane == "seed"], first=sources, fitting=fitting, max_rows=max_rows)
    seed_rows = {m.document_id: row for row, m in enumerate(sorted(seeds, key=_order))}
    first = _first_sources(a.plan, b.plan)
    in_order = sorted(expanded, key=lambda m: (_group(m), _source_row(m, first, seed_rows), _order(m)))
    drawn = {(m.document_id, m.lane) for m in (*seeds, *expanded)}
    hidden = sorted((m for m in members if (m.document_id, m.lane) not in drawn), key=_order)
    return Rows(tuple(sorted(seeds, key=_order)), tuple(in_order), tuple(hidden))


def _members(a: Run, b: Run, changes: Mapping[str, DocumentChange]) -> list[Member]:
    sides = [
        {d.document_id: d for d in run.plan.seed_documents} | {d.document_id: d for d in run.plan.expanded_documents}
        for run in (a, b)
    ]
    tokens = [
        {d.document_id: d.conceptual_tokens + d.evidence_tokens for d in run.assembled.documents} for run in (a, b)
    ]
    lanes: list[dict[str, Lane]] = [_lanes(run.plan) for run in (a, b)]
    found = []
    for document_id in sorted({*sides[0], *sides[1]}):
        own = [side.get(document_id) for side in sides]
        title = next((d.title for d in reversed(own) if d is not None and d.title), document_id)
        here = {lane[document_id] for lane in lanes if document_id in lane}
        change = changes.get(document_id)
        for lane in (name for name in LANES if name in here):
            place_a, place_b = (
                d.place if d is not None and kind.get(document_id) == lane else None
                for d, kind in zip(own, lanes, strict=True)
            )
            found.append(
                Member(
                    document_id,
                    plain(title) or document_id,
                    lane,
                    place_a,
                    place_b,
                    elsewhere=len(here) > 1,
                    tokens=(tokens[0].get(document_id, 0), tokens[1].get(document_id, 0)),
                    departure=change.left_because if change else None,
                )
            )
    return found


def _lanes(plan: RetrievalPlan) -> dict[str, Lane]:
    seeds: dict[str, Lane] = dict.fromkeys(plan.seed_document_ids, "seed")
    return seeds | dict.fromkeys(plan.expanded_document_ids, "expanded")


def _group(member: Member) -> int:
    """Kept ones stand on top, then those that come in, those that change the lane, and those that leave."""
    if not member.changed:
        return 0
    return 1 if member.place_b is not None else 2 if member.elsewhere else 3


def _order(member: Member) -> tuple[int, int, str]:
    return (_group(member), member.place_b or member.place_a or 0, member.document_id)


def _fold(lane: list[Member], *, first: set[str], fitting: int, max_rows: int) -> list[Member]:
    """The lane itself where it fits; else what changed, then those in ``first``, then the others.

    One row fewer than fit is left to them, for the line that counts the folded ones; those in front may take more.
    """
    if len(lane) <= fitting:
        return lane
    turns: dict[tuple[bool, int], int] = {}
    keys = {}
    n_changed = sum(m.changed for m in lane)
    scarce = n_changed > max_rows
    for member in sorted(lane, key=_order):
        wanted, group = member.document_id in first, _group(member)
        turns[wanted, group] = turns.get((wanted, group), 0) + 1
        # Where not even the changes have room, the seeds that lead to what is drawn go first, then each kind in turn.
        keys[member.document_id] = (
            (not wanted, turns[wanted, group], group)
            if scarce
            else (not member.changed, not wanted, turns[wanted, group])
        )
    n_first = sum(m.changed or m.document_id in first for m in lane)
    room = min(max_rows, max(fitting - 1, n_first))
    return sorted(lane, key=lambda m: keys[m.document_id])[:room]


def _first_sources(a: RetrievalPlan, b: RetrievalPlan) -> dict[str, tuple[str, ...]]:
    """document_id → the seeds that its reasons start at, in their order; B's where both have some."""
    return {
        d.document_id: tuple(r.from_document_id for r in d.reasons) for plan in (a, b) for d in plan.expanded_documents
    }


def _source_row(
    member: Member, sources: Mapping[str, tuple[str, ...]], seed_rows: Mapping[str, int]
) -> tuple[float, float]:
    """Row of the seed of its first reason, then the mean row of all its seeds; so lines cross as little as they can."""
    rows = [seed_rows[s] for s in sources.get(member.document_id, ()) if s in seed_rows]
    return (rows[0], sum(rows) / len(rows)) if rows else (float(len(seed_rows)), 0.0)
