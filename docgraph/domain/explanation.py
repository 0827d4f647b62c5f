"""Why a document is in a plan, or why it is not."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from docgraph.domain.frozen import Frozen
from docgraph.domain.graph import Identifier
from docgraph.domain.plan import LimitName, Reason
from docgraph.domain.request import SeedSignal

WhyNot = Literal[
    "cut_by_limit",
    "type_off",
    "reasons_only",
    "relationships_off",
    "incoming_only",
    "two_hops",
    "from_non_expanding_seed",
    "no_edge",
    "outside_scope",
    "outside_where",
    "edge_off",
    "seed_dropped",
]


class Obstacle(Frozen):
    """One thing that keeps a document out; ``edges`` are (from, via, to); ``remedy`` = request fields that lift it."""

    kind: WhyNot
    text: str
    limit: LimitName | None = None
    value: int | None = None
    place: int | None = None
    edges: tuple[tuple[str, str, str], ...] = ()
    remedy: dict[str, Any] = Field(default_factory=dict)


class Explanation(Frozen):
    """The answer to "why?" or "why not?" for one document and one request.

    ``role`` is ``seed``, ``expanded`` or ``None`` (not in the plan). ``rank`` counts from 1 over all documents by
    ``signal``, of ``n_documents``; ``score`` is the document's own by that signal.
    """

    document_id: Identifier
    title: str
    in_plan: bool
    role: Literal["seed", "expanded"] | None = None
    place: int | None = None
    rank: int | None = None
    n_documents: int = 0
    score: float | None = None
    signal: SeedSignal | None = None
    reasons: tuple[Reason, ...] = ()
    obstacles: tuple[Obstacle, ...] = ()
    sentence: str = ""
