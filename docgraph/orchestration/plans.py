"""A request as it is planned, its plan, and what is said of planned documents: why each is in, what replaced it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from docgraph.domain.graph import DocumentRef, Relationship
from docgraph.domain.plan import ExpandedDocument, RetrievalPlan, SeedDocument
from docgraph.domain.request import NO_RERANKER, RetrievalRequest
from docgraph.domain.standing import NEW_TO_OLD, OLD_TO_NEW, Standing, spellings, standing_of, successors
from docgraph.errors import RequestError
from docgraph.orchestration.document_ids import with_stored_ids
from docgraph.orchestration.session import Adapters, Session, with_new_vectors
from docgraph.planning.planner import make_plan
from docgraph.ports import Probe, Read, Snapshot, read

if TYPE_CHECKING:
    from docgraph.domain.context import RetrievedContext


def asked_on(snapshot: Snapshot, request: RetrievalRequest, adapters: Adapters) -> RetrievalRequest:
    """The request with what it leaves to this place filled in, so that the plan says it.

    Raises RequestError for a reranker that is not configured here.
    """
    return with_stored_ids(with_reranker(request, adapters), snapshot)


def with_reranker(request: RetrievalRequest, adapters: Adapters) -> RetrievalRequest:
    """The request with the reranker of its passages: the configured one where it leaves that open."""
    if request.evidence_rule != "passages" or request.reranker == NO_RERANKER:
        return request
    here = adapters.passage_reranker
    if request.reranker is None:
        return request if here is None else request.model_copy(update={"reranker": here.model_id})
    if here is None or here.model_id != request.reranker:
        said = "none" if here is None else repr(here.model_id)
        raise RequestError(
            f"reranker: {request.reranker!r} is not configured here ({said} is)",
            hint="set reranker and reranker_model to that one, or ask with reranker = none",
        )
    return request


MAX_EDGES = 20
"""Relationships of succession that are read of a document, in each direction."""


def standing_reads(
    document_ids: Sequence[str],
) -> tuple[Read[tuple[Relationship, ...]], Read[tuple[Relationship, ...]]]:
    """What is read beside the documents themselves: succession that starts at them, and that ends at them."""
    return (
        read(Snapshot.outgoing, document_ids, relation_types=spellings(OLD_TO_NEW), limit=MAX_EDGES),
        read(Snapshot.incoming, document_ids, relation_types=spellings(NEW_TO_OLD), limit=MAX_EDGES),
    )


def standings_of(document_ids: Sequence[str], snapshot: Snapshot) -> dict[str, Standing]:
    """document_id → standing, of the stored documents that something speaks against.

    What replaced them is called by its title where it is one of the documents, else by its id.
    """
    documents, outgoing, incoming = snapshot.at_once(
        read(Snapshot.documents_by_id, document_ids), *standing_reads(document_ids)
    )
    replaced = successors(outgoing, incoming)
    found = {}
    for document_id, document in documents.items():
        refs = [
            DocumentRef(document_id=i, title=documents[i].title if i in documents else i)
            for i in replaced.get(document_id, ())
        ]
        if (standing := standing_of(document, refs)) is not None:
            found[document_id] = standing
    return found


def described(context: RetrievedContext, plan: RetrievalPlan, snapshot: Snapshot) -> RetrievedContext:
    """The context with ``why`` and ``standing`` at its documents; chunks, order and scores stay as they are."""
    standings = standings_of(plan.document_ids, snapshot)
    planned: tuple[SeedDocument | ExpandedDocument, ...] = (*plan.seed_documents, *plan.expanded_documents)
    whys = {document.document_id: why_in(document) for document in planned}
    documents = tuple(
        each.model_copy(
            update={
                "document": each.document.model_copy(
                    update={
                        "why": whys[each.document.document_id],
                        "standing": standings.get(each.document.document_id),
                    }
                )
            }
        )
        for each in context.documents
    )
    return context.model_copy(update={"documents": documents})


def bare(context: RetrievedContext) -> RetrievedContext:
    """The context as execution made it."""
    documents = tuple(
        each.model_copy(update={"document": each.document.model_copy(update={"why": "", "standing": None})})
        for each in context.documents
    )
    return context.model_copy(update={"documents": documents})


def why_in(document: SeedDocument | ExpandedDocument) -> str:
    """``match 2``, ``named in the question``, ``explains, from adr-011 and 1 more``."""
    if isinstance(document, SeedDocument):
        return "named in the question" if document.named else f"match {document.place}"
    first, n = document.reasons[0], len(document.reasons)
    return f"{first.via}, from {first.from_document_id}" + (f" and {n - 1} more" if n > 1 else "")


@with_new_vectors
def plan_on(session: Session, request: RetrievalRequest, query_vector: Sequence[float] | None = None) -> RetrievalPlan:
    """The plan of a request on one snapshot of the workspace. Raises EmbeddingMismatchError."""
    vector = session.vector(request.query, query_vector)
    with session.reading() as snapshot:
        return make_plan(asked_on(snapshot, request, session.adapters), Probe(vector, request.query), snapshot)


def standings_on(session: Session, plan: RetrievalPlan) -> dict[str, Standing]:
    """document_id → what keeps a planned document from holding; a fact beside the plan, which it does not change."""
    if not plan.document_ids:
        return {}
    with session.reading() as snapshot:
        return standings_of(plan.document_ids, snapshot)
