"""Why something of run A is not in run B: which limit or switch of B kept it out, and the place it would have had.

Everything is read off the two runs. Scores are the same on both sides, and every evidence rule takes the chunks of a
document best first; so a chunk's place within its document is exact, and its place beyond the total limit is exact
when A is MS3 (which holds every better chunk), else a lower bound.
"""

from __future__ import annotations

from collections.abc import Collection

from docgraph.domain.comparison import Departure
from docgraph.domain.context import ScoredChunk
from docgraph.domain.plan import ExpandedDocument, Reason
from docgraph.domain.run import Run

ChunkKey = tuple[str, str]
_WITH_DOCUMENT = {"with_document": True}
_RELATIONAL = ("max_expanded", "max_fan_out", "max_expanding_seeds")


def document_departure(document_id: str, a: Run, b: Run, *, gone: Collection[str] = ()) -> Departure:
    """Why a document of A's plan is not in B's; ``gone`` = documents that are not stored any more."""
    if document_id in gone:
        return Departure(cause="document_gone")
    expanded = {d.document_id: d for d in a.plan.expanded_documents}.get(document_id)
    if expanded is not None:
        return _related(expanded, b)
    if document_id in b.request.overrides.dropped_seed_ids:
        return Departure(cause="seed_dropped")
    return _unrelated(document_id, b)


def chunk_departure(key: ChunkKey, a: Run, b: Run, *, gone: Collection[str] = ()) -> Departure:
    """Why a chunk of A's context is not in B's."""
    document_id, chunk_id = key
    if document_id not in b.plan.document_ids:
        with_it = document_departure(document_id, a, b, gone=gone)
        return _over_ms3(key, a, b) if with_it.cause == "max_chunks" else with_it.model_copy(update=_WITH_DOCUMENT)
    if is_ms3(b):
        return _over_ms3(key, a, b)
    own = next(d for d in a.context.documents if d.document.document_id == document_id)
    index = next(i for i, c in enumerate(own.chunks, start=1) if c.chunk_id == chunk_id)
    taken = next(d.chunks for d in b.context.documents if d.document.document_id == document_id)
    cap = b.plan.constraints.max_chunks_per_document
    if len(taken) >= cap and index > cap:
        below = round(taken[-1].score - own.chunks[index - 1].score, 6)
        return Departure(cause="max_chunks_per_document", value=cap, place=index, below=max(below, 0.0))
    return _over_total(key, a, b)


def is_ms3(run: Run) -> bool:
    """Whether a run is flat chunk search over the whole workspace: seeds alone, by similarity, nothing named."""
    request, plan = run.request, run.plan
    bound = request.seed_document_ids or request.overrides.changes_seeds or request.scope_mode == "filter"
    return not bound and not plan.expanded_documents and plan.constraints.evidence_rule == "similarity"


# ---------------------------------------------------------------- documents


def _related(document: ExpandedDocument, b: Run) -> Departure:
    """It came in over edges: which of B's switches or limits stop them all."""
    types = tuple(sorted({r.via for r in document.reasons}))
    if not b.plan.constraints.use_relationships:
        return Departure(cause="relationships_off", relation_types=types)
    if (cut := _cut(document.document_id, b, relational=True)) is not None:
        return cut
    allowed, hidden = b.plan.constraints.relation_types, b.request.overrides
    open_edges = [r for r in document.reasons if r.via not in hidden.without_types]
    open_edges = [r for r in open_edges if allowed is None or r.via in allowed]
    if not open_edges:
        return Departure(cause="type_off", relation_types=types)
    open_edges = [r for r in open_edges if not hidden.hides(_key(r, document.document_id))]
    if not open_edges:
        return Departure(cause="edge_off", relation_types=types)
    consulted = {ref.document_id for ref in b.plan.consulted}
    if not any(r.from_document_id in consulted for r in open_edges):
        return Departure(cause="seed_gone", relation_types=types)
    return _cut(document.document_id, b, relational=False) or Departure(cause="not_reached", relation_types=types)


def _unrelated(document_id: str, b: Run) -> Departure:
    """It was a seed: by which limit B's seeds end before it."""
    cut = _cut(document_id, b, relational=False)
    if cut is not None:
        return cut
    limits = b.plan.constraints
    if is_ms3(b):
        return Departure(cause="max_chunks", value=limits.max_chunks)
    return Departure(cause="max_seeds", value=len(b.plan.seed_documents))


def _cut(document_id: str, b: Run, *, relational: bool) -> Departure | None:
    for cut in b.plan.cut:
        if cut.document_id == document_id and (not relational or cut.limit in _RELATIONAL):
            place = cut.rank if cut.limit == "max_seeds" else cut.place
            return Departure(cause=cut.limit, value=cut.value, place=place)
    return None


def _key(reason: Reason, to_document_id: str) -> tuple[str, str, str]:
    return (reason.from_document_id, reason.via, to_document_id)


# ---------------------------------------------------------------- chunks


def _over_total(key: ChunkKey, a: Run, b: Run) -> Departure:
    """Its document is planned and below its cap, so the total ran out: the place behind everybody before it."""
    limit = b.plan.constraints.max_chunks
    chunk = _chunks(a)[key]
    kept, planned = set(_chunks(b)), set(b.plan.document_ids)
    before = [k for k, c in _chunks(a).items() if c.rank < chunk.rank and k not in kept and k[0] in planned]
    before = [k for k in before if not _over_own_cap(k, a, b)]
    exact = is_ms3(a) and a.plan.corpus_revision == b.plan.corpus_revision
    return Departure(
        cause="max_chunks", value=limit, place=limit + 1 + len(before), at_least=not exact, below=_below(chunk, b)
    )


def _over_own_cap(key: ChunkKey, a: Run, b: Run) -> bool:
    own = next(d for d in a.context.documents if d.document.document_id == key[0])
    index = next(i for i, c in enumerate(own.chunks, start=1) if c.chunk_id == key[1])
    return index > b.plan.constraints.max_chunks_per_document


def _over_ms3(key: ChunkKey, a: Run, b: Run) -> Departure:
    """B is MS3, one ranking of all chunks: its place is behind B's, and behind every better one that A has beside."""
    chunk, kept, limit = _chunks(a)[key], set(_chunks(b)), b.plan.constraints.max_chunks
    before = [k for k, c in _chunks(a).items() if c.rank < chunk.rank and k not in kept]
    return Departure(
        cause="max_chunks", value=limit, place=limit + 1 + len(before), at_least=True, below=_below(chunk, b)
    )


def _below(chunk: ScoredChunk, b: Run) -> float | None:
    """How far its score is under the last chunk that came in by similarity."""
    let_in = [c.score for _, c in b.context.ranked_chunks if c.ground == "similarity"]
    return round(max(min(let_in) - chunk.score, 0.0), 6) if let_in else None


def _chunks(run: Run) -> dict[ChunkKey, ScoredChunk]:
    return {(document_id, c.chunk_id): c for document_id, c in run.context.ranked_chunks}
