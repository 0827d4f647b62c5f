"""Ask without a question: the corpus in one line, the question box, examples, and links to the other pages."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.saved_run import RunSummary
from docgraph.domain.workspace import Workspace
from docgraph.ui.frame import assets, escape, layout, navigation, resources
from docgraph.ui.home.check import last_check
from docgraph.ui.home.empty import without_documents
from docgraph.ui.parts.runs.data import HEAD, cells
from docgraph.ui.parts.samples.card import card_style, cards
from docgraph.ui.parts.samples.corpus import a_few, samples
from docgraph.ui.presenter.page import presenter_link
from docgraph.views.words.address import QUERY
from docgraph.views.words.counts import n_of_m, plural
from docgraph.views.words.moments import name_of
from docgraph.views.words.type_roles import silent_words


def corpus_line(workspace: Workspace) -> None:
    """Draw the line."""
    with st.container(key="dg-corpus", horizontal=True, gap=None, vertical_alignment="center"):
        st.html(f'<span class="dg-lead">{escape.html(workspace.title or workspace.name)}:</span>')
        navigation.link("library", plural(workspace.n_documents, "document"), query={"tab": "documents"})
        _relationships_link(plural(workspace.n_relationships, "relationship"))
        passages = plural(workspace.n_chunks, "passage")
        navigation.link("library", passages, query={"tab": "documents"})
        last_check(workspace)
        if said := silent_words(workspace):
            st.html(f'<span class="dg-lead">{escape.html(said)}</span>')


def _relationships_link(label: str) -> None:
    """To all relationships: on the page that judges them, else in the Library."""
    if navigation.page("relationships") is not None:
        navigation.link("relationships", label, query={"tab": "edges"})
    else:
        navigation.link("library", label, query={"tab": "relationships"})


QUESTION_KEY = "docgraph.home.question"


def question_box(workspace: Workspace) -> None:
    """The question; whether relationships count is chosen at the picture of its plan."""
    with (
        st.form("dg-ask", border=False),
        st.container(key="dg-askbox", horizontal=True, vertical_alignment="center", gap="small"),
    ):
        st.html(f'<span class="dg-asksign">{layout.glyph("query")}</span>')
        st.text_input(
            "Question",
            key=QUESTION_KEY,
            max_chars=20_000,
            label_visibility="collapsed",
            autocomplete="off",
            placeholder=f"Ask a question about the {workspace.title or workspace.name} documents",
        )
        asked = st.form_submit_button("Build plan", type="primary", key="docgraph.home.ask")
    if asked:
        _ask(str(st.session_state[QUESTION_KEY] or ""))


def _ask(question: str) -> None:
    if question.strip():
        navigation.go_to("plan", {QUERY: question.strip()})
    else:
        st.html('<p class="dg-hint" role="status">Type a question first, or choose an example.</p>')


def samples_row(workspace: Workspace) -> None:
    """Some of the samples, or all of them; nothing where there are none."""
    card_style()
    everything = samples(workspace.name)
    if not everything or navigation.page("plan") is None:
        return
    few = a_few(everything)
    shows_all = bool(st.session_state.get("docgraph.home.all_samples"))
    shown = everything if shows_all else few
    with st.container(key="dg-samplehead", horizontal=True, vertical_alignment="center", gap="small"):
        st.html('<h2 class="dg-h3">Try an example</h2>')
        count = f"Show {len(few)} of {len(everything)}" if shows_all else f"Show all {len(everything)}"
        if len(few) < len(everything):
            st.button(count, type="tertiary", key="docgraph.home.toggle", on_click=_toggle_samples)
    cards(shown, workspace.name, to="plan")


def _toggle_samples() -> None:
    shown = bool(st.session_state.get("docgraph.home.all_samples"))
    st.session_state["docgraph.home.all_samples"] = not shown


def doors(workspace: Workspace) -> None:
    """One door a page that is there."""
    with st.container(key="dg-doors"):
        if navigation.page("plan") is not None:
            _door(
                "plan",
                "Explore a plan",
                "Best matches, the documents they link to, and why anything was left out.",
                to="plan",
            )
        _door_to_changes()
        _door_to_relationships(workspace)


def _door_to_changes() -> None:
    if navigation.page("compare") is not None:
        text = "The plan without and with relationships: what was added and what was removed."
        _door("change", "Show what changed", text, to="compare")
    elif navigation.page("plan") is not None:
        text = "On the Plan page, switch relationships off and on."
        _door("change", "Show what changed", text, to="plan")


def _door_to_relationships(workspace: Workspace) -> None:
    there = navigation.page("relationships") is not None
    edges = plural(workspace.n_relationships, "relationship")
    text = f"{edges}, each with its two documents and its source."
    if there:
        text = "Errors and warnings to review, biggest effect first."
    query = {} if there else {"show": "Relationships"}
    _door("relations", "Check relationships", text, to="relationships" if there else "library", query=query)


def _door(art: str, title: str, text: str, *, to: str, query: dict[str, str] | None = None) -> None:
    layers = "<i></i>" * 5
    target = navigation.page(to)
    with st.container(key=f"dg-door-{art}"):
        st.html(
            f'<div class="dg-door"><div><h2>{escape.html(title)}</h2><p>{escape.html(text)}</p></div>'
            f'<span class="dg-art dg-art-{art}" aria-hidden="true">{layers}</span></div>'
        )
        navigation.link(to, f"Open {target.title if target else title}", query=query)


SHOWN = 5


def recent_runs(workspace: Workspace) -> None:
    """Draw them; nothing while no run is saved."""
    found = resources.docgraph(workspace.name).runs.list()
    if not found or navigation.page("runs") is None:
        return
    assets.style(__file__, "parts/runs/marks.css", "parts/runs/list.css")
    with st.container(key="rn-recent", gap="small"):
        with st.container(key="rn-recenthead", horizontal=True, vertical_alignment="center", gap="small"):
            shown = n_of_m(min(SHOWN, len(found)), len(found))
            layout.section("Recently saved", f"{shown}, with and without relationships")
            navigation.link("query_sets", "All questions")
        with st.container(key="rn-list", gap=None):
            st.html(HEAD)
            for row in found[:SHOWN]:
                _row(row, workspace)


def _row(row: RunSummary, workspace: Workspace) -> None:
    with st.container(key=f"rn-row-{row.run_id}", horizontal=True, gap=None):
        st.html(cells(row, workspace.revision))
        name = escape.label(escape.shorten(name_of(row), 80))
        navigation.link("plan", f"Open saved run {name}", query={"run": row.run_id})


def home() -> None:
    """Draw the page for the current workspace, or its empty state."""
    assets.style(__file__, "style.css")
    workspace = resources.current_workspace()
    with st.container(key="dg-home" if workspace.n_documents else "dg-home-empty"):
        with st.container(key="dg-hometop", horizontal=True, vertical_alignment="center", gap="small"):
            layout.heading("See which documents your search reads, and why")
            if workspace.n_documents:
                presenter_link(None, workspace.name, label="Present the demo")
        if workspace.n_documents == 0:
            without_documents(workspace)
            return
        corpus_line(workspace)
        question_box(workspace)
        samples_row(workspace)
        doors(workspace)
        recent_runs(workspace)
        st.html('<p class="dg-foot">Offline: no request leaves this machine. Asking a question changes nothing.</p>')
