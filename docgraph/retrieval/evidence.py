"""The evidence of a plan as hits of the contract: in plan order, each with the document and the reason it is in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from docgraph.domain.context import EvidenceDocument, RetrievedContext, ScoredChunk
from docgraph.domain.graph import ChunkPlace, StoredDocument
from docgraph.domain.memory import MemoryHit
from docgraph.domain.packet import ProviderHit
from docgraph.domain.plan import Reason, RetrievalPlan
from docgraph.ports import WordHit


def evidence_hits(
    plan: RetrievalPlan, context: RetrievedContext, documents: Mapping[str, StoredDocument]
) -> tuple[ProviderHit, ...]:
    """One hit a chunk: the best of each document in plan order, then all others, most similar first.

    ``documents`` = the planned ones as they are stored. However short the list is cut, it holds as many documents as
    fit into it, and those that a relationship brought in are not behind every second chunk of a seed.
    """
    roles = _roles(plan)
    pairs = [(each.document, chunk) for each in context.documents for chunk in each.chunks[:1]]
    others = [(each.document, chunk) for each in context.documents for chunk in each.chunks[1:]]
    return tuple(
        _hit(document, chunk, documents.get(document.document_id), roles[document.document_id])
        for document, chunk in (*pairs, *sorted(others, key=lambda pair: pair[1].rank))
    )


def word_hits(found: Sequence[WordHit], documents: Mapping[str, StoredDocument]) -> tuple[ProviderHit, ...]:
    """One hit a chunk, in the order given; ``documents`` = those that the chunks are of, as they are stored."""
    return tuple(_word_hit(each, documents[each.chunk.document_id]) for each in found)


def memory_hits(found: Sequence[MemoryHit]) -> tuple[ProviderHit, ...]:
    """One hit a memory, in the order given; memories belong to no channel."""
    return tuple(map(_memory_hit, found))


def source_of(title: str, heading_path: tuple[str, ...]) -> str:
    """``MS4 design › Limits``: where a chunk comes from, for people."""
    return " › ".join((title, *heading_path))


def chunk_metadata(
    *,
    document_id: str,
    title: str,
    chunk_id: str,
    chunk_index: int,
    heading_path: tuple[str, ...],
    place: ChunkPlace | None = None,
) -> dict[str, Any]:
    """What every hit that is a chunk says about itself; its ``place`` in the source only where that is known."""
    return {
        "document_id": document_id,
        "title": title,
        "chunk_id": chunk_id,
        "chunk_index": chunk_index,
        "heading_path": list(heading_path),
        **({} if place is None else {"place": place.model_dump()}),
    }


def channels_of(doc_type: str, stored: StoredDocument | None) -> tuple[str, ...]:
    """The channels that a document belongs to: its type and its ingestion scope."""
    scope = stored.ingestion_id if stored is not None else ""
    return tuple(dict.fromkeys(channel for channel in (doc_type, scope) if channel))


def _hit(
    document: EvidenceDocument, chunk: ScoredChunk, stored: StoredDocument | None, role: Mapping[str, Any]
) -> ProviderHit:
    said = chunk_metadata(
        document_id=document.document_id,
        title=document.title,
        chunk_id=chunk.chunk_id,
        chunk_index=chunk.chunk_index,
        heading_path=chunk.heading_path,
        place=chunk.place,
    )
    return ProviderHit(
        key=(document.document_id, chunk.chunk_id),
        content=chunk.text,
        score=chunk.score,
        source=source_of(document.title, chunk.heading_path),
        channels=channels_of(document.doc_type, stored),
        metadata={**said, "doc_type": document.doc_type, **role, **_standing(document)},
    )


def _standing(document: EvidenceDocument) -> dict[str, str]:
    """Said where something speaks against the document alone."""
    return {"standing": document.standing_words} if document.standing else {}


def _word_hit(found: WordHit, document: StoredDocument) -> ProviderHit:
    chunk = found.chunk
    said = chunk_metadata(
        document_id=chunk.document_id,
        title=document.title,
        chunk_id=chunk.chunk_id,
        chunk_index=chunk.chunk_index,
        heading_path=chunk.heading_path,
        place=chunk.place,
    )
    return ProviderHit(
        key=(chunk.document_id, chunk.chunk_id),
        content=chunk.text,
        score=found.score,
        source=source_of(document.title, chunk.heading_path),
        channels=channels_of(document.doc_type, document),
        metadata={**said, "doc_type": document.doc_type, "ts_rank_cd": found.words},
    )


def _memory_hit(found: MemoryHit) -> ProviderHit:
    memory = found.memory
    return ProviderHit(
        key=("memory", memory.memory_id),
        content=memory.text,
        score=found.score,
        source=f"{memory.conversation_id} › {memory.role} › {memory.turn}",
        metadata={
            "memory_id": memory.memory_id,
            "conversation_id": memory.conversation_id,
            "turn": memory.turn,
            "role": memory.role,
            "at": memory.at,
            "said": memory.metadata,
            "words": found.words,
            "fused": found.fused,
        },
    )


def _reason(reason: Reason) -> dict[str, Any]:
    """Where a reason starts and its type; the sections that it points to where there are any."""
    to = {"sections": list(reason.sections)} if reason.sections else {}
    return {"from": reason.from_document_id, "via": reason.via, **to}


def _roles(plan: RetrievalPlan) -> dict[str, dict[str, Any]]:
    """document_id → its place in the plan, whether it is a seed or expanded, and over which relationships it came."""
    roles: dict[str, dict[str, Any]] = {s.document_id: {"role": "seed"} for s in plan.seed_documents}
    for document in plan.expanded_documents:
        reasons = [_reason(r) for r in document.reasons]
        roles[document.document_id] = {"role": "expanded", "reasons": reasons}
    places = {document_id: place for place, document_id in enumerate(plan.document_ids, start=1)}
    return {one: {**role, "plan_place": places[one], "plan_id": plan.plan_id} for one, role in roles.items()}
