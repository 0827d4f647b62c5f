"""Looks a document up by what a person typed: by its id, else by the one id that is the same but for its case."""

from __future__ import annotations

from docgraph.domain.request import RetrievalRequest
from docgraph.ports import DocumentReader


def stored_id(snapshot: DocumentReader, document_id: str) -> str:
    """The id as it is stored, where exactly one document has it, whatever its case; else ``document_id`` itself."""
    if not document_id.strip() or snapshot.documents_by_id([document_id]):
        return document_id
    wanted = document_id.strip().casefold()
    alike = {d.document_id for d in snapshot.documents(text=document_id.strip()) if d.document_id.casefold() == wanted}
    return alike.pop() if len(alike) == 1 else document_id


def with_stored_ids(request: RetrievalRequest, snapshot: DocumentReader) -> RetrievalRequest:
    """The request with every document that it names under its stored id; the same object when nothing changes."""
    given = request.overrides
    seeds, added, dropped = (
        tuple(dict.fromkeys(stored_id(snapshot, each) for each in ids))
        for ids in (request.seed_document_ids, given.added_seed_ids, given.dropped_seed_ids)
    )
    if (seeds, added, dropped) == (request.seed_document_ids, given.added_seed_ids, given.dropped_seed_ids):
        return request
    fields = request.model_dump() | {"seed_document_ids": seeds}
    fields["overrides"] = given.model_dump() | {"added_seed_ids": added, "dropped_seed_ids": dropped}
    return RetrievalRequest.model_validate(fields)
