"""A request as it is planned: documents by their stored ids, and the reranker that is configured, by name."""

from __future__ import annotations

from docgraph.domain.request import NO_RERANKER, RetrievalRequest
from docgraph.errors import RequestError
from docgraph.orchestration.document_ids import with_stored_ids
from docgraph.orchestration.session import Adapters
from docgraph.ports import Snapshot


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
