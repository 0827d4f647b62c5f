"""Answers why a document is in a plan, and if it is not, what exactly keeps it out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from docgraph.domain.anchors import section_words
from docgraph.domain.explanation import Explanation, Obstacle, WhyNot
from docgraph.domain.graph import Relationship
from docgraph.domain.plan import CutDocument, LimitName, Reason
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.where import facets_of_document, field_values
from docgraph.errors import NotFoundError
from docgraph.planning.expansion import as_cut
from docgraph.planning.planner import Planning, decide
from docgraph.ports import Probe, RankedDocument, Snapshot

MAX_EDGES_LOOKED_AT = 1_000


def explain(request: RetrievalRequest, document_id: str, probe: Probe, snapshot: Snapshot) -> Explanation:
    """Why or why not, for one document; raises NotFoundError for an id that the workspace does not hold."""
    planning = decide(request, probe, snapshot)
    stored = snapshot.documents_by_id([document_id]).get(document_id)
    if stored is None:
        raise NotFoundError(
            f"no document has the id {document_id[:80]!r}", hint="list the ids with: docgraph documents"
        )
    own = planning.candidates.known.get(document_id) or _ranked(document_id, planning, probe, snapshot)
    facts: dict[str, object] = {
        "document_id": document_id,
        "title": stored.title,
        "rank": own.rank if own else None,
        "n_documents": snapshot.workspace.n_documents,
        "score": own.score if own else None,
        "signal": planning.plan.constraints.seed_signal,
    }
    for seed in planning.plan.seed_documents:
        if seed.document_id == document_id:
            text = f"a seed: {_ordinal(seed.place)} in the plan" + (f", rank {seed.rank}" if seed.rank else ", named")
            if seed.named:
                text += f", named in the question (“{seed.named}”)"
            return _inside(facts, "seed", seed.place, seed.reasons, text)
    for expanded in planning.plan.expanded_documents:
        if expanded.document_id == document_id:
            edges = "; ".join(_edge_words(r) for r in expanded.reasons)
            text = f"related to a seed by {_count(len(expanded.reasons), 'relationship')}: {edges}"
            return _inside(facts, "expanded", expanded.place, expanded.reasons, text)
    obstacles = tuple(_Absence(document_id, own, planning, request=request, snapshot=snapshot).obstacles())
    sentence = "not in the plan: " + "; ".join(o.text for o in obstacles)
    return Explanation.model_validate({**facts, "in_plan": False, "obstacles": obstacles, "sentence": sentence})


def _edge_words(reason: Reason) -> str:
    section = section_words(reason.sections)
    return f"{reason.from_document_id} —{reason.via}→" + (f" {section}" if section else "")


def _ranked(document_id: str, planning: Planning, probe: Probe, snapshot: Snapshot) -> RankedDocument | None:
    """A document's own place in the ranking, which the plan had no need of."""
    ranked = snapshot.rank_documents(probe, planning.plan.constraints.seed_signal, limit=0, document_ids=[document_id])
    return ranked[0] if ranked else None


def _inside(facts: dict[str, object], role: str, place: int, reasons: Sequence[object], text: str) -> Explanation:
    return Explanation.model_validate(
        {**facts, "in_plan": True, "role": role, "place": place, "reasons": tuple(reasons), "sentence": f"in: {text}"}
    )


class _Absence:
    """What keeps one document out, nearest cause first."""

    def __init__(
        self,
        document_id: str,
        own: RankedDocument | None,
        planning: Planning,
        *,
        request: RetrievalRequest,
        snapshot: Snapshot,
    ) -> None:
        self.document_id, self.own, self.planning = document_id, own, planning
        self.request, self.snapshot = request, snapshot
        self.consulted = {ref.document_id for ref in planning.expansion.consulted}
        self.seeds = set(planning.plan.seed_document_ids)

    def obstacles(self) -> Iterator[Obstacle]:
        """Limits first, then switches, then the shape of the graph, and always the document's own rank."""
        related = [*self._cut_by_limit(), *self._edges_not_followed()]
        if not related:
            related = [*self._two_hops(), *self._incoming_only()]
        yield from related
        if not related:
            yield Obstacle(kind="no_edge", text="no relationship leads to it from a seed, nor from it to one")
        yield from self._unmet()
        yield from self._outside_scope()
        yield from self._dropped()
        yield self._own_rank()

    def _cut_by_limit(self) -> Iterator[Obstacle]:
        limits, expansion = self.planning.limits, self.planning.expansion
        n_inside = len(self.planning.plan.document_ids)
        for i, neighbour in enumerate(expansion.over_limit, start=n_inside + 1):
            if neighbour.document_id == self.document_id:
                more = limits.max_expanded + i - n_inside
                remedy = {"max_expanded": more, "max_documents": limits.max_documents + i - n_inside}
                if self.request.preset == "literal":  # it reserves nothing
                    del remedy["max_expanded"]
                yield self._limit(as_cut(neighbour, "max_expanded", limits.max_expanded, place=i), remedy)
        for neighbour in expansion.over_fan_out:
            if neighbour.document_id == self.document_id:
                remedy = {"max_fan_out": min(limits.max_fan_out * 2, 100)}
                yield self._limit(as_cut(neighbour, "max_fan_out", limits.max_fan_out), remedy)
        for neighbour in expansion.boilerplate:
            if neighbour.document_id == self.document_id:
                n_documents = self.snapshot.workspace.n_documents
                percent = limits.max_linked_percent
                cut = as_cut(neighbour, "max_linked_percent", percent, n_documents=n_documents)
                yield self._limit(cut, {"max_linked_percent": 100})

    def _limit(self, cut: CutDocument, remedy: dict[str, int]) -> Obstacle:
        would = f" (would be {_ordinal(cut.place)})" if cut.place else ""
        if cut.linked_by is not None:
            would = f" (linked by {cut.linked_by:,} of {cut.n_documents:,} documents)"
        edges = tuple((r.from_document_id, r.via, self.document_id) for r in cut.reasons)
        return Obstacle(
            kind="cut_by_limit",
            text=f"related, but cut by {cut.limit} = {cut.value}{would}",
            limit=cut.limit,
            value=cut.value,
            place=cut.place,
            edges=edges,
            remedy=remedy,
        )

    def _edges_not_followed(self) -> Iterator[Obstacle]:
        """Edges from seeds that were not followed: relationships off, type off, or a seed that does not expand."""
        pointing = self._pointing_at([self.document_id])
        from_seeds = [e for e in pointing if e.from_document_id in self.seeds | self.consulted]
        if not self.request.use_relationships and from_seeds:
            yield _edges(
                "relationships_off",
                "a relationship leads to it, but relationships are switched off",
                from_seeds,
                {"use_relationships": True},
            )
            return
        hidden = [e for e in from_seeds if self.request.overrides.hides(e.key)]
        if hidden:
            yield _edges(
                "edge_off",
                f"{_count(len(hidden), 'relationship')} to it switched off by this request",
                hidden,
                {"overrides": self._with_edges(hidden)},
            )
            from_seeds = [e for e in from_seeds if e not in hidden]
        allowed, silent = self.planning.told.relation_types, self.planning.told.reasons_only
        off = [e for e in from_seeds if allowed is not None and e.relation_type not in allowed]
        if off:
            types = sorted({e.relation_type for e in off})
            yield _edges(
                "type_off",
                f"a relationship leads to it, but type {', '.join(types)} is switched off",
                off,
                {"relation_types": sorted({*(allowed or ()), *types})},
            )
        quiet = [e for e in from_seeds if e not in off and e.relation_type in silent]
        if quiet and len(quiet) + len(off) == len(from_seeds):
            said = "; ".join(f"{name}: {silent[name]}" for name in sorted({e.relation_type for e in quiet}))
            yield _edges(
                "reasons_only",
                f"related, but only by types that give reasons and add no document ({said})",
                quiet,
                {"relation_types": sorted(allowed or ()), **self._expanding(quiet)},
            )
        yield from self._from_idle_seeds([e for e in from_seeds if e not in off and e not in quiet])

    def _from_idle_seeds(self, edges: Sequence[Relationship]) -> Iterator[Obstacle]:
        idle = [e for e in edges if e.from_document_id not in self.consulted]
        if idle:
            n = self.planning.limits.max_expanding_seeds
            text = f"a relationship leads to it from a seed that does not expand (max_expanding_seeds = {n})"
            yield _edges(
                "from_non_expanding_seed",
                text,
                idle,
                {"max_expanding_seeds": n + 1},
                limit="max_expanding_seeds",
                value=n,
            )

    def _expanding(self, edges: Sequence[Relationship]) -> dict[str, object]:
        """One more expanding seed, where none of the seeds that these edges start at expands."""
        if any(e.from_document_id in self.consulted for e in edges):
            return {}
        return {"max_expanding_seeds": self.planning.limits.max_expanding_seeds + 1}

    def _with_edges(self, edges: Sequence[Relationship]) -> dict[str, object]:
        """The request's overrides without those that hide these edges."""
        overrides, keys = self.request.overrides, {e.key for e in edges}
        types = {e.relation_type for e in edges}
        return overrides.model_dump(mode="json") | {
            "without_edges": [key for key in overrides.without_edges if key not in keys],
            "without_types": [name for name in overrides.without_types if name not in types],
        }

    def _dropped(self) -> Iterator[Obstacle]:
        overrides = self.request.overrides
        if self.document_id in overrides.dropped_seed_ids:
            rest = [i for i in overrides.dropped_seed_ids if i != self.document_id]
            remedy = {"overrides": overrides.model_dump(mode="json") | {"dropped_seed_ids": rest}}
            yield Obstacle(kind="seed_dropped", text="this request drops it as a seed", remedy=remedy)

    def _two_hops(self) -> Iterator[Obstacle]:
        between = self._pointing_at([self.document_id])
        middles = sorted({e.from_document_id for e in between} - self.consulted)
        if not middles or not self.consulted:
            return
        first = [e for e in self._pointing_at(middles) if e.from_document_id in self.consulted]
        if first:
            reached = {e.to_document_id for e in first}
            path = [*first, *(e for e in between if e.from_document_id in reached)]
            via = ", ".join(sorted(reached)[:3])
            yield _edges(
                "two_hops",
                f"two hops away (through {via}); a second hop is never taken",
                path,
                self._as_seed(sorted(reached)[0]),
            )

    def _incoming_only(self) -> Iterator[Obstacle]:
        outgoing = self.snapshot.outgoing([self.document_id], relation_types=None, limit=MAX_EDGES_LOOKED_AT)
        back = [e for e in outgoing if e.to_document_id in self.seeds | self.consulted]
        if back:
            targets = ", ".join(sorted({e.to_document_id for e in back})[:3])
            yield _edges(
                "incoming_only",
                f"only an incoming relationship: it points to {targets}, not the other way",
                back,
                self._as_seed(self.document_id),
            )

    def _unmet(self) -> Iterator[Obstacle]:
        where = self.request.where
        if where is None:
            return
        stored = self.snapshot.documents_by_id([self.document_id])[self.document_id]
        facets = facets_of_document(stored)
        unmet = [each for each in where.conditions if not each.meets(facets)]
        if unmet:
            has = "; ".join(_what_it_has(each.field, facets) for each in unmet)
            whom = f" of {where.whom}" if where.whom else ""
            said = ", ".join(each.text for each in unmet)
            text = f"it does not meet the filter{whom} {said} ({has})"
            yield Obstacle(kind="outside_where", text=text, limit="where", remedy={"where": None})

    def _outside_scope(self) -> Iterator[Obstacle]:
        scope = self.planning.plan.scope
        if scope.mode == "filter" and scope.field in ("doc_type", "ingestion_id"):
            stored = self.snapshot.documents_by_id([self.document_id])[self.document_id]
            value = getattr(stored, scope.field)
            if value != scope.value:
                text = f"outside the dominant scope {scope.field} = {scope.value!r} (it has {value!r})"
                yield Obstacle(kind="outside_scope", text=text, remedy={"scope_mode": "label"})

    def _own_rank(self) -> Obstacle:
        n_seeds = len(self.seeds)
        remedy = self._as_seed(self.document_id)
        if self.own is None:
            text = "it has no chunks, so it has no rank by this signal"
        else:
            kind = "fused rank score" if self.planning.plan.constraints.seed_signal == "hybrid" else "similarity"
            text = f"by itself it has {kind} {self.own.score:.2f}, rank {self.own.rank}; {n_seeds} are seeds"
        place = self.own.rank if self.own else None
        return Obstacle(kind="cut_by_limit", text=text, limit="max_seeds", value=n_seeds, place=place, remedy=remedy)

    def _as_seed(self, document_id: str) -> dict[str, object]:
        """Name the seeds, with ``document_id`` in the last one's place."""
        kept = [c.document_id for c in self.planning.candidates.documents[: self.planning.limits.max_seeds - 1]]
        return {"seed_document_ids": [*(i for i in kept if i != document_id), document_id]}

    def _pointing_at(self, document_ids: Sequence[str]) -> tuple[Relationship, ...]:
        edges = self.snapshot.incoming(document_ids, relation_types=None, limit=MAX_EDGES_LOOKED_AT)
        return tuple(e for e in edges if e.from_document_id != e.to_document_id)


def _edges(
    kind: WhyNot,
    text: str,
    edges: Sequence[Relationship],
    remedy: dict[str, object],
    *,
    limit: LimitName | None = None,
    value: int | None = None,
) -> Obstacle:
    keys = tuple((e.from_document_id, e.relation_type, e.to_document_id) for e in edges)
    return Obstacle(kind=kind, text=text, limit=limit, value=value, edges=keys[:20], remedy=remedy)


def _what_it_has(field: str, facets: Sequence[str]) -> str:
    values = [value for name, value in field_values(facets) if name == field]
    if not values:
        return f"it has no {field}"
    return f"it has {field} = {', '.join(values[:5])}" if any(values) else f"its {field} is too long to be compared"


def _ordinal(n: int) -> str:
    suffix = "th" if 10 <= n % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n}{suffix}"


def _count(n: int, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"
