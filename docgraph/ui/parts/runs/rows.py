"""The list of saved runs: one row a run, a tick for comparing two of them, a link over the row that opens it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from docgraph.domain.saved_run import RunSummary
from docgraph.ui.frame import escape, layout, navigation
from docgraph.ui.parts.runs import marks
from docgraph.ui.parts.runs.banner import current_revisions
from docgraph.ui.parts.runs.data import MAX_FOUND, change
from docgraph.views.words.counts import n_of_m, plural
from docgraph.views.words.moments import name_of, person

PAGE_ROWS = 20
"""Rows that are drawn at first, and more with each *Show more*."""

_DRAWN = "docgraph.runs.drawn"


def run_list(found: Sequence[RunSummary], *, text: str, shown: str | None) -> None:
    """Draw the rows; ``shown`` = id (or its beginning) of the run that is open beside them."""
    drawn = found[: int(st.session_state.get(_DRAWN, PAGE_ROWS))]
    _compare_bar(drawn, len(found))
    if not found:
        layout.empty("No other run", "Nothing matches the search." if text else "This workspace has no saved runs.")
        return
    revisions = current_revisions()
    several = len({row.workspace for row in found}) > 1
    with st.container(key="rn-list", gap=None):
        st.html(HEAD)
        for row in drawn:
            _row(
                row,
                text=text,
                shown=bool(shown) and row.run_id.startswith(str(shown).lower()),
                revision_now=revisions.get(row.workspace),
                workspace=row.workspace if several else "",
            )
    if len(drawn) < len(found):
        st.button(
            f"{n_of_m(len(drawn), len(found))}: show more",
            key="docgraph.runs.more",
            on_click=_show_more,
            type="tertiary",
        )


def _show_more() -> None:
    st.session_state[_DRAWN] = int(st.session_state.get(_DRAWN, PAGE_ROWS)) + PAGE_ROWS


def _tick_key(run_id: str) -> str:
    return f"docgraph.runs.tick.{run_id}"


def _compare_bar(drawn: Sequence[RunSummary], n: int) -> None:
    ticked = [row for row in drawn if st.session_state.get(_tick_key(row.run_id))]
    with st.container(key="rn-bar", horizontal=True, vertical_alignment="center", gap="small"):
        more = f"; more match, the list stops at {MAX_FOUND}: narrow the search" if n >= MAX_FOUND else ""
        if len(ticked) == 2:
            a, b = sorted(ticked, key=lambda row: (row.saved_at, row.run_id))
            navigation.link(
                "compare",
                f"Compare {_short(a)} (A) with {_short(b)} (B)",
                query={"run": b.run_id, "baseline": a.run_id},
            )
        elif ticked:
            said = "Tick one more run to compare the two" if len(ticked) == 1 else f"{len(ticked)} are ticked: tick two"
            st.html(f'<p class="dg-note" role="status">{said}.</p>')
        elif n:
            hint = " Tick two to compare them." if n > 1 else ""
            st.html(f'<p class="dg-note">{plural(n, "run")}, pinned first, then the newest{more}.{hint}</p>')


def _short(row: RunSummary) -> str:
    return escape.label(f"‘{escape.shorten(name_of(row), 28)}’")


_COLUMNS = (
    *("Run", "Question", f"{layout.glyph('added')}In", f"{layout.glyph('left')}Out", "Relevant read", "Tokens"),
    *("Saved", "Revision", "State", "Id"),
)
HEAD = (
    '<div class="rn-row rn-headrow" aria-hidden="true">'
    + "".join(f"<span>{name}</span>" for name in _COLUMNS)
    + "</div>"
)


def _row(row: RunSummary, *, text: str, shown: bool, revision_now: str | None, workspace: str) -> None:
    with st.container(key=f"rn-row-{row.run_id}{'-shown' if shown else ''}", horizontal=True, gap=None):
        name = escape.label(escape.shorten(name_of(row), 80))
        st.checkbox(f"Tick {name} to compare it", key=_tick_key(row.run_id), label_visibility="collapsed")
        st.html(cells(row, revision_now, workspace=workspace))
        query = {"run": row.run_id} | ({"find": text} if text else {})
        navigation.link("runs", f"Open {name}", query=query)


_RELEVANT = "Documents judged relevant to the question that are read: without relationships → with them"
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
        f'<span class="rn-n" title="Documents that relationships bring in">{found.came_in}<i> in</i></span>'
        f'<span class="rn-n" title="Documents that leave for them">{found.went_out}<i> out</i></span>'
        f'<span class="rn-n" title="{_RELEVANT}">{_JUDGED[found.better]}{found.relevant}<i> relevant read</i></span>'
        f'<span class="rn-n">{row.n_tokens:,}<i> tokens</i></span>'
        f'<span class="rn-when">{marks.at(row.saved_at)} '
        f"<em>by {escape.html(person(row.saved_by))}</em></span>"
        f'<span class="rn-rev">{marks.revision(row.corpus_revision)}</span>'
        f'<span class="rn-state">{marks.state(row, revision_now)}</span>'
        f'<span class="rn-id"><code>{row.run_id}</code></span></div>'
    )
