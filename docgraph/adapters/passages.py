"""What every adapter does in the same way: fields checked once, a question asked, passages with their reasons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from docgraph.boundary.records import as_request
from docgraph.domain.context import EvidenceDocument, ScoredChunk
from docgraph.domain.plan import ExpandedDocument, RetrievalPlan, SeedDocument
from docgraph.domain.request import RetrievalRequest
from docgraph.orchestration.docgraph import Docgraph

Request = RetrievalRequest | Mapping[str, Any]
_ANY = "?"
"""Stands for the question where only the other fields are checked."""


@dataclass(frozen=True)
class Passage:
    """What is read of one chunk. ``metadata`` is plain JSON; titles and texts in it are data from documents."""

    chunk_id: str
    document_id: str
    text: str
    score: float
    metadata: dict[str, Any]


def request_fields(request: Request | None, named: Mapping[str, Any], *, limit: str) -> dict[str, Any]:
    """Fields of a request beside its question, as JSON: those of ``request``, then ``named`` ones.

    ``limit`` = what the library calls ``max_chunks``; ``None`` there leaves it to the request. Raises RequestError.
    """
    fields = request.model_dump(mode="json", exclude_unset=True) if isinstance(request, RetrievalRequest) else request
    wanted = {**(fields or {}), **named}
    if (n := wanted.pop(limit, None)) is not None:
        wanted["max_chunks"] = n
    checked = as_request({**wanted, "query": _ANY})
    return checked.model_dump(mode="json", exclude_unset=True, exclude={"query"})


def passages(dg: Docgraph, fields: Mapping[str, Any], query: str) -> list[Passage]:
    """The passages of a run, best first: plan, execution and assembly on one snapshot. Raises RequestError."""
    run = dg.run({**fields, "query": query}, verify="later")
    documents: tuple[SeedDocument | ExpandedDocument, ...] = (*run.plan.seed_documents, *run.plan.expanded_documents)
    planned = {document.document_id: document for document in documents}
    about = {d.document.document_id: d.document for d in run.context.documents}
    return [
        Passage(chunk.chunk_id, i, chunk.passage, chunk.score, _metadata(run.plan, planned[i], about[i], chunk))
        for i, chunk in run.context.ranked_chunks
    ]


def _metadata(
    plan: RetrievalPlan, document: SeedDocument | ExpandedDocument, about: EvidenceDocument, chunk: ScoredChunk
) -> dict[str, Any]:
    """Why this chunk is read; the names are those of docs/adapters.md."""
    found: dict[str, Any] = {
        "document_id": document.document_id,
        "title": document.title,
        "chunk_id": chunk.chunk_id,
        "heading_path": list(chunk.heading_path),
        "place": document.place,
        "role": "seed" if isinstance(document, SeedDocument) else "related",
        "reasons": [{"type": reason.via, "from": reason.from_document_id} for reason in document.reasons],
        "score": chunk.score,
        "rank": chunk.rank,
        "plan_id": plan.plan_id,
        "workspace": plan.workspace,
    }
    beside = {"source": about.source, "standing": about.standing_words}
    return found | {name: value for name, value in beside.items() if value}
