"""Who is signed in: the table, one person with their sign-ins and the way to end them, and what is in use."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from docgraph.domain.person import SignIn
from docgraph.domain.workspace import Workspace
from docgraph.errors import DocgraphError
from docgraph.ui.frame import escape, layout, people, resources
from docgraph.ui.frame.chosen import picked, put
from docgraph.ui.frame.quotas import InUse, Limits, quotas
from docgraph.ui.frame.state import session
from docgraph.views.words.counts import n_of_m, plural, size
from docgraph.views.words.moments import browser, counted, minute

AGAIN = "within seconds, in every process. Your identity provider decides who may sign in again's to say."


def person_panel(chosen: SignIn, theirs: Sequence[SignIn]) -> None:
    """The chosen sign-in with its end, and what its person takes with an end to all of theirs."""
    n_pages = quotas().pages().get(chosen.sign_in_id, 0)
    here = " · this browser" if people.is_here(chosen) else ""
    st.html(f'<h2 class="dg-h2 dg-personname">{escape.html(chosen.name)}</h2>')
    facts = {
        "Role": chosen.role,
        "Browser": f"{browser(chosen)}{here}",
        "Signed in": minute(chosen.created),
        "Last seen": minute(chosen.last_seen),
        "Valid until": minute(chosen.expires),
        "Open pages": f"{n_pages:,} in this process",
        "Id": chosen.short_id,
    }
    layout.facts(facts.items())
    with st.container(horizontal=True, gap="small"):
        if people.is_here(chosen):
            st.button("Sign out here", on_click=st.logout, key="docgraph.library.people_out")
        else:
            with st.popover("End this sign-in", key=f"docgraph.library.people_end.{chosen.short_id}"):
                st.html(f'<p class="dg-note dg-confirm">Its pages close {AGAIN}</p>')
                st.button("End it", key="docgraph.library.people_end_now", on_click=_end, args=((chosen,),))
        with st.popover("Sign out everywhere", key=f"docgraph.library.people_all.{chosen.short_id}"):
            what = f"{plural(len(theirs), 'sign-in')} of {escape.html(chosen.name)}"
            st.html(f'<p class="dg-note dg-confirm"><b>{what}</b> will end, and all their pages close {AGAIN}</p>')
            label = f"End {plural(len(theirs), 'sign-in')}"
            st.button(label, key="docgraph.library.people_all_now", on_click=_end, args=(tuple(theirs),))
    _in_use(quotas().in_use().get(chosen.name, InUse()), Limits.of(resources.settings()), theirs)


def _in_use(taken: InUse, limits: Limits, theirs: Sequence[SignIn]) -> None:
    """What the person takes of this process, all their sign-ins together."""
    behind = f'<span class="dg-note">of {escape.html(theirs[0].name)}, {plural(len(theirs), "sign-in")}</span>'
    st.html(f'<h2 class="dg-h2">In use{behind}</h2>')
    meters = (
        ("Open pages", f"{taken.n_sockets:,}", f"{limits.person_sockets:,}", taken.n_sockets / limits.person_sockets),
        ("Stored uploads", _size(taken.n_bytes), _size(limits.person_bytes), taken.n_bytes / limits.person_bytes),
        (
            "Uploads in progress",
            f"{taken.n_uploads:,}",
            f"{limits.person_uploads:,}",
            taken.n_uploads / limits.person_uploads,
        ),
    )
    rows = "".join(
        f'<tr><th scope="row">{what}</th><td>{_bar(share)}</td><td>{used} <small>of {allowed}</small></td></tr>'
        for what, used, allowed, share in meters
    )
    st.html(f'<table class="dg-types dg-meters"><tbody>{rows}</tbody></table>')


def process_meters() -> str:
    """HTML of what everybody takes of this process, each with what there is."""
    limits, taken = Limits.of(resources.settings()), quotas().in_all()
    meters = (
        _meter("open pages", taken.n_sockets, limits.all_sockets),
        _meter("of stored uploads", taken.n_bytes, limits.all_bytes, words=_size),
        _meter("uploads in progress", taken.n_uploads, limits.all_uploads),
    )
    cells = "".join(
        f"<li><span><b>{used}</b> of {allowed}</span>{_bar(share)}<small>{what}</small></li>"
        for what, used, allowed, share in meters
    )
    return f'<ul class="dg-process">{cells}</ul>'


def _end(sign_ins: Sequence[SignIn]) -> None:
    try:
        ended = people.end(sign_ins)
    except DocgraphError as problem:
        session().problems.append(problem)
        return
    if any(people.is_here(each) for each in sign_ins):
        st.logout()
        return
    whose = f"Ended {plural(len(ended), 'sign-in')} of {ended[0].name}." if ended else "It had already ended."
    session().notices.append(whose)


def _number(n: int) -> str:
    return f"{n:,}"


def _meter(what: str, used: int, allowed: int, *, words: Callable[[int], str] = _number) -> tuple[str, str, str, float]:
    """What, how much is in use and allowed as words, and the share."""
    return what, words(used), words(allowed), used / allowed


def _bar(share: float) -> str:
    """A bar on its track; the words beside it say the same."""
    return f'<i class="dg-meter" style="--share:{100 * min(share, 1):.1f}%"></i>'


def _size(n_bytes: int) -> str:
    """``25 MB``, ``1.6 GB``."""
    return f"{n_bytes / 1e9:,.4g} GB" if n_bytes >= 999_500_000 else size(n_bytes).replace(".0 ", " ")


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
    put(SIGN_IN_KEY, picked(TABLE_KEY, ids))
