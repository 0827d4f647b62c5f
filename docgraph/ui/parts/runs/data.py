"""What the Runs page asks for: rows by id and scope, one run, and whether a run was put away."""

from __future__ import annotations

from docgraph.domain.saved_run import RunSummary
from docgraph.errors import UserError
from docgraph.ui.frame import resources

MAX_FOUND = 200
"""Rows that one search returns at most."""


def rows(text: str = "", *, everywhere: bool = False, deleted: bool = False) -> tuple[RunSummary, ...]:
    """Saved runs of this workspace (or of all), pinned first, then the newest."""
    return resources.docgraph().runs.list(text=text.strip(), everywhere=everywhere, deleted=deleted)


def summary(run_id: str, *, deleted: bool = False) -> RunSummary | None:
    """The row of a run by its whole id, in whatever workspace; ``None`` when there is none."""
    found = resources.docgraph().runs.list(text=run_id, everywhere=True, deleted=deleted)
    return next((row for row in found if row.run_id == run_id), None)


def put_away(run_id: str) -> RunSummary | None:
    """The deleted run that an id or its beginning means; ``None`` when no single one does."""
    wanted = run_id.strip().lower()
    if len(wanted) < 4:
        return None
    try:
        found = resources.docgraph().runs.list(text=wanted, everywhere=True, deleted=True)
    except UserError:
        return None
    same = [row for row in found if row.run_id.startswith(wanted)]
    return same[0] if len(same) == 1 else None
