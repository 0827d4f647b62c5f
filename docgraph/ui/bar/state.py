"""The right of the bar: search, short revision, what this session writes, and who is signed in."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.workspace import Workspace
from docgraph.ui.bar.own_sign_ins import forget_question, own_sign_ins
from docgraph.ui.bar.search import search
from docgraph.ui.frame import escape, layout, resources
from docgraph.ui.frame.state import guarded_click
from docgraph.ui.parts.curation.state import curator
from docgraph.ui.parts.runs.saving import person_name

REVISION_LENGTH = 6
ACCOUNT_KEY = "dg-account"
JUDGE_TAB = "judge"
"""``?tab=`` of the page on which judgments of passages are kept."""

READ_ONLY = "No relationship can be changed until editing is switched on; the Library adds and removes documents"


def state(current: Workspace) -> None:
    """Draw it for the workspace that is shown."""
    with st.container(key="dg-header", horizontal=True, vertical_alignment="center", gap="small"):
        search()
        revision = escape.html(current.revision[:REVISION_LENGTH])
        shown = (
            f'<span class="dg-rev" title="{escape.html(current.revision)}">rev <code>{revision}</code></span>'
            if revision
            else ""
        )
        st.html(f'<div class="dg-state">{shown}{_writing()}</div>')
        _signed_in()


def _signed_in() -> None:
    """Who is signed in and as what, with the way out; nothing where nobody signs in."""
    who = resources.person()
    if who is None:
        return
    with st.popover(escape.label(who.name, limit=28), key=ACCOUNT_KEY, width="content", on_change="rerun"):
        st.html(f'<p class="dg-note">Signed in as <b>{escape.html(who.name)}</b>, {who.role}.</p>')
        if st.button("Your sign-ins", key="docgraph.own_sign_ins", on_click=_to_own_sign_ins, width="stretch"):
            own_sign_ins()
        st.button("Sign out", on_click=st.logout, key="docgraph.signout", width="stretch")
        st.button("Sign out everywhere", on_click=_sign_out_everywhere, key="docgraph.signout_all", width="stretch")


def _to_own_sign_ins() -> None:
    """The pop-up closes, so that nothing lies beside the dialog."""
    st.session_state[ACCOUNT_KEY] = False
    forget_question()


def _sign_out_everywhere() -> None:
    if guarded_click(resources.sign_out_everywhere):
        st.logout()


def _writing() -> str:
    """What this session writes: judgments on the Judge tab, relationships while editing is on, else nothing."""
    judge = person_name() if st.query_params.get("tab") == JUDGE_TAB else ""
    if judge:
        name = escape.html(escape.shorten(judge, 28))
        return f'<span class="dg-readonly" title="Every grade is kept under this name">Judging as <b>{name}</b></span>'
    if resources.only_reads():
        why = escape.html(resources.closed(""))
        return f'<span class="dg-readonly" title="{why}">{layout.glyph("lock")}Read-only table</span>'
    by = curator()
    if by:
        return f'<span class="dg-readonly" title="Editing relationships as {escape.html(by)}">Editing on</span>'
    return f'<span class="dg-readonly" title="{READ_ONLY}">{layout.glyph("lock")}Read-only</span>'
