"""What relationships changed in a saved run, counted: documents in and out, and what of it is judged relevant."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from docgraph.domain.baselines import MS3
from docgraph.domain.saved_run import SavedRun
from docgraph.views.words.counts import UNKNOWN


@dataclass(frozen=True)
class RunDocuments:
    """Ids that were read; ``without`` relationships is ``None`` where no such run was saved along."""

    read: frozenset[str]
    without: frozenset[str] | None


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
    without = frozenset(baseline.plan.document_ids) if baseline is not None else None
    return RunDocuments(frozenset(saved.run.plan.document_ids), without)


def run_change(documents: RunDocuments, relevant: Collection[str]) -> RunChange:
    """``relevant`` = ids judged relevant to the question; empty: nobody judged, so nothing is known."""
    if documents.without is None:
        return RunChange()
    came, went = documents.read - documents.without, documents.without - documents.read
    wanted = frozenset(relevant)
    before, after = len(documents.without & wanted), len(documents.read & wanted)
    return RunChange(
        came_in=f"+{len(came):,}" if came else "0",
        went_out=f"−{len(went):,}" if went else "0",
        relevant=f"{before:,} → {after:,} of {len(wanted):,}" if wanted else UNKNOWN,
        better=(after > before) - (after < before) if wanted else 0,
    )
