"""Reads back out of a plan the ranking that it was made by, so that the same question is not ranked again."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from docgraph.domain.plan import MAX_CUTS, CutDocument, ExpandedDocument, RetrievalPlan, SeedDocument
from docgraph.domain.request import RetrievalRequest
from docgraph.planning.limits import decide_limits
from docgraph.ports import RankedDocument, Snapshot


@dataclass(frozen=True)
class Ranking:
    """What is known of how one question ranks the documents of one content: by rank, and who has none.

    ``limit`` = a ranking of the question by so many first documents is answered by these.
    """

    documents: tuple[RankedDocument, ...] = ()
    unranked: frozenset[str] = frozenset()
    limit: int = -1


NOTHING = Ranking()


def ranking_of(plan: RetrievalPlan, request: RetrievalRequest, snapshot: Snapshot) -> Ranking:
    """The ranking behind ``plan``, made for ``request`` on documents that are those of ``snapshot``.

    A plan names everybody it looked at: seeds, neighbours, and who just missed it, each with rank and score. What of
    that decides a plan has to be there without a gap, else nothing is said. What a plan does not tell (an import, a
    type) is read from the snapshot, in one trip.
    """
    is_filtered = request.scope_mode != "label" or request.where is not None
    if request.preset != "balanced" or is_filtered or len(plan.cut) >= MAX_CUTS:
        return NOTHING
    limits = decide_limits(request)
    named: tuple[SeedDocument | ExpandedDocument | CutDocument, ...]
    named = (*plan.seed_documents, *plan.expanded_documents, *plan.cut)
    ranks = {each.document_id: each.rank for each in named if each.rank is not None}
    if not _is_whole(ranks.values(), limits.max_documents, snapshot.workspace.n_documents):
        return NOTHING
    # of the first documents the scope is read; a title that is the id may stand for none
    asked = [e.document_id for e in named if (e.rank or 0) > limits.max_documents and e.title == e.document_id]
    asked += [i for i, rank in ranks.items() if rank <= limits.max_documents]
    stored = snapshot.documents_by_id(sorted(asked))
    documents = []
    for each in named:
        if each.rank is None or each.score is None:
            continue
        title, ingestion_id, doc_type = each.title, "", ""
        if there := stored.get(each.document_id):
            title, ingestion_id, doc_type = there.title, there.ingestion_id, there.doc_type
        documents.append(RankedDocument(each.document_id, title, each.rank, each.score, ingestion_id, doc_type))
    return Ranking(
        documents=tuple(sorted(documents, key=lambda document: document.rank)),
        unranked=frozenset(each.document_id for each in named if each.rank is None),
        limit=limits.max_candidates + len(request.overrides.dropped_seed_ids),
    )


def _is_whole(ranks: Collection[int], n_first: int, n_documents: int) -> bool:
    """Whether the first ranks are there, or those of all documents."""
    return set(range(1, min(n_first, n_documents) + 1)) <= set(ranks)
