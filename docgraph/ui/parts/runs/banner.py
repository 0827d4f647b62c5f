"""The banner of a frozen run: what it is, whether the data are still the same, and the ways on from it."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.baselines import MS3
from docgraph.domain.saved_run import CorpusChanges, SavedRun
from docgraph.errors import DocgraphError
from docgraph.ui.frame import assets, escape, layout, navigation, resources
from docgraph.ui.parts.copy_link import address, copy_link
from docgraph.ui.parts.runs import marks
from docgraph.views.runs import standing
from docgraph.views.words.address import BASELINE, RUN, WORKSPACE, inputs_of
from docgraph.views.words.moments import name_of, person
from docgraph.views.words.staleness import Staleness, staleness

__all__ = ["copy_link", "frozen_banner", "live_query", "run_links", "stale_part", "staleness_of"]


def frozen_banner(saved: SavedRun, *, key: str, compared: bool = False) -> None:
    """One band over a frozen run; ``key`` is unique on the page, ``compared`` = the page compares it already."""
    assets.style(__file__, "marks.css", "banner.css")
    state = staleness_of(saved)
    with st.container(key=f"rn-frozen-{key}", gap=None):
        st.html(_identity(saved))
        with st.container(key=f"rn-frozenrow-{key}", horizontal=True, vertical_alignment="center", gap="small"):
            stale_part(state, key=key)
            run_links(saved, state, compared=compared)
            if not compared:
                copy_link("Copy link to this version", "/plan", {RUN: [saved.run_id]}, key=f"{key}_copy")


def staleness_of(saved: SavedRun) -> Staleness:
    """What changed since the run was saved, in words; asked once for each revision of the data."""
    return staleness(_changes(saved.run_id, current_revisions().get(saved.workspace, ""), saved))


def current_revisions() -> dict[str, str]:
    """Workspace → its revision now."""
    return {workspace.name: workspace.revision for workspace in resources.workspaces()}


@st.cache_resource(max_entries=128, ttl="6h", show_spinner=False)
def _changes(run_id: str, revision_now: str, _saved: SavedRun) -> CorpusChanges:
    del run_id  # part of the key only: the id names the content
    if not revision_now:
        return CorpusChanges(revision_before=_saved.corpus_revision, revision_now="", known=False)
    return resources.docgraph(_saved.workspace).runs.changes_since(_saved)


def _identity(saved: SavedRun) -> str:
    approved = ""
    try:
        by = standing(resources.docgraph().runs.reviews(saved.run_id)).approved_by
        approved = f'<span class="rn-chip">{layout.glyph("check")}Approved by {escape.html(by)}</span>' if by else ""
    except DocgraphError:
        pass  # deleted while it is open: the page still shows what it has
    pinned = marks.baseline() if saved.pinned else ""
    return (
        f'<p class="rn-identity">{layout.glyph("lock")}<span>Saved version <b>‘{escape.html(name_of(saved))}’</b>, '
        f"{marks.at(saved.saved_at)} by "
        f'{escape.html(person(saved.saved_by))}, hash <code title="{escape.html(saved.content_hash)}">{saved.run_id}'
        f"</code> · revision {marks.revision(saved.corpus_revision)}</span>{pinned}{approved}</p>"
    )


def stale_part(state: Staleness, *, key: str) -> None:
    """Whether the data are still the same: a line, or a button that opens what changed."""
    if state.state == "fresh":
        st.html(f'<p class="rn-fresh">{layout.glyph("check")}{escape.html(state.sentence)}</p>')
        return
    sentence = state.sentence[:1].upper() + state.sentence[1:]
    if not state.rows and not state.remark:
        st.html(f'<p class="rn-stale">{layout.glyph("clock")}{escape.html(sentence)}</p>')
        return
    with st.popover(escape.label(sentence), key=f"rn-stale-{key}", width="content"):
        st.html(changed_rows(state))


def changed_rows(state: Staleness) -> str:
    """HTML of the list of changes, in-run first."""
    rows = "".join(
        f"<li><b>{escape.html(row.name)}</b> <span>{escape.html(row.what)}</span>"
        f"{'<em>in this version</em>' if row.in_run else ''}</li>"
        for row in state.rows
    )
    counted = f'<p class="dg-note">{escape.html(state.counted)} changes shown.</p>' if state.counted else ""
    remark = f'<p class="dg-note">{escape.html(state.remark)}</p>' if state.remark else ""
    return f'<div class="rn-changes"><ul>{rows}</ul>{counted}{remark}</div>' if rows else remark


def run_links(saved: SavedRun, state: Staleness, *, compared: bool = False) -> None:
    """Links: re-run on today's data, open live, compare; only those that lead somewhere."""
    if state.state != "dropped":
        _live(
            saved,
            "compare",
            "Compare with current data",
            help="The saved answer beside a new answer with the current data",
        )
        _live(saved, "plan", "Ask with current data", help="The same question and limits with the current data")
    if compared:
        return
    here = {WORKSPACE: saved.workspace} if state.state != "dropped" else {}
    navigation.link(
        "compare",
        "Compare",
        query={RUN: saved.run_id, BASELINE: MS3, **here},
        help="This version without and with relationships",
    )


def _live(saved: SavedRun, page: str, label: str, *, help: str) -> None:
    """A plain link that loads the page anew: from its own links Streamlit drops what the page being left binds."""
    if navigation.page(page) is not None:
        to = escape.html(address(f"/{page}", live_query(saved, page)))
        st.html(f'<a class="rn-link" href="{to}" target="_self" title="{escape.html(help)}">{escape.html(label)}</a>')


def live_query(saved: SavedRun, page: str) -> dict[str, list[str]]:
    """The inputs of a saved run on today's data; on the Compare page the run itself is their baseline (A)."""
    beside = {BASELINE: [saved.run_id]} if page == "compare" else {}
    return {**inputs_of(saved.run.request, saved.workspace), **beside}
