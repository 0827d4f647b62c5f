"""What pages ask of saved runs: rows by id and scope, one run, and whether a run was put away."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.saved_run import RunSummary
from docgraph.errors import DocgraphError, UserError
from docgraph.ui.frame import resources
from docgraph.views.words.outcome import RunChange, RunDocuments, run_change, run_documents

MAX_FOUND = 200
"""Rows that one search returns at most."""


def rows(text: str = "", *, everywhere: bool = False, deleted: bool = False) -> tuple[RunSummary, ...]:
    """Saved runs of this workspace (or of all), pinned first, then the newest."""
    return resources.docgraph().runs.list(text=text.strip(), everywhere=everywhere, deleted=deleted)


def summary(run_id: str, *, deleted: bool = False) -> RunSummary | None:
    """The row of a run by its whole id, in whatever workspace; ``None`` when there is none."""
    found = resources.docgraph().runs.list(text=run_id, everywhere=True, deleted=deleted)
    return next((row for row in found if row.run_id == run_id), None)


def change(row: RunSummary) -> RunChange:
    """What relationships changed in a run; nothing known where the run cannot be read."""
    try:
        documents = _documents(row.run_id)
        judged = resources.docgraph(row.workspace).judgments.of_documents(row.query)
    except DocgraphError:
        return RunChange()
    return run_change(documents, [each.document_id for each in judged if each.relevant])


@st.cache_resource(max_entries=1_000, show_spinner=False)
def _documents(run_id: str) -> RunDocuments:
    """A saved run never changes, so it is read once."""
    return run_documents(resources.docgraph().runs.get(run_id))


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
