"""Makes the retrieval plan of a request: seeds, one-hop expansion, constraints, and a name for everything cut."""

from __future__ import annotations

from dataclasses import dataclass

from docgraph.domain.plan import (
    MAX_CUTS,
    Constraints,
    CutDocument,
    CutTotal,
    ExpandedDocument,
    RetrievalPlan,
    SeedDocument,
)
from docgraph.domain.request import NO_RERANKER, RetrievalRequest
from docgraph.domain.workspace import VectorSearch
from docgraph.planning.expansion import Expansion, Neighbour, Types, as_cut, expand
from docgraph.planning.limits import Limits, beside, decide_limits
from docgraph.planning.seeds import Candidates, Told, conditions_of_seeds, find_candidates, tell
from docgraph.ports import Probe, RankedDocument, Snapshot


@dataclass(frozen=True)
class Planning:
    """A plan and what it was decided from; explanation reads it, execution never sees it.

    ``told`` = what the store told before the ranking, the types that are followed among it.
    """

    plan: RetrievalPlan
    limits: Limits
    told: Told
    candidates: Candidates
    expansion: Expansion


def make_plan(request: RetrievalRequest, probe: Probe, snapshot: Snapshot) -> RetrievalPlan:
    """The plan of a request on one snapshot: pure, so the same input gives the same plan; nothing is written."""
    return decide(request, probe, snapshot).plan


def decide(request: RetrievalRequest, probe: Probe, snapshot: Snapshot) -> Planning:
    """The plan of a request, with the candidates and the expansion behind it.

    Relationships add documents and take places for them; nothing else depends on them, so where they add none the plan
    is that of the same request without them (MS4, MS5: compatibility guarantees).
    """
    limits = decide_limits(request)
    told = tell(request, probe, snapshot)
    candidates = find_candidates(request, probe, snapshot, limits=limits, told=told)
    if request.preset == "literal":
        n_seeds = min(len(candidates.documents), limits.max_documents)
        limits = beside(limits, n_seeds, use_relationships=request.use_relationships)
    seeds = candidates.documents[: limits.max_seeds]
    expansion = Expansion()
    if request.use_relationships:
        expansion = expand(
            seeds,
            probe,
            snapshot,
            limits=limits,
            signal=request.seed_signal,
            types=Types(told.relation_types, frozenset(told.reasons_only)),
            overrides=request.overrides,
            known=candidates.known,
            edges_of=candidates.edges,
            conditions=request.where.of_related if request.where is not None else (),
        )
    draft = _Draft(request, probe, snapshot, limits=limits, told=told, candidates=candidates, expansion=expansion)
    return Planning(plan=draft.plan(), limits=limits, told=told, candidates=candidates, expansion=expansion)


class _Draft:
    """Everything that was decided, written down as a plan."""

    def __init__(
        self,
        request: RetrievalRequest,
        probe: Probe,
        snapshot: Snapshot,
        *,
        limits: Limits,
        told: Told,
        candidates: Candidates,
        expansion: Expansion,
    ) -> None:
        self.request, self.probe, self.snapshot = request, probe, snapshot
        self.limits, self.told = limits, told
        self.candidates, self.expansion = candidates, expansion

    def plan(self) -> RetrievalPlan:
        """Seeds and expanded documents; places that no relationship fills go back to the next candidates."""
        chosen = {n.document_id for n in self.expansion.chosen}
        room = self.limits.seeds_beside(len(chosen))
        seeds = tuple(c for c in self.candidates.documents if c.document_id not in chosen)[:room]
        workspace = self.snapshot.workspace
        expanded = tuple(
            ExpandedDocument(
                document_id=n.document_id, title=n.title, place=place, rank=n.rank, score=n.score, reasons=n.reasons
            )
            for place, n in enumerate(self.expansion.chosen, start=len(seeds) + 1)
        )
        inside = {s.document_id for s in seeds} | {e.document_id for e in expanded}
        cut = self._cut(inside, n_seeds=len(seeds))
        return RetrievalPlan.sealed(
            workspace=workspace.name,
            corpus_revision=workspace.revision,
            embedder_id=workspace.embedder.embedder_id,
            query=self.request.query,
            consulted=self.expansion.consulted,
            seed_documents=self._seed_documents(seeds),
            expanded_documents=expanded,
            constraints=self._constraints(n_seeds=len(seeds)),
            scope=self.candidates.scope,
            cut=tuple(cut[:MAX_CUTS]),
            cut_totals=self._totals(cut, inside, n_seeds=len(seeds)),
        )

    def _seed_documents(self, seeds: tuple[RankedDocument, ...]) -> tuple[SeedDocument, ...]:
        """The seeds with the edges between them: kept for the record, whether or not anything was expanded."""
        expands = {ref.document_id for ref in self.expansion.consulted}
        return tuple(
            SeedDocument(
                document_id=s.document_id,
                title=s.title,
                place=place,
                rank=s.rank or None,
                score=s.score if s.rank else None,
                expands=s.document_id in expands,
                named=self.candidates.called.get(s.document_id, ""),
                reasons=self.expansion.reasons.get(s.document_id, ()),
            )
            for place, s in enumerate(seeds, start=1)
        )

    def _constraints(self, *, n_seeds: int) -> Constraints:
        request, limits = self.request, self.limits
        rule, chunks = request.evidence_rule, request.chunk_limit
        return Constraints(
            preset=request.preset,
            use_relationships=request.use_relationships,
            relation_types=self.told.relation_types,
            where=request.where,
            reasons_only_types=tuple(sorted(self.told.reasons_only)),
            seed_signal=request.seed_signal,
            max_documents=limits.max_documents,
            max_seeds=max(limits.max_seeds, n_seeds, 1),
            max_expanded=limits.max_expanded,
            max_expanding_seeds=limits.max_expanding_seeds,
            max_fan_out=limits.max_fan_out,
            max_edges_per_seed=limits.max_edges_per_seed,
            max_linked_percent=limits.max_linked_percent,
            evidence_rule=rule,
            max_chunks=chunks,
            max_chunks_per_document=request.max_chunks_per_document if rule == "one_per_document" else chunks,
            max_tokens=request.token_budget if rule == "passages" else None,
            reranker=request.reranker if rule == "passages" and request.reranker not in (None, NO_RERANKER) else "",
            overrides=request.overrides,
            vector_search=self._vector_search(),
        )

    def _vector_search(self) -> VectorSearch:
        """Summaries are always compared one by one, and so is what an approximate index would find too little of."""
        search = self.snapshot.workspace.vector_search
        is_filtered = bool(conditions_of_seeds(self.request))
        return "exact" if self.request.seed_signal == "summary" or (search == "hnsw" and is_filtered) else search

    def _cut(self, inside: set[str], *, n_seeds: int) -> list[CutDocument]:
        """Everybody who stayed out, related documents first; a document is named once, by the limit nearest to it."""
        limits, found = self.limits, dict[str, CutDocument]()
        for i, n in enumerate(self.expansion.over_limit, start=len(inside) + 1):
            found[n.document_id] = as_cut(n, "max_expanded", limits.max_expanded, place=i)
        for n in self.expansion.over_fan_out:
            found.setdefault(n.document_id, as_cut(n, "max_fan_out", limits.max_fan_out))
        for n in self.expansion.boilerplate:
            n_documents = self.snapshot.workspace.n_documents
            cut = as_cut(n, "max_linked_percent", limits.max_linked_percent, n_documents=n_documents)
            found.setdefault(n.document_id, cut)
        for n in self.expansion.filtered:
            found.setdefault(n.document_id, as_cut(n, "where", 0))
        for document_id, title in sorted(self.candidates.unmet.items()):
            found.setdefault(document_id, CutDocument(document_id=document_id, title=title, limit="where", value=0))
        for n in self.expansion.missing:
            found.setdefault(n.document_id, as_cut(n, "missing_document", 0))
        silent = self._silent(inside)
        for n, place in silent:
            if place is not None:
                found.setdefault(n.document_id, as_cut(n, "reasons_only", 0, place=place))
        for c in self.candidates.documents:
            found.setdefault(
                c.document_id,
                CutDocument(
                    document_id=c.document_id,
                    title=c.title,
                    limit="max_seeds",
                    value=n_seeds,
                    rank=c.rank or None,
                    score=c.score if c.rank else None,
                ),
            )
        for n, _ in silent:
            found.setdefault(n.document_id, as_cut(n, "reasons_only", 0))
        return [cut for document_id, cut in found.items() if document_id not in inside]

    def _silent(self, inside: set[str]) -> list[tuple[Neighbour, int | None]]:
        """Documents outside that only types with reasons alone lead to, with the place they would have had by these."""
        instead = self.expansion.instead
        first = self.limits.seeds_beside(len(instead)) + 1
        places = {document_id: place for place, document_id in enumerate(instead, start=first)}
        return [(n, places.get(n.document_id)) for n in self.expansion.silent if n.document_id not in inside]

    def _of_reasons_only(self, inside: set[str]) -> list[CutTotal]:
        """For each type that brings no document in: how many of those that it leads to are in the plan all the same."""
        reached: dict[str, set[str]] = {}
        for document_id, reasons in self.expansion.reasons.items():
            for reason in reasons:
                reached.setdefault(reason.via, set()).add(document_id)
        out = {n.document_id for n, _ in self._silent(inside)}
        totals = []
        for name, decided in sorted(self.told.reasons_only.items()):
            kept, n_out = len(reached.get(name, set()) & inside), len(reached.get(name, set()) & out)
            if n_out:
                totals.append(
                    CutTotal(
                        limit="reasons_only",
                        value=0,
                        kept=kept,
                        total=kept + n_out,
                        relation_type=name,
                        decided=decided,
                    )
                )
        return totals

    def _totals(self, cut: list[CutDocument], inside: set[str], *, n_seeds: int) -> tuple[CutTotal, ...]:
        """For each limit that cut something: kept n of m."""

        def n_cut(limit: str) -> int:
            return sum(c.limit == limit for c in cut)

        limits, expanded = self.limits, len(self.expansion.chosen)
        kept_edges = sum(len(n.reasons) for n in self.expansion.chosen)
        rows = [
            ("max_seeds", n_seeds, n_seeds, n_seeds + n_cut("max_seeds")),
            ("max_expanded", limits.max_expanded, expanded, expanded + n_cut("max_expanded")),
            ("max_fan_out", limits.max_fan_out, expanded, expanded + n_cut("max_fan_out")),
            ("max_linked_percent", limits.max_linked_percent, expanded, expanded + n_cut("max_linked_percent")),
            ("missing_document", 0, kept_edges, kept_edges + n_cut("missing_document")),
            *self._of_conditions(),
            *self._of_nearest_chunks(),
            *self._unexpanded_seeds(n_seeds),
        ]
        totals = [
            CutTotal.model_validate({"limit": limit, "value": value, "kept": kept, "total": total})
            for limit, value, kept, total in rows
            if total > kept
        ]
        return (*totals, *self._of_reasons_only(inside), *self.expansion.totals)

    def _of_conditions(self) -> list[tuple[str, int, int, int]]:
        """How many of all documents meet the conditions on seeds; without any, how many related ones met theirs."""
        if self.told.n_matching is not None:
            return [("where", 0, self.told.n_matching, self.snapshot.workspace.n_documents)]
        expanded, n_out = len(self.expansion.chosen), len(self.expansion.filtered)
        return [("where", 0, expanded, expanded + n_out)]

    def _of_nearest_chunks(self) -> list[tuple[str, int, int, int]]:
        """By ``literal`` the seeds are the documents of so many chunks, of all there are."""
        if self.request.preset != "literal" or self.request.seed_document_ids:
            return []
        k, total = self.request.chunk_limit, self.snapshot.workspace.n_chunks
        return [("max_chunks", k, min(k, total), total)]

    def _unexpanded_seeds(self, n_seeds: int) -> list[tuple[str, int, int, int]]:
        if not self.expansion.reasons:
            return []
        n = len(self.expansion.consulted)
        return [("max_expanding_seeds", self.limits.max_expanding_seeds, n, n_seeds)] if n < n_seeds else []
