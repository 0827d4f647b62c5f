"""Reads a workspace into the graph that checks look at."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from docgraph.curation.editing import reviewed
from docgraph.domain.graph import Vectors
from docgraph.domain.overrides import EdgeKey
from docgraph.domain.plan import RetrievalPlan
from docgraph.ports import MENTIONS, RelationshipGraph, Snapshot


def read_graph(
    snapshot: Snapshot, embed: Callable[[Sequence[str]], Vectors], *, plans: Iterable[RetrievalPlan | None] = ()
) -> RelationshipGraph:  # fmt: skip
    """Everything that checks need, from one snapshot.

    ``plans`` are those of the saved questions on this data, None for a question that cannot be planned on it.
    """
    documents = {document.document_id: document for document in snapshot.documents()}
    edges = tuple(sorted(snapshot.relationships(), key=lambda edge: edge.key))
    fired: dict[EdgeKey, int] = {}
    n_questions = n_left_out = 0
    for plan in plans:
        if plan is None:
            n_left_out += 1
            continue
        n_questions += 1
        for key in {(r.from_document_id, r.via, d.document_id) for d in plan.expanded_documents for r in d.reasons}:
            fired[key] = fired.get(key, 0) + 1
    types = sorted({edge.relation_type for edge in edges})
    vectors = embed([name.replace("_", " ").replace("-", " ") for name in types]) if types else ()
    return RelationshipGraph(
        documents=documents,
        relationships=edges,
        mentions=frozenset((e.from_document_id, e.to_document_id) for e in edges if e.relation_type == MENTIONS),
        reviewed=reviewed(edges),
        fired=fired,
        n_questions=n_questions,
        n_questions_left_out=n_left_out,
        type_vectors=dict(zip(types, vectors, strict=True)),
    )
