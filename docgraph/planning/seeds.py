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

    ``named`` of them, at the beginning, were named by the request; a rank of 0 means: not ranked by the signal.
    """

    documents: tuple[RankedDocument, ...]
    scope: DominantScope
    named: int = 0


def find_candidates(request: RetrievalRequest, probe: Probe, snapshot: Snapshot, limits: Limits) -> Candidates:
    """Named seeds first, in the order they were named, then the best by the seed signal; ties by document_id.

    Raises NotFoundError for a named seed that the workspace does not hold.
    """
    named_ids = request.seed_document_ids
    ranked = snapshot.rank_documents(
        probe, request.seed_signal, limit=limits.max_candidates, document_ids=named_ids
    )  # fmt: skip
    scope = find_scope(ranked, request, size=limits.max_documents)
    by_id = {document.document_id: document for document in ranked}
    named = _named(named_ids, by_id, snapshot)
    rest = tuple(d for d in ranked if d.rank <= limits.max_candidates)
    if request.scope_mode == "filter":
        rest = _filtered(rest, request, probe=probe, snapshot=snapshot, scope=scope, limits=limits)
    rest = tuple(d for d in rest if d.document_id not in set(named_ids))
    return Candidates(documents=(*named, *rest), scope=scope, named=len(named))


def _named(
    ids: tuple[str, ...], ranked: dict[str, RankedDocument], snapshot: Snapshot
) -> tuple[RankedDocument, ...]:  # fmt: skip
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
    ranked: tuple[RankedDocument, ...], request: RetrievalRequest, *, probe: Probe, snapshot: Snapshot,
    scope: DominantScope, limits: Limits,
) -> tuple[RankedDocument, ...]:  # fmt: skip
    """The candidates inside the dominant scope; a stored field is ranked anew so that the scope can be filled."""
    if scope.value is None or scope.field is None or scope.field == "cluster":
        return keep_inside(ranked, scope)
    return snapshot.rank_documents(
        probe, request.seed_signal, limit=limits.max_candidates, where={scope.field: scope.value}
    )  # fmt: skip
