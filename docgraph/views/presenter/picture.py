"""Where everything stands in the presenter's picture, on a stage of 1280 × 720: one layout for steps 1 and 2.

Rows belong to the union of both runs, so what is in both stands at the same place before and after.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from docgraph.domain.comparison import Comparison
from docgraph.views.lanes.layout import Box, Line, bundled, by_edge, fanned, labelled
from docgraph.views.plan.documents import titles
from docgraph.views.words.judgments import JudgedTag, tag_of

LEFT, LEFT_WIDTH = 64, 460
RIGHT, RIGHT_WIDTH = 756, 460
"""Left edge and width of the two lanes."""

TOP, BOTTOM = 228, 646
RELATED_BOX, RELATED_PITCH = 52, 64
ROOMY, DENSE = (48, 66), (44, 52)
MAX_FOUND, MAX_RELATED = 8, 4
"""Most rows of a lane; what is beyond is counted."""

ROOMY_ROWS = 6
"""Up to so many found documents stand in ``ROOMY`` rows (height, pitch), more of them in ``DENSE`` ones."""

DOTS, DOTS_WIDTH = 560, 440
"""Where the passages' scores are drawn in step 1."""

LABEL_X, LABEL_STEP = 672, 21
Kind = Literal["kept", "left", "new", "moved", "related"]


@dataclass(frozen=True, kw_only=True)
class StageBox(Box):
    """A document: ``kept`` in both runs' seeds, ``left`` only before, ``new`` only after, ``moved`` = a seed before
    that a relationship reaches now, ``related`` = reached by a relationship. ``scores`` are of its passages before."""

    kind: Kind
    tag: JudgedTag = ""
    scores: tuple[float, ...] = ()
    n_passages: int = 0


@dataclass(frozen=True, kw_only=True)
class Arrow(Line):
    """One relationship, or several that share a line, from a found document to a related one."""

    @property
    def path(self) -> str:
        """SVG path from the left lane to the right one; flat where its label stands."""
        x0, x1, flat = LEFT + LEFT_WIDTH, RIGHT - 11, LABEL_X - 76
        middle = (x0 + flat) / 2
        return f"M{x0} {self.from_y:g}C{middle:g} {self.from_y:g} {middle:g} {self.to_y:g} {flat} {self.to_y:g}H{x1}"


@dataclass(frozen=True)
class Picture:
    """Both lanes: ``n_more_found`` and ``n_more_related`` are documents that there was no room for."""

    found: tuple[StageBox, ...]
    related: tuple[StageBox, ...]
    arrows: tuple[Arrow, ...]
    n_more_found: int
    n_more_related: int

    @property
    def related_end(self) -> int:
        """Lower edge of the right lane's last row, with the line that counts the others."""
        return TOP + len(self.related) * RELATED_PITCH + (28 if self.n_more_related else 0)


def picture(comparison: Comparison) -> Picture:
    """The layout of a comparison; equal comparisons give equal pixels."""
    found, n_more_found = _found(comparison)
    expanded = comparison.b.run.plan.expanded_documents
    names = titles(comparison.b.run.plan)
    n_chunks = {d.document_id: d.n_chunks_b for d in comparison.documents}
    related = tuple(
        StageBox(
            document_id=d.document_id,
            title=names[d.document_id],
            lane="expanded",
            y=TOP + i * RELATED_PITCH,
            h=RELATED_BOX,
            kind="related",
            tag=tag_of(comparison, d.document_id),
            n_passages=n_chunks.get(d.document_id, 0),
        )
        for i, d in enumerate(expanded[:MAX_RELATED])
    )
    arrows = _arrows(comparison, {box.document_id: box for box in found}, related)
    return Picture(found, related, arrows, n_more_found, max(len(expanded) - MAX_RELATED, 0))


def score_range(boxes: tuple[StageBox, ...]) -> tuple[float, float]:
    """Ends of the score axis, on tenths; (0, 1) when there is nothing to draw."""
    scores = [score for box in boxes for score in box.scores]
    if not scores:
        return 0.0, 1.0
    low, high = int(min(scores) * 10 // 1) / 10, -int(-max(scores) * 10 // 1) / 10
    return low, max(high, low + 0.1)


def dot_x(score: float, ends: tuple[float, float]) -> float:
    """Where a passage's dot stands on the score axis."""
    low, high = ends
    return DOTS + DOTS_WIDTH * (score - low) / (high - low)


def _found(comparison: Comparison) -> tuple[tuple[StageBox, ...], int]:
    """Left lane: the documents of A in plan order, then B's new seeds.

    Where there is no room for all, the seeds that edges start at are drawn before the others, then B's other seeds.
    """
    before, after = comparison.a.run, comparison.b.run
    union = list(dict.fromkeys((*before.plan.document_ids, *after.plan.seed_document_ids)))
    seeds = set(after.plan.seed_document_ids)
    room = MAX_FOUND if len(union) <= MAX_FOUND else MAX_FOUND - 1
    drawn = after.plan.expanded_documents[:MAX_RELATED]
    sources = {reason.from_document_id for document in drawn for reason in document.reasons}
    wanted = sorted(union, key=lambda i: (i not in sources, i not in seeds, union.index(i)))[:room]
    shown = [i for i in union if i in set(wanted)]
    height, pitch = ROOMY if len(shown) <= ROOMY_ROWS else DENSE
    names = titles(before.plan) | titles(after.plan)
    scores = {d.document.document_id: tuple(c.score for c in d.chunks) for d in before.context.documents}
    boxes = tuple(
        StageBox(
            document_id=i,
            title=names[i],
            lane="seed",
            y=TOP + row * pitch,
            h=height,
            kind=_kind(i, comparison),
            tag=tag_of(comparison, i),
            scores=scores.get(i, ()),
            n_passages=len(scores.get(i, ())),
        )
        for row, i in enumerate(shown)
    )
    return boxes, len(union) - len(shown)


def _kind(document_id: str, comparison: Comparison) -> Kind:
    before, after = comparison.a.run.plan, comparison.b.run.plan
    if document_id not in before.document_ids:
        return "new"
    if document_id in after.seed_document_ids:
        return "kept"
    return "moved" if document_id in after.expanded_document_ids else "left"


def _arrows(comparison: Comparison, found: dict[str, StageBox], related: tuple[StageBox, ...]) -> tuple[Arrow, ...]:
    """Lines by target, then by the height they start at; more than three into one document share one."""
    reasons = {d.document_id: d.reasons for d in comparison.b.run.plan.expanded_documents}
    arrows: list[Arrow] = []
    for target in related:
        starts = {(r.from_document_id, r.via) for r in reasons[target.document_id] if r.from_document_id in found}
        ordered = sorted(starts, key=lambda start: (found[start[0]].middle, start[1], start[0]))
        edges = [(source, via, target.document_id) for source, via in ordered]
        groups = bundled(edges, by_edge)
        for group, to_y in zip(groups, fanned(target.middle, len(groups), LABEL_STEP), strict=True):
            label, style = labelled(group, f"{len(group)} relationships")
            from_ys = (found[group[0][0]].middle,)
            arrows.append(Arrow(edges=group, label=label, dash=style, from_ys=from_ys, to_y=to_y))
    return tuple(_spread(arrows))


def _spread(arrows: list[Arrow]) -> list[Arrow]:
    """Lines that leave the same document leave it 7 pixels apart, in the order in which they arrive."""
    placed = []
    for arrow in arrows:
        mates = [a for a in arrows if a.sources[0] == arrow.sources[0]]
        offset = fanned(0, len(mates), 7)[mates.index(arrow)]
        placed.append(replace(arrow, from_ys=(arrow.from_y + min(max(offset, -16), 16),)))
    return placed
