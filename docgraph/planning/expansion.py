"""Follows outgoing relationships of the expanding seeds by exactly one hop, and names everything it cuts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from docgraph.domain.decisions import is_reviewed, review_state
from docgraph.domain.graph import DocumentRef, Relationship, StoredDocument
from docgraph.domain.overrides import NONE, Overrides
from docgraph.domain.plan import MAX_QUOTE, MAX_REASON_SECTIONS, CutDocument, CutTotal, Reason
from docgraph.domain.request import SeedSignal
from docgraph.domain.where import Condition, facets_of_document, meets
from docgraph.planning.limits import Limits
from docgraph.ports import Probe, RankedDocument, Read, Snapshot, read


@dataclass(frozen=True)
class Types:
    """The types that a plan follows (``None`` = all), and those of them that bring no document in."""

    followed: tuple[str, ...] | None = None
    reasons_only: frozenset[str] = frozenset()

    @property
    def adding(self) -> tuple[str, ...] | None:
        """The types that bring documents in; ``None`` = all."""
        if self.followed is None:
            return None
        return tuple(name for name in self.followed if name not in self.reasons_only)


@dataclass(frozen=True)
class Neighbour:
    """A document one hop away: its own rank and score, every edge from an expanding seed, how many link to it."""

    document_id: str
    title: str
    rank: int | None
    score: float | None
    reasons: tuple[Reason, ...]
    linked_by: int = 0

    @property
    def order(self) -> tuple[float, str]:
        """Most similar first, unranked ones last, ties by document_id."""
        return (float("inf") if self.score is None else -self.score, self.document_id)


@dataclass(frozen=True)
class Expansion:
    """What one hop found, all lists in plan order.

    ``chosen`` fit the limits; ``over_limit`` would have come next (left out by max_expanded); ``over_fan_out`` were cut
    at their seeds; ``boilerplate`` are targets that too many documents link to, ``filtered`` those that do not
    meet the conditions on related documents; ``missing`` are those that do not
    exist. ``silent`` are reached only by types that bring no document in; ``instead`` = ids of those that would have
    been chosen if these did, in that order. ``reasons`` = target → every edge to it from an expanding seed, whoever the
    target is.
    """

    consulted: tuple[DocumentRef, ...] = ()
    chosen: tuple[Neighbour, ...] = ()
    over_limit: tuple[Neighbour, ...] = ()
    over_fan_out: tuple[Neighbour, ...] = ()
    boilerplate: tuple[Neighbour, ...] = ()
    filtered: tuple[Neighbour, ...] = ()
    missing: tuple[Neighbour, ...] = ()
    silent: tuple[Neighbour, ...] = ()
    instead: tuple[str, ...] = ()
    reasons: Mapping[str, tuple[Reason, ...]] = field(default_factory=dict)
    totals: tuple[CutTotal, ...] = ()


def expand(
    seeds: Sequence[RankedDocument],
    probe: Probe,
    snapshot: Snapshot,
    *,
    limits: Limits,
    signal: SeedSignal,
    types: Types,
    overrides: Overrides = NONE,
    known: Mapping[str, RankedDocument] | None = None,
    edges_of: Mapping[str, tuple[Relationship, ...]] | None = None,
    conditions: tuple[Condition, ...] = (),
) -> Expansion:
    """One hop along outgoing edges of the first ``max_expanding_seeds`` seeds (ADR-005, MS4 rules).

    A neighbour takes the place of the first seed that reaches it; among one seed's neighbours the most similar to
    the question comes first, ties by document_id. No score or rank of any document is changed. Edges that the
    ``overrides`` hide are read and left aside, so they count against the read limit but not against any other.
    Boilerplate (see ``Limits.is_boilerplate``) takes no place, neither here nor in its seed's fan-out; nor does a
    document that does not meet the ``conditions``, nor one that only edges of types with reasons alone lead to: those
    edges are reasons, and nothing else depends on them. Documents that are ``known`` by the ranking of the seeds are
    not ranked again; ``edges_of`` those that came along with it are read.
    """
    expanding = seeds[: limits.max_expanding_seeds]
    consulted = tuple(DocumentRef(document_id=s.document_id, title=s.title) for s in expanding)
    ids = [s.document_id for s in expanding]
    if not ids or limits.max_expanded == 0:
        return Expansion(consulted=consulted)
    found = _starting_at(ids, snapshot, edges_of or {}, limits=limits, types=types)
    edges = tuple(e for e in found if e.to_document_id != e.from_document_id and not overrides.hides(e.key))
    seed_ids = {s.document_id for s in seeds}
    targets = sorted({e.to_document_id for e in edges} - seed_ids)
    adding = tuple(e for e in edges if e.relation_type not in types.reasons_only)
    known = known or {}
    told = _told(edges, targets, snapshot, known={} if conditions else known, limits=limits, types=types)
    reasons = _reasons_by_target(edges, ids, told.stored)
    outside = _outside(targets, told.stored, conditions)
    neighbours = _look_up(
        targets, reasons, probe, snapshot, signal=signal, known=known, stored=told.stored, unranked=outside
    )
    missing = tuple(n for t, n in sorted(neighbours.items()) if n.title == "")
    stored = {t: n for t, n in neighbours.items() if n.title != ""}
    boilerplate = _boilerplate(stored, told.linking, limits=limits, n_documents=snapshot.workspace.n_documents)
    filtered = {t: n for t, n in stored.items() if t in outside}
    added = {e.to_document_id for e in adding}
    present = {t: n for t, n in stored.items() if t not in boilerplate and t not in filtered}
    within, beyond = _fan_out(adding, ids, {t: n for t, n in present.items() if t in added}, limits.max_fan_out)
    chosen, rest = within[: limits.max_expanded], within[limits.max_expanded :]
    silent = tuple(sorted((n for t, n in stored.items() if t not in added | filtered.keys()), key=lambda n: n.order))
    instead = _fan_out(edges, ids, present, limits.max_fan_out)[0][: limits.max_expanded] if silent else ()
    return Expansion(
        consulted=consulted,
        chosen=chosen,
        over_limit=rest,
        over_fan_out=beyond,
        boilerplate=tuple(n for t, n in sorted(boilerplate.items()) if t in added and t not in filtered),
        filtered=tuple(n for t, n in sorted(filtered.items()) if t in added),
        missing=missing,
        silent=silent,
        instead=tuple(n.document_id for n in instead),
        reasons=reasons,
        totals=_totals(found, ids, snapshot, relation_types=types.followed, limits=limits),
    )


def _starting_at(
    ids: Sequence[str],
    snapshot: Snapshot,
    edges_of: Mapping[str, tuple[Relationship, ...]],
    *,
    limits: Limits,
    types: Types,
) -> tuple[Relationship, ...]:
    """The edges of the expanding seeds, in their order; read where they did not come along with the ranking."""
    if edges_of.keys() >= set(ids):
        return tuple(edge for document_id in ids for edge in edges_of[document_id])
    return snapshot.outgoing(ids, relation_types=types.followed, limit=limits.max_edges_per_seed)


@dataclass(frozen=True)
class _Told:
    """What the store says of the documents that edges reach: those that are there, and how many link to each."""

    stored: Mapping[str, StoredDocument]
    linking: Mapping[str, int]


def _told(
    edges: Sequence[Relationship],
    targets: Sequence[str],
    snapshot: Snapshot,
    *,
    known: Mapping[str, RankedDocument],
    limits: Limits,
    types: Types,
) -> _Told:
    """All of it in one trip: targets that no ranking knows, both ends of reviewed edges, and who else links there.

    A document that adding types lead to is judged by those; of others all followed types are counted.
    """
    ends = {i for edge in edges if is_reviewed(edge) for i in (edge.from_document_id, edge.to_document_id)}
    wanted = sorted(ends | {target for target in targets if target not in known})
    n_documents = snapshot.workspace.n_documents
    counted = targets if limits.is_boilerplate(n_documents, n_documents) else ()
    added = {e.to_document_id for e in edges if e.relation_type not in types.reasons_only}
    parts = [
        (types.adding, [t for t in counted if t in added]),
        (types.followed, [t for t in counted if t not in added]),
    ]
    reads: list[Read[Any]] = [read(Snapshot.documents_by_id, wanted)]
    reads += [read(Snapshot.count_linking, part, relation_types=names) for names, part in parts if part]
    if not wanted:
        del reads[0]
    answers = snapshot.at_once(*reads) if reads else ()
    stored, linking = (answers[0], answers[1:]) if wanted else ({}, answers)
    return _Told(stored, {document_id: n for part in linking for document_id, n in part.items()})


def _reasons_by_target(
    edges: Sequence[Relationship], seed_order: list[str], stored: Mapping[str, StoredDocument]
) -> dict[str, tuple[Reason, ...]]:
    """Target → all its edges, in order of the seeds, then by type; a document reached by three edges keeps three."""
    place = {document_id: i for i, document_id in enumerate(seed_order)}
    hashes = {i: document.content_hash for i, document in stored.items()}
    found: dict[str, list[Reason]] = {}
    for edge in sorted(edges, key=lambda e: (place[e.from_document_id], e.relation_type, e.to_document_id)):
        found.setdefault(edge.to_document_id, []).append(_reason(edge, hashes))
    return {target: tuple(reasons) for target, reasons in found.items()}


def _reason(edge: Relationship, content_hashes: Mapping[str, str]) -> Reason:
    """An edge with where it comes from; what others put into its metadata is cut to what a plan may carry."""
    said = {name: edge.relationship_metadata.get(name) for name in ("extractor", "place", "text")}
    return Reason.model_validate(
        {
            "via": edge.relation_type,
            "from": edge.from_document_id,
            **{name: value[:MAX_QUOTE] if isinstance(value, str) else "" for name, value in said.items()},
            "review": review_state(edge, content_hashes),
            "sections": _sections(edge),
        }
    )


def _sections(edge: Relationship) -> list[str]:
    """The sections that an edge points to, each once; the beginning of a document is none."""
    paths = dict.fromkeys(each.heading[:MAX_QUOTE] for each in edge.sections if each.heading)
    return list(paths)[:MAX_REASON_SECTIONS]


def _boilerplate(
    neighbours: Mapping[str, Neighbour], linking: Mapping[str, int], *, limits: Limits, n_documents: int
) -> dict[str, Neighbour]:
    """Those that too many documents link to, over the types that the plan follows, with how many do."""
    counts = {i: n for i, n in linking.items() if i in neighbours and limits.is_boilerplate(n, n_documents)}
    return {i: replace(neighbours[i], linked_by=n) for i, n in counts.items()}


def _look_up(
    targets: Sequence[str],
    reasons: dict[str, tuple[Reason, ...]],
    probe: Probe,
    snapshot: Snapshot,
    *,
    signal: SeedSignal,
    known: Mapping[str, RankedDocument],
    stored: Mapping[str, StoredDocument],
    unranked: frozenset[str],
) -> dict[str, Neighbour]:
    """Target → neighbour with title, rank and score; a target that does not exist has an empty title.

    Those that stay ``unranked`` take no place, so nobody asks for theirs.
    """
    ranked = {t: known[t] for t in targets if t in known}
    if wanted := [t for t in targets if t not in ranked and t in stored and t not in unranked]:
        ranked |= {d.document_id: d for d in snapshot.rank_documents(probe, signal, limit=0, document_ids=wanted)}
    found: dict[str, Neighbour] = {}
    for target in targets:
        if target in ranked:
            document = ranked[target]
            title, rank, score = document.title or target, document.rank, document.score
        else:
            title, rank, score = (stored[target].title or target if target in stored else ""), None, None
        found[target] = Neighbour(target, title, rank, score, reasons[target])
    return found


def _outside(
    targets: Sequence[str], stored: Mapping[str, StoredDocument], conditions: tuple[Condition, ...]
) -> frozenset[str]:
    """Those of the targets that do not meet the conditions."""
    there = (t for t in targets if conditions and t in stored)
    return frozenset(t for t in there if not meets(conditions, facets_of_document(stored[t])))


def _fan_out(
    edges: Sequence[Relationship], seed_order: list[str], neighbours: dict[str, Neighbour], cap: int
) -> tuple[tuple[Neighbour, ...], tuple[Neighbour, ...]]:
    """(neighbours within some seed's fan-out in plan order, those beyond every seed's)."""
    within: dict[str, Neighbour] = {}
    beyond: dict[str, Neighbour] = {}
    for seed in seed_order:
        targets = {e.to_document_id for e in edges if e.from_document_id == seed} & neighbours.keys()
        ordered = sorted((neighbours[t] for t in targets), key=lambda n: n.order)
        within.update({n.document_id: n for n in ordered[:cap] if n.document_id not in within})
        beyond.update({n.document_id: n for n in ordered[cap:] if n.document_id not in beyond})
    return tuple(within.values()), tuple(n for n in beyond.values() if n.document_id not in within)


def _totals(
    edges: Sequence[Relationship],
    ids: list[str],
    snapshot: Snapshot,
    *,
    relation_types: tuple[str, ...] | None,
    limits: Limits,
) -> tuple[CutTotal, ...]:
    """Counts the edges beyond the read limit; asked only when some seed reached it."""
    read = [sum(e.from_document_id == i for e in edges) for i in ids]
    if max(read, default=0) < limits.max_edges_per_seed:
        return ()
    there = sum(snapshot.count_outgoing(ids, relation_types=relation_types).values())
    if there <= len(edges):
        return ()
    return (CutTotal(limit="max_edges_per_seed", value=limits.max_edges_per_seed, kept=len(edges), total=there),)


def as_cut(
    neighbour: Neighbour, limit: str, value: int, *, place: int | None = None, n_documents: int | None = None
) -> CutDocument:
    """The record of a neighbour that stayed out."""
    return CutDocument.model_validate(
        {
            "document_id": neighbour.document_id,
            "title": neighbour.title,
            "limit": limit,
            "value": value,
            "place": place,
            "rank": neighbour.rank,
            "score": neighbour.score,
            "linked_by": neighbour.linked_by if n_documents is not None else None,
            "n_documents": n_documents,
            "reasons": neighbour.reasons,
        }
    )
