"""Makes the retrieval plan of a request: seeds, one-hop expansion, constraints, and a name for everything cut."""

from __future__ import annotations

from dataclasses import dataclass, replace

from docgraph.domain.plan import (
    MAX_CUTS,
    Constraints,
    CutDocument,
    CutTotal,
    ExpandedDocument,
    RetrievalPlan,
    SeedDocument,
)
from docgraph.domain.request import EvidenceRule, RetrievalRequest, SeedSignal
from docgraph.planning.expansion import Expansion, as_cut, expand
from docgraph.planning.limits import Limits, decide_limits
from docgraph.planning.seeds import Candidates, find_candidates
from docgraph.ports import Probe, RankedDocument, Snapshot


@dataclass(frozen=True)
class Planning:
    """A plan and what it was decided from; explanation reads it, execution never sees it."""

    plan: RetrievalPlan
    limits: Limits
    relation_types: tuple[str, ...] | None
    candidates: Candidates
    expansion: Expansion


def make_plan(request: RetrievalRequest, probe: Probe, snapshot: Snapshot) -> RetrievalPlan:
    """The plan of a request on one snapshot: pure, so the same input gives the same plan; nothing is written."""
    return decide(request, probe, snapshot).plan


def decide(request: RetrievalRequest, probe: Probe, snapshot: Snapshot) -> Planning:
    """The plan of a request, with the candidates and the expansion behind it."""
    limits = decide_limits(request)
    types = allowed_types(request, snapshot)
    candidates = find_candidates(request, probe, snapshot, limits)
    seeds = candidates.documents[: limits.max_seeds]
    expansion = Expansion()
    if request.use_relationships:
        expansion = expand(
            seeds,
            probe,
            snapshot,
            limits=limits,
            signal=request.seed_signal,
            relation_types=types,
            overrides=request.overrides,
        )
    draft = _Draft(request, probe, snapshot, limits=limits, types=types, candidates=candidates, expansion=expansion)
    plan = draft.expanded_plan() if expansion.chosen else draft.seeds_only_plan()
    return Planning(plan=plan, limits=limits, relation_types=types, candidates=candidates, expansion=expansion)


def allowed_types(request: RetrievalRequest, snapshot: Snapshot) -> tuple[str, ...] | None:
    """The types a plan may follow: the request's, else all (``None``) but those the workspace has switched off."""
    if request.relation_types is not None:
        return request.relation_types
    off = set(snapshot.workspace.off_relation_types)
    if not off:
        return None
    return tuple(sorted(set(snapshot.relation_types()) - off))


class _Draft:
    """Everything that was decided, written down as a plan."""

    def __init__(
        self,
        request: RetrievalRequest,
        probe: Probe,
        snapshot: Snapshot,
        *,
        limits: Limits,
        types: tuple[str, ...] | None,
        candidates: Candidates,
        expansion: Expansion,
    ) -> None:
        self.request, self.probe, self.snapshot = request, probe, snapshot
        self.limits, self.types = limits, types
        self.candidates, self.expansion = candidates, expansion

    def expanded_plan(self) -> RetrievalPlan:
        """Seeds and expanded documents; places that no relationship fills go back to the next candidates."""
        chosen = {n.document_id for n in self.expansion.chosen}
        free = self.limits.max_documents - len(chosen)
        seeds = tuple(c for c in self.candidates.documents if c.document_id not in chosen)[:free]
        return self._plan(seeds, self.limits, rule=self.request.evidence_rule or "one_per_document")

    def seeds_only_plan(self) -> RetrievalPlan:
        """Nothing expanded: exactly MS3, unless the request itself binds the seeds or the evidence rule."""
        request = self.request
        if request.evidence_rule == "one_per_document":
            seeds = self.candidates.documents[: self.limits.max_documents]
            return self._plan(seeds, self.limits, rule="one_per_document")
        if request.seed_document_ids or request.overrides.changes_seeds or request.scope_mode == "filter":
            seeds = self.candidates.documents[: self.limits.max_documents]
            return self._plan(seeds, self.limits, rule="similarity")
        return self._ms3_plan()

    def _ms3_plan(self) -> RetrievalPlan:
        """Seeds = the documents of MS3's top-k chunks, so that execution by similarity returns those chunks.

        The only document limit is the number of chunks, as in MS3 (MS4 and MS5 compatibility guarantees).
        """
        k = self.request.max_chunks
        seeds = self.snapshot.documents_of_nearest_chunks(self.probe.vector, limit=k)
        limits = replace(self.limits, max_documents=k, max_expanded=0)
        return self._plan(seeds, limits, rule="similarity", signal="chunk")

    def _plan(
        self,
        seeds: tuple[RankedDocument, ...],
        limits: Limits,
        *,
        rule: EvidenceRule,
        signal: SeedSignal | None = None,
    ) -> RetrievalPlan:
        workspace = self.snapshot.workspace
        seed_documents = self._seed_documents(seeds)
        expanded = tuple(
            ExpandedDocument(
                document_id=n.document_id, title=n.title, place=place, rank=n.rank, score=n.score, reasons=n.reasons
            )
            for place, n in enumerate(self.expansion.chosen, start=len(seeds) + 1)
        )
        inside = {s.document_id for s in seeds} | {e.document_id for e in expanded}
        cut = self._cut(inside, limits, n_seeds=len(seeds), ms3=signal is not None)
        return RetrievalPlan.sealed(
            workspace=workspace.name,
            corpus_revision=workspace.revision,
            embedder_id=workspace.embedder.embedder_id,
            query=self.request.query,
            consulted=self.expansion.consulted,
            seed_documents=seed_documents,
            expanded_documents=expanded,
            constraints=self._constraints(limits, rule, signal or self.request.seed_signal, n_seeds=len(seeds)),
            scope=self.candidates.scope,
            cut=tuple(cut[:MAX_CUTS]),
            cut_totals=self._totals(cut, limits, n_seeds=len(seeds), ms3=signal is not None),
        )

    def _seed_documents(self, seeds: tuple[RankedDocument, ...]) -> tuple[SeedDocument, ...]:
        expands = {ref.document_id for ref in self.expansion.consulted} if self.expansion.chosen else set()
        reasons = dict(self.expansion.seed_reasons) if self.expansion.chosen else {}
        return tuple(
            SeedDocument(
                document_id=s.document_id,
                title=s.title,
                place=place,
                rank=s.rank or None,
                score=s.score if s.rank else None,
                expands=s.document_id in expands,
                reasons=reasons.get(s.document_id, ()),
            )
            for place, s in enumerate(seeds, start=1)
        )

    def _constraints(self, limits: Limits, rule: EvidenceRule, signal: SeedSignal, *, n_seeds: int) -> Constraints:
        k = self.request.max_chunks
        return Constraints(
            use_relationships=self.request.use_relationships,
            relation_types=self.types,
            seed_signal=signal,
            max_documents=limits.max_documents,
            max_seeds=max(limits.max_seeds, n_seeds, 1),
            max_expanded=limits.max_expanded,
            max_expanding_seeds=limits.max_expanding_seeds,
            max_fan_out=limits.max_fan_out,
            max_edges_per_seed=limits.max_edges_per_seed,
            evidence_rule=rule,
            max_chunks=k,
            max_chunks_per_document=k if rule == "similarity" else self.request.max_chunks_per_document,
            overrides=self.request.overrides,
        )

    def _cut(self, inside: set[str], limits: Limits, *, n_seeds: int, ms3: bool) -> list[CutDocument]:
        """Everybody who stayed out, related documents first; a document is named once, by the limit nearest to it."""
        found: dict[str, CutDocument] = {}
        for i, n in enumerate(self.expansion.over_limit, start=len(inside) + 1):
            found[n.document_id] = as_cut(n, "max_expanded", limits.max_expanded, place=i)
        for n in self.expansion.over_fan_out:
            found.setdefault(n.document_id, as_cut(n, "max_fan_out", limits.max_fan_out))
        for n in self.expansion.missing:
            found.setdefault(n.document_id, as_cut(n, "missing_document", 0))
        for c in () if ms3 else self.candidates.documents:
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
        return [cut for document_id, cut in found.items() if document_id not in inside]

    def _totals(self, cut: list[CutDocument], limits: Limits, *, n_seeds: int, ms3: bool) -> tuple[CutTotal, ...]:
        """For each limit that cut something: kept n of m."""

        def n_cut(limit: str) -> int:
            return sum(c.limit == limit for c in cut)

        expanded, workspace = len(self.expansion.chosen), self.snapshot.workspace
        kept_edges = sum(len(n.reasons) for n in self.expansion.chosen)
        k = min(self.request.max_chunks, workspace.n_chunks)
        rows = [
            ("max_seeds", n_seeds, n_seeds, n_seeds + n_cut("max_seeds")),
            ("max_expanded", limits.max_expanded, expanded, expanded + n_cut("max_expanded")),
            ("max_fan_out", limits.max_fan_out, expanded, expanded + n_cut("max_fan_out")),
            ("missing_document", 0, kept_edges, kept_edges + n_cut("missing_document")),
            ("max_chunks", self.request.max_chunks, k, workspace.n_chunks if ms3 else k),
            *self._unexpanded_seeds(n_seeds if self.expansion.chosen else 0),
        ]
        totals = [
            CutTotal.model_validate({"limit": limit, "value": value, "kept": kept, "total": total})
            for limit, value, kept, total in rows
            if total > kept
        ]
        return (*totals, *self.expansion.totals)

    def _unexpanded_seeds(self, n_seeds: int) -> list[tuple[str, int, int, int]]:
        n = len(self.expansion.consulted)
        return [("max_expanding_seeds", self.limits.max_expanding_seeds, n, n_seeds)] if n < n_seeds else []
