"""The Query sets page: which set, how far its evaluation is, and the tab that the address names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st

from docgraph.domain.evaluation import KeptEvaluation
from docgraph.domain.query_set import QuerySetSummary
from docgraph.ui.frame import assets, escape, layout, navigation, resources
from docgraph.ui.parts.runs.saving import person_name
from docgraph.ui.query_sets.asking import problem_of, run_line
from docgraph.ui.query_sets.desk import Desk
from docgraph.ui.query_sets.keeping import add_popover, without_sets
from docgraph.ui.query_sets.tabs import edges, history, judge, questions

PAGE, TAB, SET, EVALUATION = "query_sets", "tab", "set", "evaluation"
_CHOOSER = "qs-set"


@dataclass(frozen=True)
class Tab:
    """A part of the page: ``?tab=<name>``; ``count`` = what stands behind its title, empty for nothing."""

    name: str
    title: str
    draw: Callable[[Desk], None]
    count: Callable[[Desk], str] = lambda desk: ""


TABS = (
    Tab("questions", "Questions", questions.draw, lambda desk: f"{desk.chosen.n:,}" if desk.chosen else ""),
    Tab("edges", "Edges and limits", edges.draw, lambda desk: f"{desk.docgraph.workspace.n_relationships:,}"),
    Tab("judge", "Judge", judge.draw),
    Tab("history", "History", history.draw, lambda desk: f"{len(desk.runs):,}" if desk.runs else ""),
)


def query_sets_page() -> None:
    """Draw the page.

    ``?set=`` names the set (the first by name without it), ``?tab=`` the tab, ``?evaluation=`` one of its evaluations
    (without it the newest that has an outcome).
    """
    assets.style(__file__, "style.css")
    workspace = resources.current_workspace()
    with layout.guarded():
        docgraph = resources.docgraph(workspace.name)
        sets = docgraph.query_sets.list()
        may_write = resources.may("begin_evaluation") and docgraph.may_write()
        if not sets:
            without_sets(docgraph, workspace, may_write=may_write)
            return
        names = [each.name for each in sets]
        asked = st.query_params.get(SET, "")
        chosen = sets[names.index(asked) if asked in names else 0]
        runs = docgraph.query_sets.runs(chosen.name)
        desk = Desk(docgraph, workspace.name, chosen, _shown(runs), person_name(), may_write, runs)
        wanted = st.query_params.get(TAB, "")
        tab = next((each for each in TABS if each.name == wanted), TABS[0])
        _head(sets, desk)
        _tabs(desk, tab)
        problem_of(desk)
        tab.draw(desk)


def _shown(runs: Sequence[KeptEvaluation]) -> KeptEvaluation | None:
    asked = st.query_params.get(EVALUATION, "")
    named = next((each for each in runs if asked and each.evaluation_id == asked), None)
    return named or next((each for each in runs if each.n), None)


def _head(sets: Sequence[QuerySetSummary], desk: Desk) -> None:
    """The title, the chooser of the set, a way to another one, and the evaluation that runs."""
    assert desk.chosen is not None
    names = [each.name for each in sets]
    at = names.index(desk.chosen.name)
    with st.container(key="qs-head", horizontal=True, vertical_alignment="center", gap="small"):
        st.html('<h1 class="dg-h1">Query sets</h1>')
        key = f"{_CHOOSER}-{at}"
        st.selectbox(
            "Query set",
            names,
            index=at,
            key=key,
            label_visibility="collapsed",
            format_func=lambda name: _line(sets[names.index(name)]),
            on_change=_choose,
            args=(key,),
        )
        if desk.may_write:
            add_popover(desk)
        with st.container(key="qs-run-line", horizontal=True, vertical_alignment="center", gap="small"):
            run_line(desk)


def _tabs(desk: Desk, shown: Tab) -> None:
    assert desk.chosen is not None
    with st.container(key="qs-tabs", horizontal=True, vertical_alignment="center", gap="small"):
        for tab in TABS:
            with st.container(key=f"qs-tab-{tab.name}{'-shown' if tab == shown else ''}", width="content"):
                count = tab.count(desk)
                label = f"{tab.title} {count}" if count else tab.title
                navigation.link(PAGE, escape.label(label), query={TAB: tab.name, SET: desk.chosen.name})


def _choose(key: str) -> None:
    """Another set: what the address says of the one before goes."""
    for name in (EVALUATION, *questions.INPUTS, *edges.INPUTS):
        st.query_params.pop(name, None)
    st.query_params[SET] = st.session_state[key]


def _line(each: QuerySetSummary) -> str:
    return f"{escape.shorten(each.name, 60)}, {each.n:,} questions, {each.n_judged:,} judged"
