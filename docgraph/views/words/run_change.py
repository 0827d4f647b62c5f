"""What relationships changed in a saved run, counted: documents in and out, and what of it is judged relevant."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from docgraph.domain.baselines import MS3
from docgraph.domain.run import Run
from docgraph.domain.saved_run import SavedRun
from docgraph.views.words.counts import UNKNOWN


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
