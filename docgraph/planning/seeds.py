"""Chooses the candidates a plan starts from: ranked by the seed signal, or named by the request."""

from __future__ import annotations

from dataclasses import dataclass

from docgraph.domain.plan import DominantScope
from docgraph.domain.request import RetrievalRequest
from docgraph.errors import NotFoundError
from docgraph.planning.limits import Limits
from docgraph.planning.scope import find_scope, keep_inside
from docgraph.ports import Probe, RankedDocument, Snapshot


@dataclass(frozen=True)
class Candidates:
    """Documents in the order in which they may become seeds, and their dominant scope.

    ``named`` = how many of the first the request named. A rank of 0 means: not ranked by the signal.
    """

    documents: tuple[RankedDocument, ...]
    scope: DominantScope
    named: int = 0


def find_candidates(request: RetrievalRequest, probe: Probe, snapshot: Snapshot, limits: Limits) -> Candidates:
    """The documents that the request names, in its order, else the best by the seed signal; ties by document_id.

    Seeds that the overrides add come before all others, those that they drop are left out.
    Raises NotFoundError for a named seed that the workspace does not hold.
    """
    added, dropped = request.overrides.added_seed_ids, set(request.overrides.dropped_seed_ids)
    named_ids = tuple(dict.fromkeys((*added, *request.seed_document_ids)))
    limit = limits.max_candidates + len(dropped)
    ranked = snapshot.rank_documents(probe, request.seed_signal, limit=limit, document_ids=named_ids)
    best = tuple(d for d in ranked if d.rank <= limit)
    scope = find_scope(best, request, size=limits.max_documents)
    named = _named(named_ids, {d.document_id: d for d in ranked}, snapshot) if named_ids else ()
    if request.seed_document_ids:
        kept = tuple(d for d in named if d.document_id not in dropped)
        return Candidates(documents=kept, scope=scope, named=len(kept))
    if request.scope_mode == "filter":
        best = _filtered(best, request, probe=probe, snapshot=snapshot, scope=scope, limits=limits)
    out = dropped | set(added)
    rest = [d for d in best if d.document_id not in out][: limits.max_candidates - len(named)]
    return Candidates(documents=(*named, *rest), scope=scope, named=len(named))


def _named(ids: tuple[str, ...], ranked: dict[str, RankedDocument], snapshot: Snapshot) -> tuple[RankedDocument, ...]:
    missing = [document_id for document_id in ids if document_id not in ranked]
    stored = snapshot.documents_by_id(missing) if missing else {}
    unknown = [document_id for document_id in missing if document_id not in stored]
    if unknown:
        raise NotFoundError(
            f"no document has the id {unknown[0][:80]!r}, named as a seed",
            hint="list the ids with: docgraph documents",
        )
    unranked = {i: RankedDocument(document_id=i, title=d.title, rank=0, score=0.0) for i, d in stored.items()}
    return tuple(ranked.get(i) or unranked[i] for i in ids)


def _filtered(
    ranked: tuple[RankedDocument, ...],
    request: RetrievalRequest,
    *,
    probe: Probe,
    snapshot: Snapshot,
    scope: DominantScope,
    limits: Limits,
) -> tuple[RankedDocument, ...]:
    """The candidates inside the dominant scope; a stored field is ranked anew so that the scope can be filled."""
    if scope.value is None or scope.field is None or scope.field == "cluster":
        return keep_inside(ranked, scope)
    limit = limits.max_candidates + len(request.overrides.dropped_seed_ids)
    return snapshot.rank_documents(probe, request.seed_signal, limit=limit, where={scope.field: scope.value})
