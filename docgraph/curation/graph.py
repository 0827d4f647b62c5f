"""Reads a workspace into the graph that checks look at."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from docgraph.curation.checking import Steps
from docgraph.curation.editing import reviewed
from docgraph.domain.curation import Contested
from docgraph.domain.graph import Vector, Vectors
from docgraph.domain.plan import RetrievalPlan
from docgraph.ports import MENTIONS, Reach, RelationshipGraph, Snapshot


def read_graph(
    snapshot: Snapshot,
    embed: Callable[[Sequence[str]], Vectors],
    *,
    plans: Iterable[RetrievalPlan | None] = (),
    contested: Iterable[Contested] = (),
    moved: Mapping[str, str] | None = None,
    rejected: Mapping[str, str] | None = None,
    steps: Steps | None = None,
) -> RelationshipGraph:
    """Everything that checks need, from one snapshot.

    ``plans`` are those of the saved questions on this data, None for a question that cannot be planned on it.
    ``contested`` = what the store says of it, ``moved`` = old ids of documents that moved → their new ones,
    ``rejected`` = ids of files that imports rejected → why.
    ``steps`` are told how far the reading is, and may end it by Stopped.
    """
    here, told = snapshot.workspace, steps or Steps(None, 0)
    stored = told.each(snapshot.documents(), "Reading the documents", of=here.n_documents)
    documents = {document.document_id: document for document in stored}
    stated = told.each(snapshot.relationships(), "Reading the relationships", of=here.n_relationships)
    edges = tuple(sorted(stated, key=lambda edge: edge.key))
    asked = [None if plan is None else reach_of(plan) for plan in plans]
    reach = tuple(each for each in asked if each is not None)
    types = sorted({edge.relation_type for edge in edges})
    return RelationshipGraph(
        documents=documents,
        relationships=edges,
        mentions=frozenset((e.from_document_id, e.to_document_id) for e in edges if e.relation_type == MENTIONS),
        reviewed=reviewed(edges),
        reach=reach,
        n_questions_left_out=len(asked) - len(reach),
        type_vectors=type_vectors(types, embed),
        contested=tuple(contested),
        moved=dict(moved or {}),
        rejected=dict(rejected or {}),
    )


def type_vectors(types: Iterable[str], embed: Callable[[Sequence[str]], Vectors]) -> dict[str, Vector]:
    """Relation type → its embedded name, a unit vector of shape (dimension,)."""
    names = list(types)
    vectors = embed([name.replace("_", " ").replace("-", " ") for name in names]) if names else ()
    return dict(zip(names, vectors, strict=True))


def reach_of(plan: RetrievalPlan) -> Reach:
    """What a plan has to do with relationships; edges between its seeds bring nothing in."""
    return Reach(
        consulted=frozenset(ref.document_id for ref in plan.consulted),
        planned=frozenset(plan.document_ids),
        fired=frozenset(
            (r.from_document_id, r.via, d.document_id) for d in plan.expanded_documents for r in plan.bringing(d)
        ),
    )
