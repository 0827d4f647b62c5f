"""Ways in which a workspace finds similar chunks, each set in turn: exact, by bits, by the approximate index."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import get_args

from docgraph.domain.graph import Vector
from docgraph.domain.plan import RetrievalPlan
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.workspace import VectorSearch
from docgraph.planning.planner import make_plan
from docgraph.ports import Probe, Store


def each(store: Store, *, left_aside: Sequence[VectorSearch] = ()) -> Iterator[VectorSearch]:
    """Every mode but those that cost too much to make, set before it is yielded; in the end it is as it was."""
    before = current(store)
    for mode in get_args(VectorSearch):
        if mode not in left_aside:
            store.set_vector_search(mode)
            yield mode
    store.set_vector_search(before)


def current(store: Store) -> VectorSearch:
    """How a workspace is searched now."""
    with store.reading() as snapshot:
        return snapshot.workspace.vector_search


def plan(store: Store, request: RetrievalRequest, vector: Vector) -> RetrievalPlan:
    """A plan on a snapshot of its own, as every question gets one."""
    with store.reading() as snapshot:
        return make_plan(request, Probe(vector, request.query), snapshot)
