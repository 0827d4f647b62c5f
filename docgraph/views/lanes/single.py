"""One plan as the picture of lanes: matches on the left, related documents on the right, relationships between."""

from __future__ import annotations

from collections.abc import Sequence

from docgraph.domain.plan import ExpandedDocument, RetrievalPlan, SeedDocument
from docgraph.views.lanes.lines import into, routed
from docgraph.views.lanes.rows import Lane
from docgraph.views.lanes.union import (
    CUT_ROW,
    CUT_TOP,
    DENSE,
    FOOT,
    HEAD,
    NOTE,
    ROOMY,
    ROOMY_ROWS,
    Union,
    UnionBox,
    heads_of,
    spoken_of,
)
from docgraph.views.words import counts

MAX_DRAWN = 20
"""Documents of a lane that are drawn, the first in plan order; the others are counted."""


def single(plan: RetrievalPlan, *, max_drawn: int = MAX_DRAWN) -> Union:
    """The picture of a plan; equal plans give equal data."""
    seeds, expanded = plan.seed_documents[:max_drawn], plan.expanded_documents[:max_drawn]
    height, pitch = DENSE if max(len(seeds), len(expanded)) > ROOMY_ROWS else ROOMY
    ys = [float(HEAD + row * pitch) for row in range(max(len(seeds), len(expanded)))]
    documents: Sequence[SeedDocument | ExpandedDocument] = (*plan.seed_documents, *plan.expanded_documents)
    top = max((d.score for d in documents if d.score is not None), default=0.0)
    boxes = (*_boxes(seeds, "seed", ys, height, top), *_boxes(expanded, "expanded", ys, height, top))
    rows = {d.document_id: row for row, d in enumerate(seeds)}
    found = [into(d.document_id, d.reasons, rows) for d in expanded]
    spans = {box.key: (box.y, box.h) for box in boxes}
    lines = routed(
        [(edges, "kept") for groups, _ in found for edges in groups],
        {d.document_id: spans[f"seed:{d.document_id}"] for d in seeds},
        {d.document_id: spans[f"expanded:{d.document_id}"] for d in expanded},
        {d.document_id: d.title for d in documents},
    )
    notes = _notes(plan, len(documents) - len(boxes), sum(unseen for _, unseen in found))
    cut = _cut(plan)
    ends = {
        lane: max((b.y + b.h for b in boxes if b.lane == lane), default=float(HEAD)) for lane in ("seed", "expanded")
    }
    under = ends["expanded"] + (CUT_TOP + CUT_ROW if cut else 0)
    return Union(
        boxes=boxes,
        lines=lines,
        height=max(ends["seed"], under, float(HEAD + height)) + NOTE * len(notes) + FOOT,
        heads=heads_of(plan),
        cut_head=cut,
        cut=(),
        notes=notes,
        spoken=spoken_of(boxes),
        scored=f"score, {plan.constraints.seed_signal}",
        nothing="no related document",
    )


def _boxes(
    documents: Sequence[SeedDocument | ExpandedDocument], lane: Lane, ys: Sequence[float], height: int, top: float
) -> tuple[UnionBox, ...]:
    return tuple(
        UnionBox(
            document_id=d.document_id,
            title=d.title,
            lane=lane,
            look="kept",
            y=y,
            h=float(height),
            in_a=True,
            in_b=True,
            score=counts.score(d.score),
            bar=counts.bar(d.score, top),
            note=d.document_id,
            tag="",
            tip=f"{d.title}\n{d.document_id}\nposition {d.place:,}, score {counts.score(d.score)}",
        )
        for d, y in zip(documents, ys, strict=False)
    )


def _cut(plan: RetrievalPlan) -> str:
    """``4 of 6 left out (limit: 2)``; empty where the limit on related documents left none out."""
    total = next((t for t in plan.cut_totals if t.limit == "max_expanded" and t.total > t.kept), None)
    if total is None:
        return ""
    return f"{total.total - total.kept:,} of {total.total:,} {counts.left_out(total.limit, total.value, bare=True)}"


def _notes(plan: RetrievalPlan, n_hidden: int, unseen: int) -> tuple[str, ...]:
    """What is not drawn, counted."""
    between = sum(len(d.reasons) for d in plan.seed_documents)
    parts = [counts.plural(n_hidden, "more document")] if n_hidden else []
    parts += [counts.plural(between, "relationship") + " between matches"] if between else []
    parts += [counts.plural(unseen, "relationship") + " from hidden matches"] if unseen else []
    return tuple(f"Not drawn: {part}" for part in parts)
