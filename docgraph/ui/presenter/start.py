"""The presenter's start screen: sample questions as big cards, a box for another one, and the way between addresses."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.workspace import Workspace
from docgraph.ui.frame import escape, layout, navigation
from docgraph.ui.frame.shortcuts import shortcuts
from docgraph.ui.parts.samples.corpus import Sample
from docgraph.ui.presenter.story import Inputs, cards
from docgraph.views.words import address
from docgraph.views.words.outcome import Outcome

QUESTION = "docgraph.presenter.question"


def show(inputs: Inputs) -> None:
    """Show the presenter with these inputs in the address; without any, its start screen. Ends this run."""
    st.switch_page(navigation.pages()[0].path, query_params=[(address.PRESENT, "1"), *inputs])


def leave(page: str, inputs: Inputs) -> None:
    """Leave presenter mode for a page (the Plan page, then Home, where it is missing). Ends this run."""
    target = navigation.page(page) or navigation.page("plan") or navigation.pages()[0]
    st.switch_page(target.path, query_params=inputs)


def start(workspace: Workspace) -> None:
    """Draw the start screen of a workspace that holds documents."""
    with st.spinner("Counting what relationships change in the sample questions", show_time=False):
        shown = cards(workspace)
    lead = (
        "Choose a question to see what relationships add, and what they remove."
        if shown
        else f"{workspace.title or workspace.name} has no sample questions. Type one that its "
        f"{workspace.n_documents:,} documents should answer."
    )
    st.html(
        f'<div class="dgp-start"><h1>What do relationships change?</h1><p>{escape.html(lead)}</p></div>'
        f'<p class="dgp-corpus">{escape.html(workspace.title or workspace.name)}: '
        f"{workspace.n_documents:,} documents, {workspace.n_relationships:,} relationships</p>"
    )
    with st.container(key="dgp-cards"):
        for number, (sample, outcome) in enumerate(shown.items(), start=1):
            _card(number, sample, outcome, workspace)
    _ask(workspace, n_cards=len(shown))
    with st.container(key="dgp-bar"):
        if st.button("Leave", key="dgp-leave", shortcut="Esc", type="tertiary"):
            leave("home", [(address.WORKSPACE, workspace.name)])
    samples = {str(number): f"dgp-sample-{number}" for number in range(1, len(shown) + 1)}
    shortcuts({**samples, "Escape": "dgp-leave"}, key="dgp-keys")


def without_documents(workspace: Workspace) -> None:
    """The written state of a workspace that holds nothing to present."""
    with st.container(key="dgp-failed"):
        layout.no_documents(
            workspace.title or workspace.name,
            "There is nothing to present: load the sample corpus or import your documents first.",
        )
        if st.button("Go to Home", key="dgp-leave", shortcut="Esc", type="primary"):
            leave("home", [(address.WORKSPACE, workspace.name)])


def question_inputs(query: str, workspace: str) -> Inputs:
    """The inputs that present a question under the default limits."""
    return [(address.QUERY, query), (address.WORKSPACE, workspace)]


def _card(number: int, sample: Sample, outcome: Outcome, workspace: Workspace) -> None:
    (glyph, tone), said = sample.sign, escape.html(outcome.value + outcome.rest)
    with st.container(key=f"dgp-card-{number}"):
        st.html(
            f'<div class="dgp-card"><kbd>{number}</kbd><p>{escape.html(sample.query)}</p>'
            f'<small class="dg-tone-{tone}">{layout.glyph(glyph)}{said}</small></div>'
        )
        if st.button(escape.label(sample.query), key=f"dgp-sample-{number}", shortcut=str(number)):
            show(question_inputs(sample.query, workspace.name))


def _ask(workspace: Workspace, *, n_cards: int) -> None:
    with st.form("dgp-ask", border=False), st.container(key="dgp-askrow", horizontal=True, gap="small"):
        st.text_input(
            "Question",
            key=QUESTION,
            max_chars=20_000,
            label_visibility="collapsed",
            autocomplete="off",
            placeholder="Or type another question" if n_cards else "Type a question",
        )
        asked = st.form_submit_button("Present", key="dgp-present")
    question = str(st.session_state[QUESTION] or "").replace("\x00", "").strip()
    if asked and question:
        show(question_inputs(question, workspace.name))
    if asked:
        st.html('<p class="dgp-hint" role="status">Type a question first, or press the number of a card.</p>')
