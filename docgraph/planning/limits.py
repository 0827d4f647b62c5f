"""Turns a request's mode and numbers into the limits a plan is made under."""

from __future__ import annotations

import math
from dataclasses import dataclass

from docgraph.domain.request import MODES, RetrievalRequest

MAX_EDGES_PER_SEED = 200
"""Edges read per seed: bounds the work on a hub; what lies beyond is counted and named."""

CANDIDATE_MARGIN = 14
"""Candidates ranked beyond the plan's size, so that the plan can name who just missed it."""


@dataclass(frozen=True)
class Limits:
    """Numbers that decide a plan: documents in all, places for related ones, seeds that expand, edges per seed."""

    max_documents: int
    max_expanded: int
    max_expanding_seeds: int
    max_fan_out: int
    max_edges_per_seed: int = MAX_EDGES_PER_SEED

    @property
    def max_seeds(self) -> int:
        """Places left for seeds when every place for related documents is taken."""
        return self.max_documents - self.max_expanded

    @property
    def max_candidates(self) -> int:
        """How many documents are ranked."""
        return self.max_documents + CANDIDATE_MARGIN


def decide_limits(request: RetrievalRequest) -> Limits:
    """The limits of a request: given numbers win, the rest follows from the mode ("60/40 plan").

    Related places are rounded half up, at least one from two documents on, and always leave one place to a seed.
    """
    mode = MODES[request.mode]
    documents, expanding = request.max_documents or mode.max_documents, mode.max_expanding_seeds
    expanded = request.max_expanded
    if expanded is None:
        expanded = max(math.floor(mode.related_share * documents + 0.5), 1)
    expanded = min(expanded, documents - 1) if request.use_relationships else 0
    if request.max_expanding_seeds is not None:
        expanding = request.max_expanding_seeds
    return Limits(
        max_documents=documents,
        max_expanded=expanded,
        max_expanding_seeds=min(expanding, documents - expanded),
        max_fan_out=request.max_fan_out,
    )
