"""Removed documents and chunks: the limit that displaced each, and the remedy."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

from docgraph.comparison.overlap import ChunkKey, Indexed, same_data, same_question
from docgraph.domain.comparison import Removal
from docgraph.domain.context import ScoredChunk
from docgraph.domain.plan import MAX_CUTS, CutDocument, ExpandedDocument, Reason

_RELATIONAL = ("where", "max_expanded", "max_fan_out", "max_linked_percent")


def document_removal(document_id: str, a: Indexed, b: Indexed, *, gone: Collection[str] = ()) -> Removal:
    """Why a document of A's plan is not in B's; ``gone`` = documents that are not stored any more."""
    cut = b.cuts.get(document_id)
    if document_id in gone or (cut is not None and cut.limit == "missing_document"):
        return Removal(cause="document_gone")
    document = a.planned[document_id]
    if isinstance(document, ExpandedDocument):
        return _related(document, a, b)
    if document_id in b.run.request.overrides.dropped_seed_ids:
        return Removal(cause="seed_dropped")
    return _unrelated(document_id, a, b)


# ---------------------------------------------------------------- documents that came in over edges


def _related(document: ExpandedDocument, a: Indexed, b: Indexed) -> Removal:
    """Which of B's switches or limits stop all the edges that brought it into A."""
    limits, brought = b.run.plan.constraints, a.run.plan.bringing(document)
    types = tuple(sorted({r.via for r in brought}))
    if not limits.use_relationships:
        return Removal(cause="relationships_off", relation_types=types)
    cut = b.cuts.get(document.document_id)
    if cut is not None and cut.limit in _RELATIONAL:
        return _by(cut, b)
    hidden = b.run.request.overrides
    open_edges = [r for r in brought if r.via not in hidden.without_types]
    open_edges = [r for r in open_edges if limits.relation_types is None or r.via in limits.relation_types]
    if not open_edges:
        return Removal(cause="type_off", relation_types=types)
    if all(r.via in limits.reasons_only_types for r in open_edges):
        return Removal(cause="reasons_only", relation_types=types)
    open_edges = [r for r in open_edges if not hidden.hides((r.from_document_id, r.via, document.document_id))]
    if not open_edges:
        return Removal(cause="edge_off", relation_types=types)
    if (idle := _not_followed(open_edges, b)) is not None:
        return idle.model_copy(update={"relation_types": types})
    if (limit := _unlisted_limit(b)) is not None and same_data(a.run, b.run):
        return limit.model_copy(update={"relation_types": types})
    if cut is not None:
        return _by(cut, b)
    return Removal(cause="not_reached", relation_types=types)


def _not_followed(edges: Collection[Reason], b: Indexed) -> Removal | None:
    """Nothing when one of the edges starts at a seed whose relationships B consulted, else what stands before that."""
    plan = b.run.plan
    sources = {r.from_document_id for r in edges}
    if sources & {ref.document_id for ref in plan.consulted}:
        return None
    if sources & set(plan.seed_document_ids):
        return Removal(cause="max_expanding_seeds", value=plan.constraints.max_expanding_seeds)
    return Removal(cause="seed_gone")


def _unlisted_limit(b: Indexed) -> Removal | None:
    """A limit that cuts without naming everybody: no place for related documents, edges not read, cuts not listed."""
    plan = b.run.plan
    if plan.constraints.max_expanded == 0:
        return Removal(cause="max_expanded", value=0)
    unread = next((t for t in plan.cut_totals if t.limit == "max_edges_per_seed"), None)
    if unread is not None:
        return Removal(cause="max_edges_per_seed", value=unread.value)
    if len(plan.cut) == MAX_CUTS and plan.expanded_documents:
        return Removal(cause="max_fan_out", value=plan.constraints.max_fan_out)
    return None


# ---------------------------------------------------------------- documents that were seeds


def _unrelated(document_id: str, a: Indexed, b: Indexed) -> Removal:
    """By which limit B's seeds end before it."""
    request, plan = b.run.request, b.run.plan
    if (cut := b.cuts.get(document_id)) is not None:
        if cut.limit == "reasons_only" and not request.seed_document_ids:  # it was a seed: its rank keeps it out
            cut = cut.model_copy(update={"limit": "max_seeds", "value": len(plan.seed_documents)})
        return _by(cut, b)
    if b.is_flat:
        return Removal(cause="max_chunks", value=plan.constraints.max_chunks)
    if request.seed_document_ids:
        return Removal(cause="not_reached")
    if _outside_scope(document_id, a, b):
        return Removal(cause="outside_scope")
    here, there = plan.constraints.where, a.run.plan.constraints.where
    if here is not None and here != there and here.of_seeds:  # fewer documents before it: only the filter keeps it out
        return Removal(cause="where")
    return Removal(cause="max_seeds", value=len(plan.seed_documents))


def _outside_scope(document_id: str, a: Indexed, b: Indexed) -> bool:
    """Whether B filters by a scope that A's record of the document shows it to be outside of."""
    scope = b.run.plan.scope
    if scope.mode != "filter" or scope.field is None:
        return False
    own = a.evidence[document_id].document
    return scope.field == "cluster" or (scope.field == "doc_type" and own.doc_type != scope.value)


def _by(cut: CutDocument, b: Indexed) -> Removal:
    place = _seed_place(cut, b) if cut.limit == "max_seeds" else cut.place
    if cut.limit == "max_expanded" and place is not None:
        place -= len(b.run.plan.seed_documents)
    return Removal(cause=cut.limit, value=cut.value, place=place)


def _seed_place(cut: CutDocument, b: Indexed) -> int | None:
    """Which seed it would be, from 1: behind B's seeds and every better ranked document that was cut."""
    n_seeds, plan = len(b.run.plan.seed_documents), b.run.plan
    if b.run.request.seed_document_ids:  # named seeds stand in the order in which they were named
        named = [c.document_id for c in plan.cut if c.limit == "max_seeds"]
        return n_seeds + 1 + named.index(cut.document_id)
    if cut.rank is None:
        return None
    out = set(b.run.request.overrides.dropped_seed_ids)
    before = [c for c in plan.cut if c.rank is not None and c.rank < cut.rank and c.document_id not in out]
    return n_seeds + 1 + len(before)


def chunk_removal(key: ChunkKey, a: Indexed, b: Indexed, *, gone: Collection[str] = ()) -> Removal:
    """Why a chunk of A's context is not in B's; ``gone`` = documents that are not stored any more."""
    if key[0] not in b.planned:
        with_it = document_removal(key[0], a, b, gone=gone)
        if with_it.cause != "max_chunks":
            return with_it.model_copy(update={"with_document": True})
    if not same_data(a.run, b.run):
        return _on_other_data(key, a, b)
    if b.run.plan.constraints.evidence_rule == "passages":
        return _by_passages(b)
    displaced = _Displaced(key, a, b)
    return displaced.by_its_document() or displaced.by_the_total()


def _by_passages(b: Indexed) -> Removal:
    """Which limit B's passages end at: the number of chunks where that is full, else the token budget."""
    limits = b.run.plan.constraints
    if b.run.context.n_chunks >= limits.max_chunks or limits.max_tokens is None:
        return Removal(cause="max_chunks", value=limits.max_chunks)
    return Removal(cause="max_tokens", value=limits.max_tokens)


def _on_other_data(key: ChunkKey, a: Indexed, b: Indexed) -> Removal:
    """The data or the question are not what they were: which limit is full, and no place that could be wrong."""
    limits, context = b.run.plan.constraints, b.run.context
    evidence, chunk = b.evidence.get(key[0]), a.chunks[key][2]
    if evidence is not None:
        full = len(evidence.chunks) >= limits.max_chunks_per_document
        if chunk.chunk_index >= evidence.document.n_chunks or (not full and context.n_chunks < limits.max_chunks):
            return Removal(cause="chunk_gone")
        if full and limits.evidence_rule == "one_per_document":
            return Removal(cause="max_chunks_per_document", value=limits.max_chunks_per_document)
    if limits.evidence_rule == "passages":
        return _by_passages(b)
    known = same_question(a.run, b.run)
    place = limits.max_chunks + 1 if known else None
    return Removal(cause="max_chunks", value=limits.max_chunks, place=place, at_least=known)


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

    def by_its_document(self) -> Removal | None:
        """The limit a document, when its own document has too many better chunks."""
        place = self.a.places_in_document[self.key]
        if self.cap is None or place <= self.cap:
            return None
        let_in = self.b.chunks_of(self.key[0])
        below = _below(let_in[-1].score, self.chunk) if let_in else None
        return Removal(cause="max_chunks_per_document", value=self.cap, place=place, below=below)

    def by_the_total(self) -> Removal:
        """The total limit, with its place behind everybody that would be let in before."""
        limit = self.b.run.plan.constraints.max_chunks
        if self.is_first_of_its_document:  # it comes in by its document's place, not by its score
            place = limit + 1 + self.waiting.index(self.key[0])
            return Removal(cause="max_chunks", value=limit, place=place)
        scores = [c.score for _, _, c in self.b.chunks.values() if c.ground == "similarity"]
        return Removal(
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
