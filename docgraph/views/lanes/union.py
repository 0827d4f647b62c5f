"""Both plans of a comparison in one picture: what is in both stands once, what left stays in its place, dashed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from docgraph.domain.comparison import Comparison
from docgraph.domain.plan import Reason, RetrievalPlan
from docgraph.views.lanes.layout import Span, spans
from docgraph.views.lanes.lines import TwinLine, into, routed
from docgraph.views.lanes.rows import FITTING, LANES, MAX_ROWS, Lane, Member, Rows, union_rows
from docgraph.views.words import counts
from docgraph.views.words.judgments import JudgedTag, tag_of

Look = Literal["kept", "added", "left", "moved", "ghost"]
"""``moved``: both read it, B in this lane; ``ghost``: the place in A's lane of one that moved."""

HEAD = 30
"""Height of a lane's head; the first box stands below it."""

ROOMY, LESS, DENSE = (46, 54), (44, 50), (36, 39)
"""Height of a box and distance of two: second under a verdict of more lines, third from ``ROOMY_ROWS`` + 1 rows on."""

FOLD = 24
"""Height of the line that counts the unchanged documents of a lane which are folded."""

FOOT = 4
NOTE = 18
CUT_TOP, CUT_ROW = 30, 20
"""Distance of the cut documents' head to the last box, and of two of their lines."""

ROOMY_ROWS = 6
STOPS = (
    (520, ((24, 196), (316, 196))),
    (720, ((24, 304), (448, 264))),
    (960, ((24, 404), (560, 392))),
    (1400, ((24, 600), (800, 592))),
)
"""Width of the picture → left edge and width of (seeds, expanded); between two stops everything moves in proportion."""

MAX_CUT = 4
"""Cut documents that are named under the related ones; the others are counted."""


@dataclass(frozen=True)
class UnionBox:
    """One document in one lane. ``score`` = similarity of its best chunk, the same in both runs; ``note`` its id, or
    why it left."""

    document_id: str
    title: str
    lane: Lane
    look: Look
    y: float
    h: float
    in_a: bool
    in_b: bool
    score: str
    bar: float
    note: str
    tag: JudgedTag
    tip: str

    @property
    def key(self) -> str:
        """What tells it from the same document in the other lane."""
        return f"{self.lane}:{self.document_id}"


@dataclass(frozen=True)
class Fold:
    """A line in a lane for the unchanged documents that are not drawn; ``y`` is its upper edge."""

    lane: Lane
    y: float
    n: int

    @property
    def text(self) -> str:
        """``9 unchanged``."""
        return f"{self.n:,} unchanged"


@dataclass(frozen=True)
class CutRow:
    """A document that a limit on related ones kept out, and its place inside that limit."""

    document_id: str
    title: str
    would_be: str
    lost: bool


@dataclass(frozen=True)
class Union:
    """The picture: boxes, lines and what stands below the related documents, in pixels."""

    boxes: tuple[UnionBox, ...]
    lines: tuple[TwinLine, ...]
    height: float
    heads: tuple[str, str]
    cut_head: str
    cut: tuple[CutRow, ...]
    notes: tuple[str, ...]
    spoken: str
    folds: tuple[Fold, ...] = ()
    scored: str = "best passage, cosine"
    nothing: str = "no related document on either side"


def union(comparison: Comparison, *, fitting: int = FITTING, max_rows: int = MAX_ROWS) -> Union:
    """The picture of a comparison; equal ones give equal data. Lanes of more than ``fitting`` rows are folded."""
    rows = union_rows(comparison.a.run, comparison.b.run, comparison.documents, fitting=fitting, max_rows=max_rows)
    placed, folds = _placed(rows, comparison)
    boxes = tuple(_box(m, comparison, placed[m.lane, m.document_id]) for m in (*rows.seeds, *rows.expanded))
    lines, unseen = _lines(rows, comparison, placed)
    notes = _notes(rows, comparison, unseen)
    ends = {lane: _end(lane, boxes, folds) for lane in LANES}
    head, cut = _cut(
        comparison, room=max(ends["seed"], HEAD + FITTING * DENSE[1]) - ends["expanded"] - NOTE * len(notes)
    )
    under = ends["expanded"] + (CUT_TOP + CUT_ROW * (len(cut) + 1) if head else 0)
    return Union(
        boxes=boxes,
        lines=lines,
        height=max(ends["seed"], under + NOTE * len(notes), float(HEAD + ROOMY[0])) + FOOT,
        heads=heads_of(comparison.b.run.plan),
        cut_head=head,
        cut=cut,
        notes=notes,
        spoken=spoken_of(boxes),
        folds=folds,
    )


def _placed(rows: Rows, comparison: Comparison) -> tuple[dict[tuple[Lane, str], Span], tuple[Fold, ...]]:
    """(lane, document_id) → upper edge and height; and the lines for what is folded, below the unchanged ones."""
    many = max(len(rows.seeds), len(rows.expanded)) > ROOMY_ROWS or bool(rows.hidden)
    tall = bool(comparison.lost) or not comparison.by_relationships
    height, pitch = DENSE if many else LESS if tall else ROOMY
    placed: dict[tuple[Lane, str], Span] = {}
    folds = []
    for lane, members in zip(LANES, (rows.seeds, rows.expanded), strict=True):
        y, n = float(HEAD), rows.folded(lane)
        n_kept = sum(not m.changed for m in members)
        for row, member in enumerate(members):
            if n and row == n_kept:
                folds.append(Fold(lane, y, n))
                y += FOLD
            placed[lane, member.document_id] = (y, float(height))
            y += pitch
        if n and n_kept == len(members):
            folds.append(Fold(lane, y, n))
    return placed, tuple(folds)


def _end(lane: Lane, boxes: Sequence[UnionBox], folds: Sequence[Fold]) -> float:
    """The lower edge of a lane's last row."""
    ends = [box.y + box.h for box in boxes if box.lane == lane] + [f.y + FOLD - 4 for f in folds if f.lane == lane]
    return max(ends, default=float(HEAD))


def lanes_at(width: float) -> tuple[Span, Span]:
    """Left edge and width of (seeds, expanded) in a picture of ``width`` pixels."""
    seeds, expanded = spans(STOPS, width)
    return seeds, expanded


def look_of(member: Member) -> Look:
    """What a document is in one lane of the union."""
    if member.elsewhere:
        return "moved" if member.place_b is not None else "ghost"
    if member.place_b is None:
        return "left"
    return "added" if member.place_a is None else "kept"


def _box(member: Member, comparison: Comparison, span: Span) -> UnionBox:
    look, row = look_of(member), comparison.document(member.document_id)
    best = row.score if row is not None else None
    cause = member.departure
    note = member.document_id
    if look == "left" and cause is not None:
        note = f"removed: {cause.short}"
    elif look == "ghost":
        note = "related now"
    elif look == "moved":
        note = "found before"
    would = f", position {cause.place:,}" if cause is not None and cause.place else ""
    places = f"position {member.place_a or '--'} → {member.place_b or '--'}"
    tip = [member.title, member.document_id, f"{places}, best passage {counts.score(best)}"]
    tip += [f"removed: {cause.short}{would}"] if cause is not None else []
    return UnionBox(
        document_id=member.document_id,
        title=member.title,
        lane=member.lane,
        look=look,
        y=span[0],
        h=span[1],
        in_a=member.place_a is not None,
        in_b=member.place_b is not None,
        score=counts.score(best),
        bar=counts.bar(best),
        note=note,
        tag="" if look == "ghost" else tag_of(comparison, member.document_id),
        tip="\n".join(tip),
    )


def _lines(
    rows: Rows, comparison: Comparison, placed: Mapping[tuple[Lane, str], Span]
) -> tuple[tuple[TwinLine, ...], int]:
    """The lines into expanded documents (B's, and A's into those that left), and how many edges start out of sight."""
    a, b = comparison.a.run.plan, comparison.b.run.plan
    after = {d.document_id: d.reasons for d in b.expanded_documents}
    before = {d.document_id: d.reasons for d in a.expanded_documents}
    seeds = {m.document_id: row for row, m in enumerate(rows.seeds)}
    groups: list[tuple[tuple[tuple[str, str, str], ...], Literal["kept", "left"]]] = []
    unseen = 0
    for member in rows.expanded:
        if look_of(member) == "ghost":
            continue
        left = member.place_b is None
        reasons: Sequence[Reason] = (before if left else after).get(member.document_id, ())
        found, lost = into(member.document_id, reasons, seeds)
        groups += [(group, "left" if left else "kept") for group in found]
        unseen += lost
    by_lane = {lane: {i: span for (kind, i), span in placed.items() if kind == lane} for lane in ("seed", "expanded")}
    titles = {m.document_id: m.title for m in (*rows.seeds, *rows.expanded)}
    return routed(groups, by_lane["seed"], by_lane["expanded"], titles), unseen


def heads_of(plan: RetrievalPlan) -> tuple[str, str]:
    """What stands beside the names of the lanes."""
    n = len(plan.expanded_documents)
    total = next((t.total for t in plan.cut_totals if t.limit == "max_expanded"), n)
    return "found by similarity", f"{n:,} of {total:,}" if total else ""


def _cut(comparison: Comparison, *, room: float) -> tuple[str, tuple[CutRow, ...]]:
    """Whom B's limit on related documents kept out: ``4 of 6 left out (limit: 2)`` and as many as ``room`` holds.

    A lost document is named wherever there is no room for others.
    """
    plan = comparison.b.run.plan
    total = next((t for t in plan.cut_totals if t.limit == "max_expanded" and t.total > t.kept), None)
    if total is None:
        return "", ()
    lost = {d.document_id for d in comparison.lost}
    cut = sorted((c for c in plan.cut if c.limit == "max_expanded"), key=lambda c: (c.place or 0, c.document_id))
    n = max(min(MAX_CUT, int((room - CUT_TOP) // CUT_ROW) - 1), sum(c.document_id in lost for c in cut[:MAX_CUT]))
    first = sorted(cut, key=lambda c: c.document_id not in lost)[: max(n, 0)]
    rows = tuple(
        CutRow(
            c.document_id,
            c.title or c.document_id,
            f"position {c.place:,}" if c.place else "",
            c.document_id in lost,
        )
        for c in cut
        if c in first
    )
    return (
        f"{total.total - total.kept:,} of {total.total:,} {counts.left_out(total.limit, total.value, bare=True)}",
        rows,
    )


def _notes(rows: Rows, comparison: Comparison, unseen: int) -> tuple[str, ...]:
    """What is not drawn and is no unchanged document of a lane, counted."""
    found = []
    hidden = len({m.document_id for m in rows.hidden if m.changed})
    if hidden:
        found.append(f"{counts.plural(hidden, 'more document')} changed; the table lists all")
    between = sum(len(d.reasons) for d in comparison.b.run.plan.seed_documents)
    parts = [counts.plural(between, "relationship") + " between matches"] if between else []
    parts += [counts.plural(unseen, "relationship") + " from hidden matches"] if unseen else []
    return (*found, *([f"Not drawn: {', '.join(parts)}"] if parts else []))


def spoken_of(boxes: Sequence[UnionBox]) -> str:
    """The picture in words, for those who do not see it."""
    named = {
        "Matches": [b.title for b in boxes if b.lane == "seed" and b.in_b],
        "Related": [b.title for b in boxes if b.lane == "expanded" and b.in_b],
        "Added": [b.title for b in boxes if b.look == "added"],
        "Removed": [b.title for b in boxes if b.look == "left"],
    }
    parts = [f"{name}: {'; '.join(titles)}." for name, titles in named.items() if titles]
    return " ".join(parts) or "No document."
