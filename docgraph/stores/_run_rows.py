"""What stores of saved runs share: the summary of a run, who approves it, and what may stand for an id."""

from __future__ import annotations

import re
from collections.abc import Iterable

from docgraph.domain.saved_run import ReviewEntry, RunSummary, SavedRun
from docgraph.errors import UserError


def checked_prefix(run_id: str) -> str:
    """``run_id`` in lower case. Raises UserError when it cannot be one, nor the beginning of one."""
    prefix = run_id.strip().lower()
    if not re.fullmatch(r"[0-9a-f]{4,64}", prefix):
        raise UserError(
            f"{run_id[:64]!r} is not the id of a run", hint="an id has 12 characters 0–9 and a–f; 4 of them are enough"
        )
    return prefix


def approver(reviews: Iterable[ReviewEntry]) -> str:
    """Who approved last, unless it was withdrawn since; an approval without a name is by "somebody"."""
    by = ""
    for entry in reviews:
        if entry.kind == "approved":
            by = entry.by or "somebody"
        elif entry.kind == "withdrawn":
            by = ""
    return by


def summary_of(saved: SavedRun, *, approved_by: str = "", deleted_at: str = "") -> RunSummary:
    """A saved run as it stands in a list."""
    run = saved.run
    return RunSummary(
        run_id=saved.run_id, workspace=saved.workspace, name=saved.name, note=saved.note, query=run.request.query,
        saved_at=saved.saved_at, saved_by=saved.saved_by, pinned=saved.pinned, content_hash=saved.content_hash,
        plan_id=run.plan.plan_id, corpus_revision=saved.corpus_revision, embedder_id=run.plan.embedder_id,
        n_seeds=len(run.plan.seed_documents), n_expanded=len(run.plan.expanded_documents),
        n_chunks=run.context.n_chunks, n_tokens=run.assembled.total_tokens, approved_by=approved_by,
        deleted_at=deleted_at,
    )  # fmt: skip
