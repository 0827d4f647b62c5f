"""Two runs indexed by document and chunk, and how far their documents and chunks overlap."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from docgraph.domain.comparison import Figure
from docgraph.domain.context import DocumentEvidence, ScoredChunk
from docgraph.domain.plan import CutDocument, ExpandedDocument, SeedDocument
from docgraph.domain.run import Run
from docgraph.ports import Measure

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


CONTINUED = "one list only continues the other"
"""Why an extrapolated overlap can be 1 although something was added."""


def figures(a: Run, b: Run, measures: Sequence[Measure]) -> tuple[Figure, ...]:
    """One figure per measure over chunks and one over documents, in the measures' order.

    Both lists stand as they are read: documents in plan order, chunks under them by score. (By score alone the order of
    common chunks is the same on both sides by law, because relationships change no score.)
    """
    return (
        *_over("chunks", _chunks(a), _chunks(b), measures=measures),
        *_over("documents", _ids(a), _ids(b), measures=measures),
    )


def document_figures(a: Sequence[str], b: Sequence[str], measures: Sequence[Measure]) -> tuple[Figure, ...]:
    """One figure per measure over two lists of documents as they are read, in the measures' order."""
    return tuple(_over("documents", a, b, measures=measures))


def _over(
    of: Literal["chunks", "documents"], a: Sequence[str], b: Sequence[str], *, measures: Sequence[Measure]
) -> Iterator[Figure]:
    for measure in measures:
        value, n, note = _value(measure, a, b)
        yield Figure(
            name=measure.name,
            title=measure.title,
            of=of,
            value=value,
            n=n,
            note=note,
            formula=measure.formula,
            source=measure.source,
        )


def _value(measure: Measure, a: Sequence[str], b: Sequence[str]) -> tuple[float | None, int, str]:
    if not a and not b:
        return None, 0, "both empty"
    if measure.kind == "overlap":
        value = measure.compute(a, b)
        return value, len({*a, *b}), CONTINUED if value == 1 and len(a) != len(b) else ""
    common = set(a) & set(b)
    if len(common) < 2:
        return None, len(common), f"needs 2 in common, there {'is' if len(common) == 1 else 'are'} {len(common)}"
    value = measure.compute([i for i in a if i in common], [i for i in b if i in common])
    return value, len(common), "" if value is not None else "undefined"


def _chunks(run: Run) -> list[str]:
    pairs = ((d.document.document_id, chunk.chunk_id) for d in run.context.documents for chunk in d.chunks)
    return [f"{document_id}\n{chunk_id}" for document_id, chunk_id in pairs]


def _ids(run: Run) -> list[str]:
    return list(run.plan.document_ids)
