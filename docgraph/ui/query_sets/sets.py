"""Question sets: the row of all, with the button that evaluates one, and one set with its views."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st

from docgraph.domain.query_set import QuerySetSummary
from docgraph.orchestration.docgraph import Docgraph
from docgraph.ui.frame import escape, navigation
from docgraph.ui.query_sets.adding import add_popover
from docgraph.ui.query_sets.evaluating import asking, begin, problem_of, run_line
from docgraph.ui.query_sets.scope import Scope, scope_of
from docgraph.ui.query_sets.tabs import edges, history, questions
from docgraph.views.query_sets.saved import result_words
from docgraph.views.words.counts import n_of_m

PAGE, TAB, SET, EVALUATION = "query_sets", "tab", "set", "evaluation"


@dataclass(frozen=True)
class View:
    """A part of an opened set: ``?tab=<name>``; ``count`` = what stands behind its title, empty for nothing."""

    name: str
    title: str
    draw: Callable[[Scope], None]
    count: Callable[[Scope], str] = lambda scope: ""


VIEWS = (
    View("questions", "Answers", questions.draw, lambda scope: f"{scope.chosen.n:,}" if scope.chosen else ""),
    View("edges", "Relationships’ effect", edges.draw),
    View("history", "History", history.draw, lambda scope: f"{len(scope.runs):,}" if scope.runs else ""),
)


def one_set(scope: Scope, wanted: str) -> None:
    """Draw the set; ``wanted`` = the view that the address names, else the first."""
    assert scope.chosen is not None
    view = next((each for each in VIEWS if each.name == wanted), VIEWS[0])
    with st.container(key="qs-head", horizontal=True, vertical_alignment="center", gap="small"):
        navigation.link(PAGE, "All questions")
        name = escape.html(escape.shorten(scope.chosen.name, 80))
        st.html(
            f'<h2 class="dg-h2 qn-setname" title="{escape.html(scope.chosen.name)}">{name}<span class="dg-note">'
            f"{scope.chosen.n:,} questions, {scope.chosen.n_judged:,} judged</span></h2>"
        )
        with st.container(key="qs-views", horizontal=True, vertical_alignment="center", gap=None):
            for each in VIEWS:
                with st.container(key=f"qs-view-{each.name}{'-shown' if each == view else ''}", width="content"):
                    count = each.count(scope)
                    label = f"{each.title} {count}" if count else each.title
                    navigation.link(PAGE, escape.label(label), query={TAB: each.name, SET: scope.chosen.name})
        with st.container(key="qs-run-line", horizontal=True, vertical_alignment="center", gap="small"):
            run_line(scope)
    problem_of(scope)
    view.draw(scope)


SHOWN = 6
_ALL = "docgraph.questions.all_sets"


def sets_row(docgraph: Docgraph, sets: Sequence[QuerySetSummary], *, may_write: bool) -> None:
    """Draw the sets, the first ones of many, and the way to add one."""
    shown = sets if st.session_state.get(_ALL) else sets[:SHOWN]
    with st.container(key="qn-sets", horizontal=True, vertical_alignment="center", gap="small"):
        for place, each in enumerate(shown):
            _set(scope_of(docgraph, each, may_write=may_write), place)
        if len(shown) < len(sets):
            label = f"{n_of_m(len(shown), len(sets))} sets: show all"
            st.button(label, key="qn-all-sets", type="tertiary", on_click=_show_all)
        if may_write:
            add_popover(docgraph)


def _show_all() -> None:
    st.session_state[_ALL] = True


def _set(scope: Scope, place: int) -> None:
    assert scope.chosen is not None
    each, running = scope.chosen, asking(scope) is not None
    with st.container(key=f"qn-set-{place}", horizontal=True, vertical_alignment="center", gap="small"):
        result = "evaluating" if running else result_words(scope.runs)
        name = escape.html(escape.shorten(each.name, 60))
        st.html(
            f'<div class="qn-set" title="{escape.html(each.name)}"><b>{name}</b><small>{each.n:,} questions, '
            f"{each.n_judged:,} judged; {escape.html(result)}</small></div>"
        )
        label = f"Open the set {escape.label(each.name, limit=80)}"
        navigation.link(PAGE, label, query={"set": each.name})
        if scope.may_write and not running:
            said = "Evaluate again" if scope.runs else "Evaluate"
            help = "Ask every question without and with relationships, and save each answer"
            st.button(said, key=f"qn-run-{place}", on_click=_run, args=(scope,), help=help)


def _run(scope: Scope) -> None:
    """Begin, and open the set, which shows how far it is (in a callback)."""
    assert scope.chosen is not None
    begin(scope)
    st.query_params["set"] = scope.chosen.name
