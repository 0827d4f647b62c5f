"""Asks the saved questions on the data as it is and as edits would make it, and tells what comes back differently."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from docgraph.curation.overlay import EditedSnapshot
from docgraph.domain.comparison import Change, Comparison
from docgraph.domain.edit import Edit
from docgraph.domain.frozen import fingerprint
from docgraph.domain.graph import DocumentRef
from docgraph.domain.impact import (
    MAX_LISTED,
    MAX_LISTED_QUESTIONS,
    ChunkRef,
    Gains,
    ImpactReport,
    QuestionImpact,
    QuestionLeftOut,
)
from docgraph.domain.plan import RetrievalPlan
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.saved_run import SavedRun
from docgraph.errors import UserError
from docgraph.ports import Progress, Snapshot


class Asking(Protocol):
    """The stages that a question goes through; given from outside, because stages do not know each other."""

    def plan(self, request: RetrievalRequest, snapshot: Snapshot) -> RetrievalPlan:
        """The plan on a snapshot; the question is embedded once, however often it is planned. Raises UserError."""
        ...

    def compare(
        self, request: RetrievalRequest, before: RetrievalPlan, after: RetrievalPlan, *, label: str
    ) -> Comparison:  # fmt: skip
        """Execute both plans and compare what they read; ``label`` names the side of ``after``."""
        ...


def find_impact(
    edits: Sequence[Edit], saved_runs: Iterable[SavedRun], asking: Asking, *, snapshot: Snapshot, n_saved_runs: int,
    limit: int, progress: Progress | None = None,
) -> ImpactReport:  # fmt: skip
    """What ``edits`` change in the answers to the first ``limit`` different questions of ``saved_runs``.

    ``saved_runs`` are read one at a time and not kept. Raises what ``EditedSnapshot`` raises.
    """
    found = _Found(asking, snapshot, EditedSnapshot(snapshot, edits), label=_label(edits))
    seen: set[str] = set()
    n_read, complete = 0, True
    for saved in saved_runs:
        if progress is not None and progress.cancelled():
            complete = False
            break
        request_id = fingerprint(saved.run.request.model_dump(mode="json"))
        if request_id not in seen and len(seen) >= limit:
            break
        n_read += 1
        if request_id not in seen:
            seen.add(request_id)
            found.ask(saved)
        if progress is not None:
            progress.update(n_read, n_saved_runs, saved.name)
    workspace = snapshot.workspace
    return ImpactReport(
        workspace=workspace.name, corpus_revision=workspace.revision, edits=tuple(edits), n_saved_runs=n_saved_runs,
        n_questions=found.n_questions, n_changed_plans=found.n_changed_plans, n_changed=found.n_changed,
        n_left_out=found.n_left_out, n_not_asked=n_saved_runs - n_read, complete=complete,
        questions=tuple(found.questions), left_out=tuple(found.left_out),
    )  # fmt: skip


def decides_the_same(a: RetrievalPlan, b: RetrievalPlan) -> bool:
    """Whether two plans are equal but for the list of allowed types, which names every type that there is.

    A type that comes or goes changes that list in every plan of a workspace that has switched a type off; no document
    comes in or stays out for it.
    """
    return _decisions(a) == _decisions(b)


@dataclass
class _Found:
    """What was found so far; its size does not grow with the number of questions beyond what is listed."""

    asking: Asking
    snapshot: Snapshot
    edited: EditedSnapshot
    label: str
    n_questions: int = 0
    n_changed_plans: int = 0
    n_changed: int = 0
    n_left_out: int = 0
    questions: list[QuestionImpact] = field(default_factory=list)
    left_out: list[QuestionLeftOut] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._sources = self.edited.changed_sources
        workspace = self.snapshot.workspace
        self._state = (workspace.name, workspace.revision, workspace.embedder.embedder_id)

    def ask(self, saved: SavedRun) -> None:
        """Plan one question without and with the edits, and compare when the plans differ."""
        request = saved.run.request
        try:
            before = self._plan(saved)
            self.n_questions += 1
            if self._sources.isdisjoint(ref.document_id for ref in before.consulted):
                return  # relationships of consulted seeds are all that a plan reads of them
            after = self.asking.plan(request, self.edited)
        except UserError as error:
            self._leave_out(saved, error.message)
            return
        if decides_the_same(before, after):
            return
        self.n_changed_plans += 1
        self._take(saved, self.asking.compare(request, before, after, label=self.label))

    def _plan(self, saved: SavedRun) -> RetrievalPlan:
        """The question's plan on today's data: the saved one, when it was made on this very state.

        Planning is pure: equal questions on equal states have equal plans, so nothing has to be asked for that.
        """
        plan = saved.run.plan
        if (plan.workspace, plan.corpus_revision, plan.embedder_id) == self._state:
            return plan
        return self.asking.plan(saved.run.request, self.snapshot)

    def _leave_out(self, saved: SavedRun, reason: str) -> None:
        self.n_left_out += 1
        if len(self.left_out) < MAX_LISTED_QUESTIONS:
            row = QuestionLeftOut(run_id=saved.run_id, name=saved.name, query=saved.run.request.query, reason=reason)
            self.left_out.append(row)

    def _take(self, saved: SavedRun, comparison: Comparison) -> None:
        if comparison.identical:
            return
        self.n_changed += 1
        if len(self.questions) < MAX_LISTED_QUESTIONS:
            self.questions.append(
                QuestionImpact(
                    run_id=saved.run_id, name=saved.name, query=saved.run.request.query,
                    gained=_gains(comparison, "added"), lost=_gains(comparison, "left"), sentence=comparison.sentence,
                )
            )  # fmt: skip


def _gains(comparison: Comparison, change: Change) -> Gains:
    documents, chunks = comparison.documents_with(change), comparison.chunks_with(change)
    return Gains(
        n_documents=len(documents),
        n_chunks=len(chunks),
        documents=tuple(DocumentRef(document_id=d.document_id, title=d.title) for d in documents[:MAX_LISTED]),
        chunks=tuple(
            ChunkRef(
                document_id=c.document_id, title=c.title, chunk_id=c.chunk_id, chunk_index=c.chunk_index,
                heading_path=c.heading_path,
            )
            for c in chunks[:MAX_LISTED]
        ),
    )  # fmt: skip


def _decisions(plan: RetrievalPlan) -> RetrievalPlan:
    constraints = plan.constraints.model_copy(update={"relation_types": None})
    return plan.model_copy(update={"plan_id": "", "constraints": constraints})


def _label(edits: Sequence[Edit]) -> str:
    """How the verdict names the data as the edits would make it."""
    return "this edit" if len(edits) == 1 else f"this set of {len(edits):,} edits"
