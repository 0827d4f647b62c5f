"""A run with its documents and chunks by id, as comparison looks things up in it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from docgraph.domain.context import DocumentEvidence, ScoredChunk
from docgraph.domain.plan import CutDocument, ExpandedDocument, SeedDocument
from docgraph.domain.run import Run

ChunkKey = tuple[str, str]
"""(document_id, chunk_id)."""


@dataclass(frozen=True)
class Indexed:
    """A run with its documents and chunks by id."""

    run: Run

    @cached_property
    def planned(self) -> dict[str, SeedDocument | ExpandedDocument]:
        """document_id → document of the plan, in plan order."""
        plan = self.run.plan
        seeds: dict[str, SeedDocument | ExpandedDocument] = {d.document_id: d for d in plan.seed_documents}
        return seeds | {d.document_id: d for d in plan.expanded_documents}

    @cached_property
    def evidence(self) -> dict[str, DocumentEvidence]:
        """document_id → its chunks, in plan order."""
        return {d.document.document_id: d for d in self.run.context.documents}

    @cached_property
    def chunks(self) -> dict[ChunkKey, tuple[int, DocumentEvidence, ScoredChunk]]:
        """(document_id, chunk_id) → (place in reading order, its document, the chunk), in reading order."""
        pairs = [(d, c) for d in self.run.context.documents for c in d.chunks]
        return {(d.document.document_id, c.chunk_id): (i, d, c) for i, (d, c) in enumerate(pairs, start=1)}

    @cached_property
    def places_in_document(self) -> dict[ChunkKey, int]:
        """(document_id, chunk_id) → its place by score among *all* chunks of its document, from 1.

        Every evidence rule takes the chunks of a document best first, so what a run holds of it is its beginning.
        """
        return {(i, c.chunk_id): n for i, d in self.evidence.items() for n, c in enumerate(d.chunks, start=1)}

    @cached_property
    def tokens(self) -> dict[str, int]:
        """document_id → its tokens in the assembled context."""
        return {d.document_id: d.conceptual_tokens + d.evidence_tokens for d in self.run.assembled.documents}

    @cached_property
    def cuts(self) -> dict[str, CutDocument]:
        """document_id → how the plan cut it."""
        return {cut.document_id: cut for cut in self.run.plan.cut}

    @cached_property
    def is_flat(self) -> bool:
        """Whether its chunks are the best of the whole workspace: any document may come in by a chunk's similarity."""
        request = self.run.request
        bound = request.seed_document_ids or request.overrides.changes_seeds or request.scope_mode == "filter"
        return request.preset == "literal" and request.max_documents is None and not bound

    def chunks_of(self, document_id: str) -> tuple[ScoredChunk, ...]:
        """What it holds of a document, best first; nothing when the document is not planned."""
        evidence = self.evidence.get(document_id)
        return evidence.chunks if evidence else ()


def same_question(a: Run, b: Run) -> bool:
    """Whether scores of both runs mean the same."""
    return (a.plan.query, a.plan.workspace, a.plan.embedder_id) == (b.plan.query, b.plan.workspace, b.plan.embedder_id)


def same_data(a: Run, b: Run) -> bool:
    """Whether both runs saw one state of one workspace with one question."""
    return same_question(a, b) and a.plan.corpus_revision == b.plan.corpus_revision
