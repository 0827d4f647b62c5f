"""The sets over the list of questions: how many questions, what the last evaluation found, and *Evaluate*."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from docgraph.domain.query_set import QuerySetSummary
from docgraph.orchestration.docgraph import Docgraph
from docgraph.ui.frame import escape, navigation
from docgraph.ui.query_sets.asking import asking, begin
from docgraph.ui.query_sets.desk import Desk, desk_of
from docgraph.ui.query_sets.keeping import add_popover
from docgraph.views.query_sets.saved import result_words
from docgraph.views.words.counts import n_of_m

PAGE = "query_sets"
SHOWN = 6
_ALL = "docgraph.questions.all_sets"


def sets_row(docgraph: Docgraph, sets: Sequence[QuerySetSummary], *, may_write: bool) -> None:
    """Draw the sets, the first ones of many, and the way to add one."""
    shown = sets if st.session_state.get(_ALL) else sets[:SHOWN]
    with st.container(key="qn-sets", horizontal=True, vertical_alignment="center", gap="small"):
        for place, each in enumerate(shown):
            _set(desk_of(docgraph, each, may_write=may_write), place)
        if len(shown) < len(sets):
            label = f"{n_of_m(len(shown), len(sets))} sets: show all"
            st.button(label, key="qn-all-sets", type="tertiary", on_click=_show_all)
        if may_write:
            add_popover(docgraph)


def _show_all() -> None:
    st.session_state[_ALL] = True


def _set(desk: Desk, place: int) -> None:
    assert desk.chosen is not None
    each, running = desk.chosen, asking(desk) is not None
    with st.container(key=f"qn-set-{place}", horizontal=True, vertical_alignment="center", gap="small"):
        result = "evaluating" if running else result_words(desk.runs)
        name = escape.html(escape.shorten(each.name, 60))
        st.html(
            f'<div class="qn-set" title="{escape.html(each.name)}"><b>{name}</b><small>{each.n:,} questions, '
            f"{each.n_judged:,} judged; {escape.html(result)}</small></div>"
        )
        label = f"Open the set {escape.label(each.name, limit=80)}"
        navigation.link(PAGE, label, query={"set": each.name})
        if desk.may_write and not running:
            said = "Evaluate again" if desk.runs else "Evaluate"
            help = "Ask every question without and with relationships, and save each answer"
            st.button(said, key=f"qn-run-{place}", on_click=_run, args=(desk,), help=help)


def _run(desk: Desk) -> None:
    """Begin, and open the set, which shows how far it is (in a callback)."""
    assert desk.chosen is not None
    begin(desk)
    st.query_params["set"] = desk.chosen.name
