"""The Runs page: search, the list, the run that the address names beside it, and what was put away."""

from __future__ import annotations

import streamlit as st

from docgraph.errors import DocgraphError, NotFoundError, UserError
from docgraph.ui.frame import assets, layout, navigation, resources
from docgraph.ui.parts.runs.data import put_away, rows
from docgraph.ui.parts.runs.rows import run_list
from docgraph.ui.parts.samples.card import sample_cards
from docgraph.ui.parts.samples.questions import sample_questions, sample_questions_unfinished, unfinished
from docgraph.ui.runs.actions import restore, undo_card
from docgraph.ui.runs.deleted import deleted_list, deleted_run
from docgraph.ui.runs.detail import detail

FIND, EVERYWHERE, RUN = "find", "everywhere", "run"


def runs_page() -> None:
    """Draw the page: ``?run=`` opens that run, ``?find=`` searches, ``?everywhere=`` looks into all workspaces."""
    assets.style(__file__, "parts/runs/marks.css", "parts/runs/banner.css", "parts/runs/list.css", "style.css")
    wanted = st.query_params.get(RUN)
    with st.container(key="rn-page", gap="small"):
        text, everywhere = _head()
        undo_card()
        sample_questions_unfinished(resources.current_workspace().name, key="docgraph.runs.samples")
        found = rows(text, everywhere=everywhere)
        if not found and not wanted:
            _nothing(text, everywhere)
        elif wanted is None:
            run_list(found, text=text, shown=None)
        else:
            left, right = st.columns([5, 8], gap="medium")
            with left:
                run_list(found, text=text, shown=wanted)
            with right:
                _open(wanted)
        deleted_list(rows(everywhere=everywhere, deleted=True))


def _head() -> tuple[str, bool]:
    """Heading and search; returns what is looked for, and whether in all workspaces."""
    with st.container(key="rn-head", horizontal=True, vertical_alignment="center", gap="small"):
        layout.heading("Runs")
        text = st.text_input(
            "Search runs",
            key=FIND,
            bind="query-params",
            placeholder="Part of a name, note, question or id",
            label_visibility="collapsed",
            max_chars=200,
            width=320,
        )
        several = len(resources.workspaces()) > 1
        everywhere = several and st.checkbox("All workspaces", key=EVERYWHERE, bind="query-params")
    return text or "", bool(everywhere)


def _nothing(text: str, everywhere: bool) -> None:
    if text:
        layout.empty("No saved run matches", "Shorten the search, or look into all workspaces.")
        st.button("Show all runs", key="docgraph.runs.show_all", on_click=_forget_search, type="primary")
        return
    workspace = resources.current_workspace()
    where = "No workspace holds" if everywhere else f"{workspace.title or workspace.name} holds"
    layout.empty(
        f"{where} {'a saved run' if everywhere else 'no saved runs'}{'' if everywhere else ' yet'}",
        "A saved run keeps a question, its plan and its texts as they were, whatever happens to the documents later: "
        "to compare with, to hand out as a link, to review. Build a plan and choose Save as run.",
    )
    with st.container(key="rn-nothing", horizontal=True, vertical_alignment="center", gap="small"):
        if not everywhere and not unfinished(workspace.name):
            sample_questions(workspace.name, key="docgraph.runs.samples")
        navigation.link("plan", "Build a plan to save")
    if not everywhere:
        sample_cards(workspace.name, "Or build the plan of a sample, and save it", to="plan")


def _forget_search() -> None:
    st.session_state[FIND] = ""


def _open(run_id: str) -> None:
    """The run that the address names, or what became of it."""
    try:
        saved = resources.docgraph().runs.get(run_id)
    except NotFoundError as problem:
        gone = put_away(run_id)
        if gone is None:
            _not_there(problem)
        else:
            deleted_run(gone, restore)
        return
    except UserError as problem:
        _not_there(problem)
        return
    detail(saved)


def _not_there(problem: DocgraphError) -> None:
    layout.error(problem)
    with st.container(key="rn-ways", horizontal=True):
        navigation.link("runs", "Show all runs")
