"""The Query sets page: which set, and the tab that the address names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st

from docgraph.domain.query_set import QuerySetSummary
from docgraph.ui.frame import assets, escape, layout, navigation, resources
from docgraph.ui.parts.runs.saving import person_name
from docgraph.ui.query_sets.desk import Desk
from docgraph.ui.query_sets.tabs import judge

PAGE, TAB, SET = "query_sets", "tab", "set"
_CHOOSER = "qs-set"


@dataclass(frozen=True)
class Tab:
    """A part of the page: ``?tab=<name>``."""

    name: str
    title: str
    draw: Callable[[Desk], None]


TABS = (Tab("judge", "Judge", judge.draw),)


def query_sets_page() -> None:
    """Draw the page: ``?set=`` names the set (the first by name without it), ``?tab=`` the tab."""
    assets.style(__file__, "style.css")
    workspace = resources.current_workspace()
    with layout.guarded():
        docgraph = resources.docgraph(workspace.name)
        sets = docgraph.query_sets.list()
        if not sets:
            layout.heading("Query sets")
            layout.empty(
                "No query set is kept yet",
                "A query set says on how many of your questions it helps. Keep one from Python: "
                'dg.query_sets.keep(questions, name="…"), then run it: dg.query_sets.run("…").',
            )
            return
        asked = st.query_params.get(TAB, "")
        tab = next((each for each in TABS if each.name == asked), TABS[0])
        chosen = _head(sets, tab)
        runs = docgraph.query_sets.runs(chosen.name)
        may_write = resources.may("judge_passages") and docgraph.may_write()
        tab.draw(Desk(docgraph, workspace.name, chosen, next(iter(runs), None), person_name(), may_write))


def _head(sets: Sequence[QuerySetSummary], shown: Tab) -> QuerySetSummary:
    """The title, the chooser of the set, and the tabs; the set that is chosen."""
    names = [each.name for each in sets]
    asked = st.query_params.get(SET, "")
    at = names.index(asked) if asked in names else 0
    with st.container(key="qs-head", horizontal=True, vertical_alignment="center", gap="small"):
        st.html('<h1 class="dg-h1">Query sets</h1>')
        chosen = st.selectbox(
            "Query set",
            names,
            index=at,
            key=f"{_CHOOSER}-{at}",
            label_visibility="collapsed",
            format_func=lambda name: _line(sets[names.index(name)]),
        )
        for tab in TABS:
            with st.container(key=f"qs-tab-{tab.name}{'-shown' if tab == shown else ''}", width="content"):
                navigation.link(PAGE, escape.label(tab.title), query={TAB: tab.name, SET: chosen})
    if chosen != names[at]:
        st.query_params[SET] = chosen
    return sets[names.index(chosen)]


def _line(each: QuerySetSummary) -> str:
    return f"{escape.shorten(each.name, 60)}, {each.n:,} questions, {each.n_judged:,} judged"
