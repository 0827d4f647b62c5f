"""One's own sign-ins, in a dialog under one's name: where one is signed in, since when, and an end to each."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.person import SignIn
from docgraph.ui.frame import assets, escape, layout, people
from docgraph.ui.frame.state import guarded_click, session
from docgraph.views.words.counts import n_of_m, plural
from docgraph.views.words.moments import browser, minute

SHOWN = 20
ASKED = "docgraph.own_sign_ins.asked"
"""Which sign-in is about to end, once that is confirmed."""


def forget_question() -> None:
    """Nothing is asked when the dialog is opened."""
    session().page.pop(ASKED, None)


@st.dialog("Your sign-ins", on_dismiss=forget_question)
def own_sign_ins() -> None:
    """All that count now, newest first, that of this browser marked; each can be ended, after a question."""
    assets.style(__file__, "own_sign_ins.css")
    with layout.guarded():
        mine = people.mine()
        st.html(
            f'<p class="dg-note">You are signed in {plural(len(mine), "time")}. An end counts within seconds, '
            "in every process. Moments are UTC.</p>"
        )
        for each in mine[:SHOWN]:
            _row(each)
        if len(mine) > SHOWN:
            listed = n_of_m(SHOWN, len(mine))
            st.html(f'<p class="dg-note">{listed} are listed: Sign out everywhere ends all of them.</p>')


def _row(sign_in: SignIn) -> None:
    name = sign_in.short_id
    with st.container(key=f"dg-own-{name}", horizontal=True, vertical_alignment="center", gap="small"):
        here = '<span class="dg-own-here">this browser</span>' if people.is_here(sign_in) else ""
        st.html(
            f'<div class="dg-own"><b>{escape.html(browser(sign_in))}</b>{here}<p class="dg-note">Since '
            f"{minute(sign_in.created)}, seen {minute(sign_in.last_seen)}</p></div>"
        )
        if people.is_here(sign_in):
            st.button("Sign out", key=f"docgraph.own_out.{name}", on_click=st.logout)
        elif session().page.get(ASKED) == name:
            st.button("Keep", key=f"docgraph.own_keep.{name}", on_click=forget_question)
            st.button("End it", key=f"docgraph.own_now.{name}", on_click=_end, args=(sign_in.sign_in_id,))
        else:
            st.button("End", key=f"docgraph.own_end.{name}", on_click=_ask, args=(name,))


def _ask(name: str) -> None:
    session().page[ASKED] = name


def _end(sign_in_id: str) -> None:
    forget_question()
    guarded_click(people.end_mine, sign_in_id)
