"""What a draft changes in the picture of its base: who leaves, who enters, and which lines are gone."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from docgraph.domain.comparison import Comparison
from docgraph.domain.run import Run
from docgraph.views.lanes.layout import Edge
from docgraph.views.plan.arrangement import Arrangement
from docgraph.views.plan.documents import Planned, planned
from docgraph.views.plan.draft.changes import leaves_because, off_by, signed


@dataclass(frozen=True)
class Ghost:
    """A document of the base that the draft leaves out: it keeps its row, dashed, with the reason in words."""

    document: Planned
    seed: bool
    text: str
    tokens: str


@dataclass(frozen=True)
class DraftMarks:
    """The changes as the graph draws them.

    ``base`` says where everything stands there: a kept document stays where it is. ``gone`` are the edges of the base
    that the draft does not follow; of them ``off`` are switched off by the draft itself. ``crossed`` = documents that
    changed lane, with where they were.
    """

    base: Arrangement
    ghosts: tuple[Ghost, ...] = ()
    added: frozenset[str] = frozenset()
    crossed: Mapping[str, str] = field(default_factory=dict)
    gone: tuple[Edge, ...] = ()
    off: frozenset[Edge] = frozenset()
    new: frozenset[Edge] = frozenset()


def draft_marks(comparison: Comparison, arrangement: Arrangement, default_types: Collection[str]) -> DraftMarks:
    """The marks of a comparison (A the base, B the draft); ``arrangement`` is the base's."""
    base, run = comparison.a.run, comparison.b.run
    edges = frozenset(base.plan.edges), frozenset(run.plan.edges)
    gone = tuple(edge for edge in base.plan.edges if edge not in edges[1])
    off = frozenset(edge for edge in gone if off_by(run.request, edge, default_types))
    return DraftMarks(
        base=arrangement,
        ghosts=_ghosts(comparison, default_types),
        added=frozenset(d.document_id for d in comparison.documents_with("added")),
        crossed={
            d.document_id: f"was {'a match' if d.role_a == 'seed' else 'related'}"
            for d in comparison.documents
            if d.change == "kept" and d.role_a != d.role_b
        },
        gone=gone,
        off=off,
        new=edges[1] - edges[0],
    )


def _ghosts(comparison: Comparison, default_types: Collection[str]) -> tuple[Ghost, ...]:
    base: Run = comparison.a.run
    seeds, documents = set(base.plan.seed_document_ids), {d.document_id: d for d in planned(base.plan)}
    return tuple(
        Ghost(
            document=documents[change.document_id],
            seed=change.document_id in seeds,
            text=leaves_because(change, base, comparison.b.run.request, default_types),
            tokens=f"{signed(-change.n_tokens_a)} tok",
        )
        for change in comparison.documents_with("left")
    )
