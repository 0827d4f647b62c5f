"""Saved versions as pages list them: read once for each state, and drawn as rows."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.saved_run import RunSummary
from docgraph.errors import DocgraphError, UserError
from docgraph.ui.frame import escape, layout, resources
from docgraph.ui.parts.runs import marks
from docgraph.views.words.moments import name_of, person
from docgraph.views.words.outcome import RunChange, RunDocuments, run_change, run_documents


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


_COLUMNS = (
    *("Version", "Question", f"{layout.glyph('added')}In", f"{layout.glyph('left')}Out", "Relevant found", "Tokens"),
    *("Saved", "Revision", "State", "Id"),
)
HEAD = (
    '<div class="rn-row rn-headrow" aria-hidden="true">'
    + "".join(f"<span>{name}</span>" for name in _COLUMNS)
    + "</div>"
)


_RELEVANT = "Relevant documents found: without relationships → with relationships"
_JUDGED = {
    1: f'<span class="rn-better">{layout.glyph("up", "better")}</span> ',
    -1: f'<span class="rn-worse">{layout.glyph("down", "worse")}</span> ',
    0: "",
}


def cells(row: RunSummary, revision_now: str | None, *, workspace: str = "") -> str:
    """HTML of one row; ``workspace`` is named where rows of several stand together."""
    where = f"<small>{escape.html(workspace)}</small>" if workspace else ""
    same = " rn-question-same" if row.name == row.query else ""
    question = "" if same else escape.html(row.query)
    found = change(row)
    return (
        f'<div class="rn-row{" rn-row-same" if same else ""}">'
        f'<span class="rn-name"><b>{escape.html(name_of(row))}</b>{where}</span>'
        f'<span class="rn-question{same}">{question}</span>'
        f'<span class="rn-n" title="Documents that relationships add">{found.came_in}<i> added</i></span>'
        f'<span class="rn-n" title="Documents removed for them">{found.went_out}<i> removed</i></span>'
        f'<span class="rn-n" title="{_RELEVANT}">{_JUDGED[found.better]}{found.relevant}<i> relevant found</i></span>'
        f'<span class="rn-n">{row.n_tokens:,}<i> tokens</i></span>'
        f'<span class="rn-when">{marks.at(row.saved_at)} '
        f"<em>by {escape.html(person(row.saved_by))}</em></span>"
        f'<span class="rn-rev">{marks.revision(row.corpus_revision)}</span>'
        f'<span class="rn-state">{marks.state(row, revision_now)}</span>'
        f'<span class="rn-id"><code>{row.run_id}</code></span></div>'
    )
