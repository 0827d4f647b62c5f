"""What stands under the documents in the plan graph: seeds that are only counted, and the lists of who was cut."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from docgraph.domain.run import Run
from docgraph.views.plan import lanes
from docgraph.views.plan.arrangement import Arrangement
from docgraph.views.plan.cuts import CutBlock, expanded_blocks, filter_block, seed_block
from docgraph.views.plan.documents import best_chunk
from docgraph.views.words import counts

REST_HEIGHT = 32


def blocks(run: Run, arrangement: Arrangement, unfolded: frozenset[str]) -> tuple[list[dict[str, Any]], int]:
    """The blocks with their places, and the height that the lanes have with them."""
    ends = (arrangement.seeds_end, arrangement.expanded_end)
    height = max(lanes.MIN_HEIGHT, *ends)
    placed: list[dict[str, Any]] = []
    bottom = 0
    for lane, top in zip((1, 2), ends, strict=True):
        if lane == 1 and arrangement.hidden:
            top -= lanes.CUT_GAP - 5
            placed.append({"lane": lane, "top": top, "kind": "rest", "key": "rest", **_rest(run, arrangement)})
            top += REST_HEIGHT + lanes.CUT_GAP
        for block in _cut_blocks(run, lane, top=top, height=height, arrangement=arrangement, unfolded=unfolded):
            placed.append({"lane": lane, "top": top, "kind": "cut", **_as_json(block, block.key in unfolded)})
            foot = bool(block.foot or block.key in unfolded or (block.more and block.rows))
            n_lines = len(block.rows) + foot
            top += lanes.CUT_HEAD + lanes.CUT_ROW * n_lines + lanes.CUT_GAP
        bottom = max(bottom, top - lanes.CUT_GAP)
    return placed, max(height, bottom + lanes.LANE_FOOT)


def _cut_blocks(
    run: Run, lane: int, *, top: int, height: int, arrangement: Arrangement, unfolded: frozenset[str]
) -> tuple[CutBlock, ...]:
    """As many rows as there is room for; none in a plan drawn in rows, which says the number and opens on request."""
    plan = run.plan
    fitting = 0 if arrangement.in_rows else lanes.fitting_rows(top, height) - 1
    if lane == 1:
        filtered = filter_block(plan, max_rows=None if "where" in unfolded else 1)
        taken = 1 + len(filtered.rows) if filtered else 0
        block = seed_block(plan, max_rows=None if "max_seeds" in unfolded else fitting - taken)
        return tuple(each for each in (filtered, block) if each)
    few = expanded_blocks(plan, max_rows=0 if arrangement.in_rows else max(fitting, 2))
    full = {b.key: b for b in expanded_blocks(plan, max_rows=None)} if unfolded else {}
    return tuple(full[b.key] if b.key in unfolded else b for b in few)


def _as_json(block: CutBlock, unfolded: bool) -> dict[str, Any]:
    return {**asdict(block), "fix": dict(block.fix) if block.fix else None, "unfolded": unfolded}


def _rest(run: Run, arrangement: Arrangement) -> dict[str, Any]:
    """The seeds that are only counted: how many, and where their best chunks stand between 0 and 1."""
    scores = [s for i in arrangement.hidden if (s := best_chunk(run, i)) is not None]
    between = f"{counts.score(min(scores))}–{counts.score(max(scores))}" if scores else counts.UNKNOWN
    return {
        "head": counts.plural(len(arrangement.hidden), "more match", "more matches"),
        "note": "no edges",
        "scores": [round(s, 3) for s in scores],
        "tail": between,
    }
