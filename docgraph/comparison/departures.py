"""Why a document of run A is not in run B's plan: which limit or switch kept it out, and the place it would have.

Everything is read off the two runs; a limit is named only when B's plan shows that it cut.
"""

from __future__ import annotations

from collections.abc import Collection

from docgraph.comparison.indexed import Indexed, same_data
from docgraph.domain.comparison import Departure
from docgraph.domain.plan import MAX_CUTS, CutDocument, ExpandedDocument, Reason

_RELATIONAL = ("where", "max_expanded", "max_fan_out", "max_linked_percent")


def document_departure(document_id: str, a: Indexed, b: Indexed, *, gone: Collection[str] = ()) -> Departure:
    """Why a document of A's plan is not in B's; ``gone`` = documents that are not stored any more."""
    cut = b.cuts.get(document_id)
    if document_id in gone or (cut is not None and cut.limit == "missing_document"):
        return Departure(cause="document_gone")
    document = a.planned[document_id]
    if isinstance(document, ExpandedDocument):
        return _related(document, a, b)
    if document_id in b.run.request.overrides.dropped_seed_ids:
        return Departure(cause="seed_dropped")
    return _unrelated(document_id, a, b)


# ---------------------------------------------------------------- documents that came in over edges


def _related(document: ExpandedDocument, a: Indexed, b: Indexed) -> Departure:
    """Which of B's switches or limits stop all the edges that brought it into A."""
    limits, brought = b.run.plan.constraints, a.run.plan.bringing(document)
    types = tuple(sorted({r.via for r in brought}))
    if not limits.use_relationships:
        return Departure(cause="relationships_off", relation_types=types)
    cut = b.cuts.get(document.document_id)
    if cut is not None and cut.limit in _RELATIONAL:
        return _by(cut, b)
    hidden = b.run.request.overrides
    open_edges = [r for r in brought if r.via not in hidden.without_types]
    open_edges = [r for r in open_edges if limits.relation_types is None or r.via in limits.relation_types]
    if not open_edges:
        return Departure(cause="type_off", relation_types=types)
    if all(r.via in limits.reasons_only_types for r in open_edges):
        return Departure(cause="reasons_only", relation_types=types)
    open_edges = [r for r in open_edges if not hidden.hides((r.from_document_id, r.via, document.document_id))]
    if not open_edges:
        return Departure(cause="edge_off", relation_types=types)
    if (idle := _not_followed(open_edges, b)) is not None:
        return idle.model_copy(update={"relation_types": types})
    if (limit := _unlisted_limit(b)) is not None and same_data(a.run, b.run):
        return limit.model_copy(update={"relation_types": types})
    if cut is not None:
        return _by(cut, b)
    return Departure(cause="not_reached", relation_types=types)


def _not_followed(edges: Collection[Reason], b: Indexed) -> Departure | None:
    """Nothing when one of the edges starts at a seed whose relationships B consulted, else what stands before that."""
    plan = b.run.plan
    sources = {r.from_document_id for r in edges}
    if sources & {ref.document_id for ref in plan.consulted}:
        return None
    if sources & set(plan.seed_document_ids):
        return Departure(cause="max_expanding_seeds", value=plan.constraints.max_expanding_seeds)
    return Departure(cause="seed_gone")


def _unlisted_limit(b: Indexed) -> Departure | None:
    """A limit that cuts without naming everybody: no place for related documents, edges not read, cuts not listed."""
    plan = b.run.plan
    if plan.constraints.max_expanded == 0:
        return Departure(cause="max_expanded", value=0)
    unread = next((t for t in plan.cut_totals if t.limit == "max_edges_per_seed"), None)
    if unread is not None:
        return Departure(cause="max_edges_per_seed", value=unread.value)
    if len(plan.cut) == MAX_CUTS and plan.expanded_documents:
        return Departure(cause="max_fan_out", value=plan.constraints.max_fan_out)
    return None


# ---------------------------------------------------------------- documents that were seeds


def _unrelated(document_id: str, a: Indexed, b: Indexed) -> Departure:
    """By which limit B's seeds end before it."""
    request, plan = b.run.request, b.run.plan
    if (cut := b.cuts.get(document_id)) is not None:
        if cut.limit == "reasons_only" and not request.seed_document_ids:  # it was a seed: its rank keeps it out
            cut = cut.model_copy(update={"limit": "max_seeds", "value": len(plan.seed_documents)})
        return _by(cut, b)
    if b.is_flat:
        return Departure(cause="max_chunks", value=plan.constraints.max_chunks)
    if request.seed_document_ids:
        return Departure(cause="not_reached")
    if _outside_scope(document_id, a, b):
        return Departure(cause="outside_scope")
    here, there = plan.constraints.where, a.run.plan.constraints.where
    if here is not None and here != there and here.of_seeds:  # fewer documents before it: only the filter keeps it out
        return Departure(cause="where")
    return Departure(cause="max_seeds", value=len(plan.seed_documents))


def _outside_scope(document_id: str, a: Indexed, b: Indexed) -> bool:
    """Whether B filters by a scope that A's record of the document shows it to be outside of."""
    scope = b.run.plan.scope
    if scope.mode != "filter" or scope.field is None:
        return False
    own = a.evidence[document_id].document
    return scope.field == "cluster" or (scope.field == "doc_type" and own.doc_type != scope.value)


def _by(cut: CutDocument, b: Indexed) -> Departure:
    place = _seed_place(cut, b) if cut.limit == "max_seeds" else cut.place
    if cut.limit == "max_expanded" and place is not None:
        place -= len(b.run.plan.seed_documents)
    return Departure(cause=cut.limit, value=cut.value, place=place)


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
