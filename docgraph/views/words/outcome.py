"""What relationships change in the answer to one question, or in a saved run, counted."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from docgraph.domain.baselines import MS3
from docgraph.domain.comparison import Comparison
from docgraph.domain.plan import RetrievalPlan
from docgraph.domain.run import Run
from docgraph.domain.saved_run import SavedRun
from docgraph.views.words.counts import UNKNOWN, left_out, plural

SUCCESSOR = "superseded_by"
"""The relation type that leads from an old document to the one that holds now."""


@dataclass(frozen=True)
class Outcome:
    """``value`` is said first: ``2 → 3 of 3``; ``rest`` follows it: `` relevant documents read, 2 added``."""

    value: str
    rest: str


def outcome(comparison: Comparison, effect: str = "") -> Outcome:
    """The run without relationships (A) beside the one with them (B); ``effect`` chooses what is said after the value.

    A known effect (``cap_cut``, ``conflict_superseded``, ``document_displaced``) says its own number where the runs
    have it; else documents added, and removed where no more relevant ones are read.
    """
    if comparison.identical:
        expands = bool(comparison.b.run.plan.expanded_documents)
        return Outcome("No difference:" if expands else "Nothing to follow:", " same result")
    said = _said(comparison, effect)
    n = len(comparison.relevant)
    if not n:
        return Outcome(said, ", not judged yet")
    before, after = _relevant(comparison)
    return Outcome(f"{before:,} → {after:,} of {n:,}", f" relevant documents read{';' if ',' in said else ','} {said}")


def _relevant(comparison: Comparison) -> tuple[int, int]:
    """How many of the documents judged relevant A reads, and how many B."""
    return sum(d.in_a for d in comparison.relevant), sum(d.in_b for d in comparison.relevant)


def _said(comparison: Comparison, effect: str) -> str:
    plan = comparison.b.run.plan
    successors = _successors(plan)
    if effect == "conflict_superseded" and successors:
        return f"{plural(successors, 'successor')} added"
    if effect == "cap_cut" and (cut := _cut(plan)):
        return cut
    n_in, n_out = len(comparison.documents_with("added")), len(comparison.documents_with("left"))
    before, after = _relevant(comparison)
    return f"{n_in:,} added, {n_out:,} removed" if after <= before else f"{n_in:,} added"


def _successors(plan: RetrievalPlan) -> int:
    return sum(any(reason.via == SUCCESSOR for reason in d.reasons) for d in plan.expanded_documents)


def _cut(plan: RetrievalPlan) -> str:
    """``8 of 10 related left out (limit: 2)``; empty when that limit cut nothing."""
    total = next((each for each in plan.cut_totals if each.limit == "max_expanded"), None)
    if total is None or total.kept >= total.total:
        return ""
    return f"{total.total - total.kept:,} of {total.total:,} related {left_out(total.limit, total.value, bare=True)}"


def unread_documents(plan: RetrievalPlan) -> tuple[str, str] | None:
    """Label and meaning: ``("4 documents unread", …)``; None where every planned document has a passage.

    A plan that reads one chunk of each document first, in plan order, ends where ``max_chunks`` does: its last
    documents, which are the related ones, get none. One that reads the best of all chunks promises none to anybody.
    """
    limits, n, left = plan.constraints, len(plan.document_ids), plan.n_unread
    if not left:
        return None
    related = min(left, len(plan.expanded_documents))
    which = f", {'all' if related == left else f'{related:,}'} of them related" if related else ""
    return (
        f"{plural(left, 'document')} unread",
        f"{plural(n, 'document')} are planned and {plural(limits.max_chunks, 'passage')} read, so the last {left:,} "
        f"get none{which}. Raise the passage limit to {n:,}, or lower the document limit.",
    )


@dataclass(frozen=True)
class RunDocuments:
    """Ids that were planned; ``without`` relationships is ``None`` where no such run was saved along.

    ``unread`` and ``unread_without`` = those of them of which no chunk is read: whether they are relevant or not, they
    help nobody.
    """

    planned: frozenset[str]
    without: frozenset[str] | None
    unread: frozenset[str] = frozenset()
    unread_without: frozenset[str] = frozenset()


@dataclass(frozen=True)
class RunChange:
    """The counts as words; ``--`` for what is not known. ``better`` = more relevant ones (1), fewer (-1), else 0."""

    came_in: str = UNKNOWN
    went_out: str = UNKNOWN
    relevant: str = UNKNOWN
    better: int = 0


def run_documents(saved: SavedRun) -> RunDocuments:
    """The documents of a run and of the one without relationships that was saved with it."""
    baseline = saved.baselines.get(MS3)
    planned, unread = _documents(saved.run)
    if baseline is None:
        return RunDocuments(planned, None, unread)
    without, unread_without = _documents(baseline)
    return RunDocuments(planned, without, unread, unread_without)


def _documents(run: Run) -> tuple[frozenset[str], frozenset[str]]:
    planned = frozenset(run.plan.document_ids)
    return planned, planned.difference(run.context.read_document_ids)


def run_change(documents: RunDocuments, relevant: Collection[str]) -> RunChange:
    """``relevant`` = ids judged relevant to the question; empty: nobody judged, so nothing is known."""
    if documents.without is None:
        return RunChange()
    came, went = documents.planned - documents.without, documents.without - documents.planned
    wanted = frozenset(relevant)
    before = len((documents.without - documents.unread_without) & wanted)
    after = len((documents.planned - documents.unread) & wanted)
    return RunChange(
        came_in=f"+{len(came):,}" if came else "0",
        went_out=f"−{len(went):,}" if went else "0",
        relevant=f"{before:,} → {after:,} of {len(wanted):,}" if wanted else UNKNOWN,
        better=(after > before) - (after < before) if wanted else 0,
    )
