"""An opened set: how far its evaluation is, and a switch between its answers, relationships' effect and history."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from docgraph.ui.frame import escape, navigation
from docgraph.ui.query_sets.asking import problem_of, run_line
from docgraph.ui.query_sets.desk import Desk
from docgraph.ui.query_sets.tabs import edges, history, questions

PAGE, TAB, SET, EVALUATION = "query_sets", "tab", "set", "evaluation"


@dataclass(frozen=True)
class View:
    """A part of an opened set: ``?tab=<name>``; ``count`` = what stands behind its title, empty for nothing."""

    name: str
    title: str
    draw: Callable[[Desk], None]
    count: Callable[[Desk], str] = lambda desk: ""


VIEWS = (
    View("questions", "Answers", questions.draw, lambda desk: f"{desk.chosen.n:,}" if desk.chosen else ""),
    View("edges", "Relationships’ effect", edges.draw),
    View("history", "History", history.draw, lambda desk: f"{len(desk.runs):,}" if desk.runs else ""),
)


def one_set(desk: Desk, wanted: str) -> None:
    """Draw the set; ``wanted`` = the view that the address names, else the first."""
    assert desk.chosen is not None
    view = next((each for each in VIEWS if each.name == wanted), VIEWS[0])
    with st.container(key="qs-head", horizontal=True, vertical_alignment="center", gap="small"):
        navigation.link(PAGE, "All questions")
        name = escape.html(escape.shorten(desk.chosen.name, 80))
        st.html(
            f'<h2 class="dg-h2 qn-setname" title="{escape.html(desk.chosen.name)}">{name}<span class="dg-note">'
            f"{desk.chosen.n:,} questions, {desk.chosen.n_judged:,} judged</span></h2>"
        )
        with st.container(key="qs-views", horizontal=True, vertical_alignment="center", gap=None):
            for each in VIEWS:
                with st.container(key=f"qs-view-{each.name}{'-shown' if each == view else ''}", width="content"):
                    count = each.count(desk)
                    label = f"{each.title} {count}" if count else each.title
                    navigation.link(PAGE, escape.label(label), query={TAB: each.name, SET: desk.chosen.name})
        with st.container(key="qs-run-line", horizontal=True, vertical_alignment="center", gap="small"):
            run_line(desk)
    problem_of(desk)
    view.draw(desk)
