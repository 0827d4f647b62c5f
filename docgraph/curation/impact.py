"""Asks the saved questions on the data as it is and as edits would make it, and tells what comes back differently."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol, TypeVar

from docgraph.curation.edit_words import edits_label
from docgraph.curation.overlay import EditedSnapshot
from docgraph.domain.comparison import Change, Comparison
from docgraph.domain.edit import Edit
from docgraph.domain.frozen import fingerprint
from docgraph.domain.graph import DocumentRef
from docgraph.domain.impact import (
    MAX_LISTED,
    MAX_LISTED_QUESTIONS,
    AskedQuestion,
    ChunkRef,
    Gains,
    ImpactReport,
    QuestionImpact,
    QuestionLeftOut,
)
from docgraph.domain.plan import (
    CutDocument,
    DominantScope,
    ExpandedDocument,
    Reason,
    RetrievalPlan,
    SeedDocument,
)
from docgraph.domain.request import MIN_LINKING, RetrievalRequest
from docgraph.domain.saved_run import KnownPlan, SavedQuestion
from docgraph.domain.workspace import Workspace
from docgraph.errors import UserError
from docgraph.ports import ALL, Progress, Snapshot

_Planned = TypeVar("_Planned", SeedDocument, ExpandedDocument, CutDocument)


class Asking(Protocol):
    """The stages that a question goes through; given from outside, because stages do not know each other."""

    def plan(
        self, request: RetrievalRequest, snapshot: Snapshot, *, like: RetrievalPlan | None = None
    ) -> RetrievalPlan:
        """The plan on a snapshot; the question is embedded and ranked once, however often it is planned.

        ``like`` = its plan on the same documents with other relationships: then it is not ranked at all, as far as
        that plan says how it was. Raises UserError.
        """
        ...

    def compare(
        self, request: RetrievalRequest, before: RetrievalPlan, after: RetrievalPlan, *, label: str
    ) -> Comparison:
        """Execute both plans and compare what they read; ``label`` names the side of ``after``."""
        ...


def find_effects(
    alternatives: Sequence[Sequence[Edit]],
    asked: Iterable[SavedQuestion],
    asking: Asking,
    *,
    snapshot: Snapshot,
    counts: Mapping[str, int],
    limit: int,
    relevant: Mapping[str, Collection[str]],
    progress: Progress | None = None,
) -> tuple[ImpactReport, ...]:
    """What each of the ``alternatives`` changes in the answers to the first ``limit`` different questions.

    ``asked`` are read one at a time and not kept; ``counts`` = how many there are, as the report counts them. Each
    question is asked once on the data as it is, and once more for every alternative that touches what it reads.
    ``relevant`` = query → the stored documents that are judged relevant to it. Raises what ``EditedSnapshot`` raises.
    """
    questions = _Questions(asking, snapshot)
    found = [
        _Found(asking, snapshot, EditedSnapshot(snapshot, edits), tuple(edits), relevant) for edits in alternatives
    ]
    seen: set[str] = set()
    n_read, n_saved, complete = 0, sum(counts.values()), True
    for saved in asked:
        if progress is not None and progress.cancelled():
            complete = False
            break
        request_id = fingerprint(saved.request.model_dump(mode="json"))
        if request_id not in seen and len(seen) >= limit:
            break
        n_read += 1
        if request_id not in seen:
            seen.add(request_id)
            if (question := questions.take(saved)) is not None:
                for each in found:
                    each.ask(question)
        if progress is not None:
            progress.update(n_read, n_saved, saved.name)
    left = {"n_not_asked": n_saved - n_read, "complete": complete}
    return tuple(each.report(questions, **counts, **left) for each in found)


def decides_the_same(a: RetrievalPlan, b: RetrievalPlan) -> bool:
    """Whether two plans are equal but for the list of allowed types, which names every type that there is, and labels.

    A type that comes or goes changes that list in every plan of a workspace that has switched a type off; no document
    comes in or stays out for it. The label of a scope may go by the import of a document, which is no content.
    """
    return decisions(a) == decisions(b)


@dataclass
class _Question:
    """One question: a plan on today's documents, and that on today's relationships as soon as it is asked for."""

    saved: SavedQuestion
    like: RetrievalPlan
    asking: Asking
    snapshot: Snapshot
    today: RetrievalPlan | None = None

    @property
    def request(self) -> RetrievalRequest:
        """The request."""
        return self.saved.request

    @property
    def consulted(self) -> frozenset[str]:
        """The seeds whose relationships are read; relationships have no say in who they are."""
        return frozenset(ref.document_id for ref in self.like.consulted)

    def plan(self) -> RetrievalPlan:
        """The plan on today's data."""
        if self.today is None:
            self.today = self.asking.plan(self.request, self.snapshot, like=self.like)
        return self.today

    def plan_with(self, edited: EditedSnapshot) -> RetrievalPlan:
        """The plan with edits."""
        return self.asking.plan(self.request, edited, like=self.like)


@dataclass
class _Questions:
    """The saved questions on the data as it is: the same for all alternatives, however many there are."""

    asking: Asking
    snapshot: Snapshot
    n_questions: int = 0
    n_left_out: int = 0
    asked: list[AskedQuestion] = field(default_factory=list)
    left_out: list[QuestionLeftOut] = field(default_factory=list)

    def take(self, saved: SavedQuestion) -> _Question | None:
        """The question with a plan on today's documents: the known one, when it was made on them; None without one.

        Planning is pure: equal questions on equal states have equal plans, so nothing has to be asked for that. Where
        relationships alone are others, the ranking is not, nor whose relationships are read.
        """
        query, known = saved.request.query, saved.known
        try:
            if known is not None and is_of_today(known, self.snapshot.workspace):
                plan = known.plan
                today = plan if plan.corpus_revision == self.snapshot.workspace.revision else None
            else:
                today = plan = self.asking.plan(saved.request, self.snapshot)
        except UserError as error:
            self.n_left_out += 1
            if len(self.left_out) < MAX_LISTED_QUESTIONS:
                reason = error.message
                row = QuestionLeftOut(run_id=saved.run_id, name=saved.name, query=query, reason=reason)
                self.left_out.append(row)
            return None
        self.n_questions += 1
        if len(self.asked) < MAX_LISTED_QUESTIONS:
            self.asked.append(AskedQuestion(run_id=saved.run_id, name=saved.name, query=query))
        return _Question(saved, plan, self.asking, self.snapshot, today)


def planned_today(saved: SavedQuestion, asking: Asking, snapshot: Snapshot) -> RetrievalPlan:
    """The plan of a saved question on the data of now; not ranked where a plan of it on these documents is known.

    Where that was made on these relationships too, it is the plan. Raises UserError.
    """
    known, here = saved.known, snapshot.workspace
    if known is None or not is_of_today(known, here):
        return asking.plan(saved.request, snapshot)
    if known.plan.corpus_revision == here.revision:
        return known.plan
    return asking.plan(saved.request, snapshot, like=known.plan)


def is_of_today(known: KnownPlan, workspace: Workspace) -> bool:
    """Whether a plan was made on today's documents, whatever became of relationships.

    What is filtered is not: that may go by the import of a document, which no revision covers.
    """
    plan = known.plan
    search = "exact" if plan.constraints.seed_signal == "summary" else workspace.vector_search
    made_by = (plan.workspace, plan.embedder_id, plan.constraints.vector_search, plan.scope.mode)
    if made_by != (workspace.name, workspace.embedder.embedder_id, search, "label"):
        return False
    if workspace.content_revision:
        return known.content_revision == workspace.content_revision
    return plan.corpus_revision == workspace.revision  # a store that tells one revision


@dataclass
class _Found:
    """What one alternative changes; its size does not grow with the number of questions beyond what is listed."""

    asking: Asking
    snapshot: Snapshot
    edited: EditedSnapshot
    edits: tuple[Edit, ...]
    relevant: Mapping[str, Collection[str]]
    n_changed_plans: int = 0
    n_changed: int = 0
    questions: list[QuestionImpact] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._sources, self._targets = self.edited.changed_sources, self._much_linked()
        self._decides_types = self.edited.workspace.decided != self.snapshot.workspace.decided

    def ask(self, question: _Question) -> None:
        """Plan one question with the edits, and compare when the plans differ."""
        if not self._may_change(question):
            return
        before, after = question.plan(), question.plan_with(self.edited)
        if decides_the_same(before, after):
            return
        self.n_changed_plans += 1
        label = edits_label(self.edits)
        self._take(question.saved, self.asking.compare(question.request, before, after, label=label))

    def _much_linked(self) -> frozenset[str]:
        """Documents that the edits link or unlink, and so many link to that it may decide whether they take a place."""
        targets = sorted(self.edited.changed_targets)
        if not targets:
            return frozenset()
        before, after = (view.count_linking(targets, relation_types=None) for view in (self.snapshot, self.edited))
        return frozenset(i for i in targets if max(before[i], after[i]) > MIN_LINKING)

    @cached_property
    def _linking(self) -> frozenset[str]:
        """Who links today to those of the changed targets that are much linked."""
        edges = self.snapshot.incoming(sorted(self._targets), relation_types=None, limit=ALL)
        return frozenset(edge.from_document_id for edge in edges)

    def _may_change(self, question: _Question) -> bool:
        """Whether a plan reads what the edits touch: relationships of its consulted seeds, links to what those name.

        Edits that give a type another role by default touch every plan.
        """
        if self._decides_types or not self._sources.isdisjoint(question.consulted):
            return True
        if not self._targets or self._linking.isdisjoint(question.consulted):
            return False
        before = question.plan()
        counted = {*before.expanded_document_ids, *(c.document_id for c in before.cut if c.reasons)}
        return not self._targets.isdisjoint(counted)

    def _take(self, saved: SavedQuestion, comparison: Comparison) -> None:
        if comparison.identical:
            return
        self.n_changed += 1
        if len(self.questions) < MAX_LISTED_QUESTIONS:
            query = saved.request.query
            relevant = self.relevant.get(query, ())
            gained, lost = (_gains(comparison, change, relevant) for change in ("added", "left"))
            self.questions.append(
                QuestionImpact(
                    run_id=saved.run_id,
                    name=saved.name,
                    query=query,
                    gained=gained,
                    lost=lost,
                    sentence=comparison.sentence,
                )
            )

    def report(self, questions: _Questions, **counts: Any) -> ImpactReport:
        """What was found, beside what was asked."""
        changed = {(each.run_id, each.query) for each in self.questions}
        asked = (
            each.model_copy(update={"changed": True}) if (each.run_id, each.query) in changed else each
            for each in questions.asked
        )
        workspace = questions.snapshot.workspace
        return ImpactReport(
            workspace=workspace.name,
            corpus_revision=workspace.revision,
            edits=self.edits,
            n_questions=questions.n_questions,
            n_changed_plans=self.n_changed_plans,
            n_changed=self.n_changed,
            n_left_out=questions.n_left_out,
            asked=tuple(asked),
            questions=tuple(self.questions),
            left_out=tuple(questions.left_out),
            **counts,
        )


def _gains(comparison: Comparison, change: Change, relevant: Collection[str]) -> Gains:
    """``relevant`` = the documents that are judged relevant to the question; none = nobody knows."""
    refs = [DocumentRef(document_id=d.document_id, title=d.title) for d in comparison.documents_with(change)]
    helpful, chunks = [ref for ref in refs if ref.document_id in relevant], comparison.chunks_with(change)
    return Gains(
        n_documents=len(refs),
        n_chunks=len(chunks),
        documents=tuple(refs[:MAX_LISTED]),
        n_relevant=len(helpful) if relevant else None,
        relevant=tuple(helpful[:MAX_LISTED]),
        chunks=tuple(
            ChunkRef(
                document_id=c.document_id,
                title=c.title,
                chunk_id=c.chunk_id,
                chunk_index=c.chunk_index,
                heading_path=c.heading_path,
            )
            for c in chunks[:MAX_LISTED]
        ),
    )


def decisions(plan: RetrievalPlan) -> RetrievalPlan:
    """A plan without its record: what is known of an edge beside that it is there decides nothing."""
    constraints = plan.constraints.model_copy(update={"relation_types": None})
    bare: dict[str, object] = {"scope": DominantScope()} if plan.scope.mode == "label" else {}
    bare |= {
        "seed_documents": tuple(map(_without_provenance, plan.seed_documents)),
        "expanded_documents": tuple(map(_without_provenance, plan.expanded_documents)),
        "cut": tuple(map(_without_provenance, plan.cut)),
    }
    return plan.model_copy(update={"plan_id": "", "constraints": constraints, **bare})


def _without_provenance(document: _Planned) -> _Planned:
    reasons = tuple(Reason.model_validate({"via": r.via, "from": r.from_document_id}) for r in document.reasons)
    counted: dict[str, None] = {"linked_by": None} if isinstance(document, CutDocument) else {}
    return document.model_copy(update={"reasons": reasons, **counted})
