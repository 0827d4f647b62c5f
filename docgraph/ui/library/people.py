"""People: who is signed in, since when, and what they take of this process; for admins, who may end it."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from docgraph.domain.person import SignIn
from docgraph.domain.workspace import Workspace
from docgraph.ui.frame import escape, layout, people, resources
from docgraph.ui.frame.quotas import quotas
from docgraph.ui.library.person import in_this_process, person_panel
from docgraph.views.words.counts import n_of_m
from docgraph.views.words.people import browser, counted, minute

TABLE_KEY = "docgraph.library.people"
FILTER_KEY, SIGN_IN_KEY = "person", "sign_in"
ROW_HEIGHT, TABLE_HEIGHT = 36, 520
NOBODY_SIGNS_IN = (
    "Nobody signs in here: whoever reaches this page may do everything. For several people set "
    "<code>DOCGRAPH_OIDC_METADATA_URL</code> and the rest of <code>docs/people.md</code>, then start again."
)
FOR_ADMINS = "Who is signed in is for admins to see. Your own sign-ins are under your name, at the top."


def people_view(workspace: Workspace) -> None:
    """The table of sign-ins on the left; on the right the chosen one, its person, and the process."""
    del workspace
    who = resources.person()
    if who is None or not who.may("admin"):
        st.html(f'<p class="dg-note">{NOBODY_SIGNS_IN if who is None else FOR_ADMINS}</p>')
        return
    everybody = people.everybody()
    _head(everybody)
    table, panel = st.columns([13, 9], gap="medium")
    with table:
        found = _filtered(everybody)
        chosen = _chosen(found)
        _table(found, chosen)
    with panel:
        if chosen is not None:
            theirs = tuple(each for each in everybody if each.subject == chosen.subject)
            with st.container(border=True, key="dg-person", gap="small"):
                person_panel(chosen, theirs)
        with st.container(border=True, key="dg-process", gap="small"):
            in_this_process()


def _head(everybody: Sequence[SignIn]) -> None:
    with st.container(key="dg-peoplehead", horizontal=True, vertical_alignment="center", gap="small"):
        note = "Signed in now, in every process. Moments are UTC; the last one is noted about once a minute."
        st.html(
            f'<div><p class="dg-looktitle">{escape.html(counted(everybody))}</p><p class="dg-note">{note}</p></div>'
        )
        st.button("Look again", key="docgraph.library.people_again")


def _filtered(everybody: Sequence[SignIn]) -> Sequence[SignIn]:
    with st.container(key="dg-peoplefilter", horizontal=True, gap="small", vertical_alignment="center"):
        part = st.text_input(
            "Filter by name",
            key=FILTER_KEY,
            bind="query-params",
            placeholder="Part of a name",
            label_visibility="collapsed",
            max_chars=200,
        )
        wanted = (part or "").strip().casefold()
        found = [each for each in everybody if wanted in each.name.casefold()]
        st.html(f'<p class="dg-note">{n_of_m(len(found), len(everybody))} shown</p>')
    return found


def _chosen(found: Sequence[SignIn]) -> SignIn | None:
    """The one that the address names (a click on a row writes it there), else the first of the table."""
    named = st.query_params.get(SIGN_IN_KEY)
    return next((each for each in found if each.short_id == named), found[0] if found else None)


def _table(found: Sequence[SignIn], chosen: SignIn | None) -> None:
    if not found or chosen is None:
        layout.empty("Nobody of that name is signed in", "Shorten the filter.")
        return
    ids = [each.short_id for each in found]
    st.dataframe(
        people_table(found, quotas().pages()),
        hide_index=True,
        key=TABLE_KEY,
        selection_mode="single-row",
        on_select=lambda: _open_row(ids),
        height=min(38 + ROW_HEIGHT * len(found), TABLE_HEIGHT),
        row_height=ROW_HEIGHT,
        alt="Sign-ins that count now; select one to see and to end it",
        selection_default={"selection": {"rows": [ids.index(chosen.short_id)]}},
        column_config={
            "Role": st.column_config.TextColumn(width=74),
            "Signed in": st.column_config.TextColumn(width=132),
            "Last seen": st.column_config.TextColumn(width=132),
            "Browser": st.column_config.TextColumn(width=168),
            "Pages": st.column_config.NumberColumn(width=62, format="localized", help="Open pages in this process"),
        },
        placeholder="--",
    )


def people_table(found: Sequence[SignIn], pages: dict[str, int]) -> pd.DataFrame:
    """Columns Person, Role, Signed in, Last seen, Browser, Pages; a row a sign-in, in the order given."""
    return pd.DataFrame(
        {
            "Person": [each.name for each in found],
            "Role": [each.role for each in found],
            "Signed in": [minute(each.created) for each in found],
            "Last seen": [minute(each.last_seen) for each in found],
            "Browser": [browser(each) for each in found],
            "Pages": [pages.get(each.sign_in_id, 0) for each in found],
        }
    )


def _open_row(ids: Sequence[str]) -> None:
    rows: list[int] = dict(st.session_state[TABLE_KEY]).get("selection", {}).get("rows", [])
    if rows and rows[0] < len(ids):
        st.query_params[SIGN_IN_KEY] = ids[rows[0]]
    else:
        st.query_params.pop(SIGN_IN_KEY, None)
