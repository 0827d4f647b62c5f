"""The tab of relationships' effect: which ones help over the questions of a set, and what each limit leaves out."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.scoreboard import Scoreboard
from docgraph.ui.frame import assets, escape, layout
from docgraph.ui.query_sets.scope import Scope
from docgraph.ui.query_sets.tabs.row_keys import choice
from docgraph.ui.query_sets.tabs.scoring.inputs import (
    CLASS,
    GROUP,
    INPUTS,
    ORDER,
    asked_class,
    asked_group,
    asked_order,
    take,
)
from docgraph.ui.query_sets.tabs.scoring.limits import limit_boxes, target_box
from docgraph.ui.query_sets.tabs.scoring.table import GROUPS, edge_table
from docgraph.ui.query_sets.tabs.scoring.work import Scoring, score_line, scoring
from docgraph.views.query_sets.edges import CLASSES, ORDERS, chip_words, sentence
from docgraph.views.words.counts import plural
from docgraph.views.words.evaluation import measure_title
from docgraph.views.words.moments import clock, day

__all__ = ["INPUTS", "draw"]

ALL = "all"
_CLASS_KEY, _GROUP_KEY, _ORDER_KEY = "qe-classes", "qe-group", "qe-order"


def draw(scope: Scope) -> None:
    """Draw the scores, or the way to them."""
    assets.style(__file__, "questions.css")
    assets.style(__file__, "edges.css")
    job = scoring(scope)
    if job is None or (job.board is None and not job.failed):
        _not_scored(scope, job)
        return
    if job.failed and job.error is not None:
        layout.error(job.error)
    with st.container(key="qe-line", horizontal=True, vertical_alignment="center", gap="small"):
        st.html(f'<p class="qs-note">{_state(scope, job)}</p>')
        score_line(scope, job)
    if job.board is not None:
        _scores(scope, job)


def _not_scored(scope: Scope, job: Scoring | None) -> None:
    n = plural(scope.docgraph.workspace.n_relationships, "relationship")
    layout.empty(
        "Which relationships help?",
        f"Every question is planned again without each of the {n} that can affect it, and with several values of "
        "every limit. Nothing is changed.",
    )
    with st.container(key="qe-start", horizontal=True, gap="small"):
        score_line(scope, job)


def _state(scope: Scope, job: Scoring) -> str:
    """When it was scored, under what, and what is to be known before the numbers are believed."""
    fields = ", ".join(f"{name} {value}" for name, value in job.fields.items())
    said = [f"Scored {day(job.at)} {clock(job.at)} UTC" + (f" with {fields}" if fields else "")]
    board = job.board
    if board is not None and board.stopped:
        said.append(f"stopped after {plural(board.n, 'question')}")
    if job.pressure is not None and job.pressure.stopped:
        said.append(f"limit test stopped after {plural(job.pressure.n, 'question')}")
    elif board is not None and not board.stopped and job.pressure is None and not job.running:
        said.append("limits not tested")
    if board is not None and board.failures:
        said.append(f"{plural(len(board.failures), 'question')} got no answer")
    if board is not None and board.revision != scope.docgraph.workspace.revision:
        said.append("the data have changed since")
    return escape.html("; ".join(said))


@st.fragment(key="qe-scores")
def _scores(scope: Scope, job: Scoring) -> None:
    """Everything below the line. A key, a filter or a row draws this alone."""
    board = job.board
    assert board is not None
    with layout.guarded():
        _verdict(board)
        with st.container(key="qe-columns", horizontal=True, gap="small"):
            with st.container(key="qe-main", gap=None):
                edge_table(scope, job, board)
            with st.container(key="qe-side", gap="small"):
                limit_boxes(scope, job)
                target_box(scope, board)


def _verdict(board: Scoreboard) -> None:
    with st.container(key="qe-verdict", horizontal=True, vertical_alignment="center", gap="small"):
        measure = escape.html(measure_title(board.measure))
        st.html(
            f'<h2 class="qs-sentence">{sentence(board)}</h2><p class="qs-note">Without it: the '
            f"{plural(board.n, 'question')} planned again without this relationship, by exact search and {measure}. "
            "Good and bad are known for judged documents only.</p>"
        )
        with st.container(key="qe-filters", gap="small"):
            if asked_group() == "edges":
                _classes(board)
            with st.container(key="qe-sorting", horizontal=True, vertical_alignment="center", gap="small"):
                choice(
                    st.selectbox, "Rows", GROUPS, name=GROUP, key=_GROUP_KEY, now=asked_group(), take=take, width=140
                )
                st.html('<span class="dg-note">by</span>')
                choice(
                    st.selectbox, "Order", ORDERS, name=ORDER, key=_ORDER_KEY, now=asked_order(), take=take, width=140
                )


def _classes(board: Scoreboard) -> None:
    looks: dict[str, str] = {
        ALL: f"All {board.n_relationships:,}",
        **{str(each): escape.label(chip_words(each, board)) for each in CLASSES},
    }
    choice(st.pills, "Class", looks, name=CLASS, key=_CLASS_KEY, now=asked_class() or ALL, take=take, required=True)
