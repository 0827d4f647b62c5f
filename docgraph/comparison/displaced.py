"""Why a chunk of run A is not in run B's context, and in which place it would come in.

Passages are let in until the token budget is full: of a chunk that B has no room for only the limit is told. By the
other rules both runs score alike, and take the chunks of a document best first. So a place within a document
is always exact; a place beyond the total limit is exact when the two runs show every chunk that would come before it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

from docgraph.comparison.departures import document_departure
from docgraph.comparison.indexed import ChunkKey, Indexed, same_data, same_question
from docgraph.domain.comparison import Departure
from docgraph.domain.context import ScoredChunk


def chunk_departure(key: ChunkKey, a: Indexed, b: Indexed, *, gone: Collection[str] = ()) -> Departure:
    """Why a chunk of A's context is not in B's; ``gone`` = documents that are not stored any more."""
    if key[0] not in b.planned:
        with_it = document_departure(key[0], a, b, gone=gone)
        if with_it.cause != "max_chunks":
            return with_it.model_copy(update={"with_document": True})
    if not same_data(a.run, b.run):
        return _on_other_data(key, a, b)
    if b.run.plan.constraints.evidence_rule == "passages":
        return _by_passages(b)
    displaced = _Displaced(key, a, b)
    return displaced.by_its_document() or displaced.by_the_total()


def _by_passages(b: Indexed) -> Departure:
    """Which limit B's passages end at: the number of chunks where that is full, else the token budget."""
    limits = b.run.plan.constraints
    if b.run.context.n_chunks >= limits.max_chunks or limits.max_tokens is None:
        return Departure(cause="max_chunks", value=limits.max_chunks)
    return Departure(cause="max_tokens", value=limits.max_tokens)


def _on_other_data(key: ChunkKey, a: Indexed, b: Indexed) -> Departure:
    """The data or the question are not what they were: which limit is full, and no place that could be wrong."""
    limits, context = b.run.plan.constraints, b.run.context
    evidence, chunk = b.evidence.get(key[0]), a.chunks[key][2]
    if evidence is not None:
        full = len(evidence.chunks) >= limits.max_chunks_per_document
        if chunk.chunk_index >= evidence.document.n_chunks or (not full and context.n_chunks < limits.max_chunks):
            return Departure(cause="chunk_gone")
        if full and limits.evidence_rule == "one_per_document":
            return Departure(cause="max_chunks_per_document", value=limits.max_chunks_per_document)
    if limits.evidence_rule == "passages":
        return _by_passages(b)
    known = same_question(a.run, b.run)
    place = limits.max_chunks + 1 if known else None
    return Departure(cause="max_chunks", value=limits.max_chunks, place=place, at_least=known)


@dataclass(frozen=True)
class _Displaced:
    """One chunk of A that B leaves out, on the same data; B plans its document, or is MS3."""

    key: ChunkKey
    a: Indexed
    b: Indexed

    @property
    def chunk(self) -> ScoredChunk:
        return self.a.chunks[self.key][2]

    @property
    def cap(self) -> int | None:
        """B's limit a document; the rule ``similarity`` has none but the total."""
        limits = self.b.run.plan.constraints
        return limits.max_chunks_per_document if limits.evidence_rule == "one_per_document" else None

    def by_its_document(self) -> Departure | None:
        """The limit a document, when its own document has too many better chunks."""
        place = self.a.places_in_document[self.key]
        if self.cap is None or place <= self.cap:
            return None
        let_in = self.b.chunks_of(self.key[0])
        below = _below(let_in[-1].score, self.chunk) if let_in else None
        return Departure(cause="max_chunks_per_document", value=self.cap, place=place, below=below)

    def by_the_total(self) -> Departure:
        """The total limit, with its place behind everybody that would be let in before."""
        limit = self.b.run.plan.constraints.max_chunks
        if self.is_first_of_its_document:  # it comes in by its document's place, not by its score
            place = limit + 1 + self.waiting.index(self.key[0])
            return Departure(cause="max_chunks", value=limit, place=place)
        scores = [c.score for _, _, c in self.b.chunks.values() if c.ground == "similarity"]
        return Departure(
            cause="max_chunks",
            value=limit,
            place=limit + 1 + len(self.waiting) + self._n_better(),
            at_least=not self._sees_all_better(),
            below=_below(min(scores), self.chunk) if scores else None,
        )

    @cached_property
    def waiting(self) -> tuple[str, ...]:
        """Planned documents whose best chunk the total limit keeps out: under ``one_per_document`` they come next."""
        if self.cap is None:
            return ()
        return tuple(i for i, d in self.b.evidence.items() if d.document.n_chunks and not d.chunks)

    @property
    def is_first_of_its_document(self) -> bool:
        """Whether it is the best chunk of a document that waits for its first."""
        return self.a.places_in_document[self.key] == 1 and self.key[0] in self.waiting

    def _n_better(self) -> int:
        """How many chunks that A shows and B leaves out would come in by their score before it."""
        waiting, places, n = set(self.waiting), self.a.places_in_document, 0
        for key, (_, _, chunk) in self.a.chunks.items():
            if chunk.rank < self.chunk.rank and key not in self.b.chunks and self._may_come_in(key[0]):
                counted = places[key] == 1 and key[0] in waiting
                n += not counted and (self.cap is None or places[key] <= self.cap)
        return n

    def _may_come_in(self, document_id: str) -> bool:
        return self.b.is_flat or document_id in self.b.planned

    def _sees_all_better(self) -> bool:
        """Whether no chunk that is in neither run could come in before it."""
        if self.a.is_flat:
            return True
        if self.b.is_flat:
            return False
        return all(self._is_seen(document_id) for document_id in self.b.planned if document_id != self.key[0])

    def _is_seen(self, document_id: str) -> bool:
        """Whether the runs show every chunk of a document that is better and within B's limits."""
        in_a, n_chunks = self.a.chunks_of(document_id), self.b.evidence[document_id].document.n_chunks
        seen = max(in_a, self.b.chunks_of(document_id), key=len)
        if len(seen) >= min(n_chunks, self.cap or n_chunks) or (seen and seen[-1].score < self.chunk.score):
            return True
        # A took everything better than this chunk, as far as A's own limit a document went
        by_score = self.chunk.ground == "similarity" and document_id in self.a.planned
        return by_score and len(in_a) < self.a.run.plan.constraints.max_chunks_per_document


def _below(score: float, chunk: ScoredChunk) -> float:
    """How far a chunk lies under a score."""
    return round(max(score - chunk.score, 0.0), 6)
