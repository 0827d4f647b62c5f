"""The right side of the header: workspace switcher, short revision, and what this session writes."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import streamlit as st
from streamlit.errors import StreamlitAPIException

from docgraph.domain.workspace import Workspace
from docgraph.errors import DocgraphError
from docgraph.ui.frame import escape, layout, resources
from docgraph.ui.frame.resources import WORKSPACE_KEY
from docgraph.ui.frame.state import session
from docgraph.ui.parts.curation.state import curator
from docgraph.ui.parts.runs.saving import person_name
from docgraph.ui.shell.own_sign_ins import forget_question, own_sign_ins

REVISION_LENGTH = 6
ACCOUNT_KEY = "dg-account"
JUDGE_TAB = "judge"
"""``?tab=`` of the page on which judgments of passages are kept."""

READ_ONLY = "No relationship can be changed until editing is switched on; the Library adds and removes documents"


def header(workspaces: Sequence[Workspace], current: Workspace) -> None:
    """Draw it; the switcher is bound to ``?workspace=`` and kept over page changes."""
    with st.container(key="dg-header", horizontal=True, vertical_alignment="center", gap="small"):
        only = ""
        if len(workspaces) == 1:  # nothing to choose: a name costs a first visit none of a list's scripts
            st.session_state[WORKSPACE_KEY] = current.name
            if st.query_params.get(WORKSPACE_KEY) not in (None, current.name):  # that of one that was left
                with suppress(StreamlitAPIException):  # its list was drawn a moment ago: the next run may
                    del st.query_params[WORKSPACE_KEY]
            name = escape.html(current.name)
            only = f'<b class="dg-only" title="The only workspace: {name}">{name}</b>'
        elif workspaces:
            # A deep link's ?workspace= is known only once its widget has been drawn.
            chosen = _switcher([workspace.name for workspace in workspaces], current)
            current = next(workspace for workspace in workspaces if workspace.name == chosen)
        revision = escape.html(current.revision[:REVISION_LENGTH])
        shown = f'<span title="{escape.html(current.revision)}">rev <code>{revision}</code></span>' if revision else ""
        st.html(f'<div class="dg-state">{only}{shown}{_writing()}</div>')
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
    try:
        resources.sign_out_everywhere()
    except DocgraphError as problem:
        session().problems.append(problem)
        return
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


def _switcher(names: list[str], current: Workspace) -> str:
    """The list of workspaces; the address names the one that is shown, unless an address without one means it.

    A value that is the widget's own default is left out of the address. So the default is the workspace of the
    settings and never the one that happens to be shown; where that one is not there, nothing is the default.
    """
    default = resources.settings().workspace
    if st.session_state.get(WORKSPACE_KEY) not in names:
        # The first run, a dropped workspace, or a name in an old link: what is shown, instead of failing.
        st.session_state[WORKSPACE_KEY] = current.name
    chosen = st.selectbox(
        "Workspace",
        sorted(names, key=lambda name: name != default),
        index=0 if default in names else None,
        key=WORKSPACE_KEY,
        bind="query-params",
        persist_state="session",
        label_visibility="collapsed",
        width=160,
    )
    return str(chosen or current.name)
