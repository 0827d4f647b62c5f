"""Ranks documents by similarity to the question, and picks the seeds."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from docgraph.domain.graph import Relationship
from docgraph.domain.naming import called, names_in
from docgraph.domain.plan import MAX_CUTS, CutDocument, DominantScope, ExpandedDocument, RetrievalPlan, SeedDocument
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.where import Condition, facets_of_document, meets
from docgraph.errors import NotFoundError
from docgraph.planning.limits import Limits, decide_limits, find_scope, keep_inside
from docgraph.ports import Hop, Probe, RankedDocument, RankedHop, Read, Snapshot, read


@dataclass(frozen=True)
class Ranking:
    """What is known of how one question ranks the documents of one content: by rank, and who has none.

    ``limit`` = a ranking of the question by so many first documents is answered by these.
    """

    documents: tuple[RankedDocument, ...] = ()
    unranked: frozenset[str] = frozenset()
    limit: int = -1


NOTHING = Ranking()


def ranking_of(plan: RetrievalPlan, request: RetrievalRequest, snapshot: Snapshot) -> Ranking:
    """The ranking behind ``plan``, made for ``request`` on documents that are those of ``snapshot``.

    A plan names everybody it looked at: seeds, neighbours, and who just missed it, each with rank and score. What of
    that decides a plan has to be there without a gap, else nothing is said. What a plan does not tell (an import, a
    type) is read from the snapshot, in one trip.
    """
    is_filtered = request.scope_mode != "label" or request.where is not None
    if request.preset != "balanced" or is_filtered or len(plan.cut) >= MAX_CUTS:
        return NOTHING
    limits = decide_limits(request)
    named: tuple[SeedDocument | ExpandedDocument | CutDocument, ...]
    named = (*plan.seed_documents, *plan.expanded_documents, *plan.cut)
    ranks = {each.document_id: each.rank for each in named if each.rank is not None}
    if not _is_whole(ranks.values(), limits.max_documents, snapshot.workspace.n_documents):
        return NOTHING
    # of the first documents the scope is read; a title that is the id may stand for none
    asked = [e.document_id for e in named if (e.rank or 0) > limits.max_documents and e.title == e.document_id]
    asked += [i for i, rank in ranks.items() if rank <= limits.max_documents]
    stored = snapshot.documents_by_id(sorted(asked))
    documents = []
    for each in named:
        if each.rank is None or each.score is None:
            continue
        title, ingestion_id, doc_type = each.title, "", ""
        if there := stored.get(each.document_id):
            title, ingestion_id, doc_type = there.title, there.ingestion_id, there.doc_type
        documents.append(RankedDocument(each.document_id, title, each.rank, each.score, ingestion_id, doc_type))
    return Ranking(
        documents=tuple(sorted(documents, key=lambda document: document.rank)),
        unranked=frozenset(each.document_id for each in named if each.rank is None),
        limit=limits.max_candidates + len(request.overrides.dropped_seed_ids),
    )


def _is_whole(ranks: Collection[int], n_first: int, n_documents: int) -> bool:
    """Whether the first ranks are there, or those of all documents."""
    return set(range(1, min(n_first, n_documents) + 1)) <= set(ranks)


@dataclass(frozen=True)
class Candidates:
    """Documents in the order in which they may become seeds, and their dominant scope.

    A rank of 0 means: not ranked by the signal. ``unmet`` = document_id → title of those that the question names and
    that do not meet the conditions on seeds. ``called`` = document_id → the words of the question that name it.
    ``known`` = everything that the ranking of all documents said: of the first of them, and of their neighbours.
    ``edges`` = document_id → its outgoing edges, of those whose edges came along with the ranking.
    """

    documents: tuple[RankedDocument, ...]
    scope: DominantScope
    unmet: Mapping[str, str] = field(default_factory=dict)
    called: Mapping[str, str] = field(default_factory=dict)
    known: Mapping[str, RankedDocument] = field(default_factory=dict)
    edges: Mapping[str, tuple[Relationship, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Told:
    """What has to be known before the ranking.

    ``called`` = document_id → the words of the question that name it, in its order; ``relation_types`` = the types that
    a plan may follow (``None`` = all); ``reasons_only`` = those of them that bring no document in, by name, with who
    decided so. ``n_matching`` = how many documents meet the conditions on seeds, ``None`` without any.
    """

    called: Mapping[str, str]
    relation_types: tuple[str, ...] | None
    reasons_only: Mapping[str, str] = field(default_factory=dict)
    n_matching: int | None = None


def tell(request: RetrievalRequest, probe: Probe, snapshot: Snapshot) -> Told:
    """What a store tells before the ranking, all of it in one trip; no documents where the request names the seeds.

    Types are the request's, and bring documents in as it names them; else those that the workspace follows, in the
    roles that it gives them. ``literal`` follows all (MS4: "all relation types allowed").
    """
    by_name = request.find_names and not request.seed_document_ids
    namings = names_in(probe.text) if by_name else ()
    by_default = request.relation_types is None and request.preset != "literal"
    reads: list[Read[Any]] = []
    if namings:
        reads.append(read(Snapshot.documents_named, [naming.key for naming in namings]))
    if by_default:
        reads.append(read(Snapshot.followed_types))
    if conditions := conditions_of_seeds(request):
        reads.append(read(Snapshot.count_matching, conditions))
    answers = dict(zip((each.name for each in reads), snapshot.at_once(*reads), strict=True)) if reads else {}
    types = answers["followed_types"] if by_default else request.relation_types
    decided = snapshot.workspace.decided.reasons_only if by_default else ()
    return Told(
        called=called(namings, answers.get("documents_named", {})),
        relation_types=types,
        reasons_only={each.relation_type: each.words for each in decided if types and each.relation_type in types},
        n_matching=answers.get("count_matching"),
    )


def find_candidates(
    request: RetrievalRequest,
    probe: Probe,
    snapshot: Snapshot,
    *,
    limits: Limits,
    told: Told,
) -> Candidates:
    """The documents that the request names, in its order, else the best by the seed signal; ties by document_id.

    Before the ranked ones stand those that the question names; before all others seeds that the overrides add; those
    that they drop are left out. Raises NotFoundError for a named seed that the workspace does not hold.
    """
    added, dropped = request.overrides.added_seed_ids, set(request.overrides.dropped_seed_ids)
    unmet = _unmet(tuple(told.called), request, snapshot)
    by_name = (i for i in told.called if i not in unmet)
    named_ids = tuple(dict.fromkeys((*added, *request.seed_document_ids, *by_name)))
    limit = limits.max_candidates + len(dropped)
    if request.preset == "literal":
        found = RankedHop(_of_nearest_chunks(request, probe, snapshot, named_ids))
    else:
        hop = _hop(request, named_ids, limits=limits, relation_types=told.relation_types)
        found = _ranked(request, probe, snapshot, limit=limit, document_ids=named_ids, hop=hop)
    ranked = found.documents
    known = {} if request.preset == "literal" else {d.document_id: d for d in ranked}
    best = tuple(d for d in ranked if d.rank <= limit)
    scope = find_scope(best, request, size=limits.max_documents)
    named = _named(named_ids, {d.document_id: d for d in ranked}, snapshot) if named_ids else ()
    named = tuple(d for d in named if d.document_id not in dropped)
    if request.seed_document_ids:
        return Candidates(documents=named, scope=scope, known=known, edges=found.edges)
    if request.scope_mode == "filter":
        best = _filtered(best, request, probe=probe, snapshot=snapshot, scope=scope, limits=limits)
    out = dropped | {d.document_id for d in named}
    rest = [d for d in best if d.document_id not in out][: max(limits.max_candidates - len(named), 0)]
    documents = (*named, *rest)
    return Candidates(documents=documents, scope=scope, unmet=unmet, called=told.called, known=known, edges=found.edges)


def _hop(
    request: RetrievalRequest, named_ids: Sequence[str], *, limits: Limits, relation_types: tuple[str, ...] | None
) -> Hop | None:
    """The step that expansion will take from the first seeds; ``None`` where there is none, or they are ranked anew."""
    n, dropped = limits.max_expanding_seeds, request.overrides.dropped_seed_ids
    if not (request.use_relationships and n and limits.max_expanded) or request.scope_mode == "filter":
        return None
    first = tuple(i for i in named_ids if i not in dropped)
    return Hop(
        first=first[:n],
        passed=(*first, *dropped),
        n_best=0 if request.seed_document_ids else max(n - len(first), 0),
        relation_types=relation_types,
        max_edges=limits.max_edges_per_seed,
    )


def _ranked(
    request: RetrievalRequest,
    probe: Probe,
    snapshot: Snapshot,
    *,
    limit: int,
    document_ids: Sequence[str],
    hop: Hop | None,
) -> RankedHop:
    if hop is None:
        return RankedHop(
            snapshot.rank_documents(
                probe, request.seed_signal, limit=limit, document_ids=document_ids, **_matching(request)
            )
        )
    return snapshot.rank_with_neighbours(
        probe, request.seed_signal, limit=limit, document_ids=document_ids, hop=hop, **_matching(request)
    )


def _of_nearest_chunks(
    request: RetrievalRequest, probe: Probe, snapshot: Snapshot, named_ids: Sequence[str]
) -> tuple[RankedDocument, ...]:
    """The documents of plain vector search's chunks, and wherever they stand those that the request names."""
    nearest = snapshot.documents_of_nearest_chunks(probe.vector, limit=request.chunk_limit)
    known = {d.document_id for d in nearest}
    others = [i for i in named_ids if i not in known]
    ranked = snapshot.rank_documents(probe, request.seed_signal, limit=0, document_ids=others) if others else ()
    return (*nearest, *(d for d in ranked if d.document_id not in known))


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
    if request.preset == "literal" or scope.value is None or scope.field in (None, "cluster"):
        return keep_inside(ranked, scope)
    limit = limits.max_candidates + len(request.overrides.dropped_seed_ids)
    return snapshot.rank_documents(
        probe,
        request.seed_signal,
        limit=limit,
        where={scope.field: scope.value},
        **_matching(request),
    )


def _matching(request: RetrievalRequest) -> dict[str, Any]:
    """How a store is asked to rank, where it is about conditions."""
    conditions = conditions_of_seeds(request)
    return {"matching": conditions} if conditions else {}


def conditions_of_seeds(request: RetrievalRequest) -> tuple[Condition, ...]:
    """The conditions that seeds have to meet."""
    return request.where.of_seeds if request.where is not None else ()


def _unmet(called_ids: tuple[str, ...], request: RetrievalRequest, snapshot: Snapshot) -> dict[str, str]:
    """document_id → title of the documents that the question names and that do not meet the conditions on seeds."""
    conditions = conditions_of_seeds(request)
    if not conditions or not called_ids:
        return {}
    stored = snapshot.documents_by_id(called_ids)
    return {i: d.title for i, d in stored.items() if not meets(conditions, facets_of_document(d))}
