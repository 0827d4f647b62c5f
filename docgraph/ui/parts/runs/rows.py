"""Saved runs as rows of a table: what relationships changed in each, and how it stands."""

from __future__ import annotations

from docgraph.domain.saved_run import RunSummary
from docgraph.ui.frame import escape, layout
from docgraph.ui.parts.runs import marks
from docgraph.ui.parts.runs.data import change
from docgraph.views.words.moments import name_of, person

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
