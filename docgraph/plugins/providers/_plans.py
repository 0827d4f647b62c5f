"""What providers that go through a plan have in common: the plan's request that a contract's request comes to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docgraph.domain.request import MODES, RetrievalRequest

if TYPE_CHECKING:
    from docgraph.domain.packet import PacketRequest
    from docgraph.domain.request import Mode


def plan_request(request: PacketRequest, *, use_relationships: bool) -> RetrievalRequest:
    """The same question with as many chunks as the contract wants candidates, and no more documents than that.

    A plan of more documents than candidates would lose its last ones, which are those that only a relationship brings
    in. *conversation* plans like *accurate*.
    """
    mode: Mode = "fast" if request.mode == "fast" else "accurate"
    documents = request.max_documents or MODES[mode].max_documents
    return RetrievalRequest(
        query=request.query,
        mode=mode,
        max_chunks=request.top_k,
        max_documents=min(documents, request.top_k),
        max_chunks_per_document=request.max_chunks_per_document,
        relation_types=request.relation_types,
        use_relationships=use_relationships,
    )
