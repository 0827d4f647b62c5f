"""People: who is signed in, since when, and what they take of this process; for admins, who may end it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from docgraph.domain.person import SignIn
from docgraph.domain.workspace import Workspace
from docgraph.ui.frame import escape, layout, people, resources
from docgraph.ui.frame.quotas import quotas
from docgraph.ui.library.person import person_panel, process_meters
from docgraph.views.words.counts import n_of_m, plural
from docgraph.views.words.moments import browser, counted, minute

TABLE_KEY = "docgraph.library.people"
FILTER_KEY, SIGN_IN_KEY = "person", "sign_in"
HEAD_HEIGHT, ROW_HEIGHT, TABLE_HEIGHT = 36, 36, 520
NOBODY_SIGNS_IN = (
    "Sign-in is off, so everyone who opens this page has full access. For several people, set "
    "<code>DOCGRAPH_OIDC_METADATA_URL</code> (see <code>docs/people.md</code>) and restart."
)
FOR_ADMINS = "Only admins see who is signed in. Your own sign-ins are under your name, at the top."


def people_view(workspace: Workspace) -> None:
    """The table of sign-ins on the left; on the right the chosen one, its person, and the process."""
    del workspace
    who = resources.person()
    if who is None or not who.may("admin"):
        st.html(f'<p class="dg-note">{NOBODY_SIGNS_IN if who is None else FOR_ADMINS}</p>')
        return
    everybody = people.everybody()
    _head(everybody)
    table, panel = st.columns([5, 3], gap="medium")
    with table:
        found = _filtered(everybody)
        chosen = _chosen(found)
        _table(found, chosen)
    if chosen is not None:
        theirs = tuple(each for each in everybody if each.subject == chosen.subject)
        with panel, st.container(border=True, key="dg-person", gap="small"):
            person_panel(chosen, theirs)


def _head(everybody: Sequence[SignIn]) -> None:
    with st.container(key="dg-peoplehead", horizontal=True, vertical_alignment="center", gap="small"):
        asking = plural(quotas().in_all().n_unknown, "open page asks", "open pages ask")
        st.html(
            f'<p class="dg-looktitle">{escape.html(counted(everybody))}</p><p class="dg-note">Signed in now, in every '
            f"process. Times are UTC. Pages and uploads are those of this process; {asking} for the sign-in.</p>"
        )
        st.html(process_meters())
        st.button("Refresh", key="docgraph.library.people_again")


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
        layout.empty("Nobody with that name is signed in", "Shorten the filter.")
        return
    ids = [each.short_id for each in found]
    selected: Any = {"selection": {"rows": [ids.index(chosen.short_id)], "columns": [], "cells": []}}
    if TABLE_KEY in st.session_state and dict(st.session_state[TABLE_KEY]) != selected:
        st.session_state[TABLE_KEY] = selected  # rows come and go above the one that is shown
    st.dataframe(
        people_table(found, quotas().pages()),
        hide_index=True,
        key=TABLE_KEY,
        selection_mode="single-row",
        on_select=lambda: _open_row(ids),
        height=min(HEAD_HEIGHT + ROW_HEIGHT * len(found), TABLE_HEIGHT),
        row_height=ROW_HEIGHT,
        alt="Current sign-ins",
        selection_default=selected,
        column_config={
            "Person": st.column_config.TextColumn(width=190),
            "Role": st.column_config.TextColumn(width=66),
            "Signed in": st.column_config.TextColumn(width=126),
            "Last seen": st.column_config.TextColumn(width=126),
            "Browser": st.column_config.TextColumn(width=152),
            "Pages": st.column_config.NumberColumn(width=54, format="localized"),
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
