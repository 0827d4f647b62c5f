"""The Plan page: question, drawer, the plan in one sentence, its graph with the panel, and the tabs below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import streamlit as st

from docgraph.domain.request import RetrievalRequest
from docgraph.domain.workspace import Workspace
from docgraph.errors import DocgraphError
from docgraph.ui.frame import assets, escape, layout, navigation, resources
from docgraph.ui.parts.samples.card import sample_cards
from docgraph.ui.parts.type_pills import pill_style
from docgraph.ui.plan import address
from docgraph.ui.plan.body import body
from docgraph.ui.plan.controls import Inputs, controls, drawn, is_other, known_inputs
from docgraph.ui.plan.details.drawer import Drawer, drawer
from docgraph.ui.plan.draft import asked, draft_of, write_base
from docgraph.ui.plan.frozen import frozen_page
from docgraph.ui.plan.inputs import TypeChoice
from docgraph.ui.plan.state import plan_state
from docgraph.ui.plan.view import PlanView
from docgraph.views.plan.legend import legend
from docgraph.views.words.address import RUN


def without_documents(workspace: Workspace) -> None:
    """Nothing to read: the way to some."""
    layout.no_documents(
        workspace.title or workspace.name,
        "Load the sample or add your own documents first.",
    )
    navigation.link("library", "Add documents")


def without_question(workspace: Workspace, choice: TypeChoice) -> None:
    """Nothing asked: what an answer would show, and the way to a sample."""
    entries = legend(choice.counts, choice.names, allowed=frozenset(choice.shown))
    st.html(f"<style>{pill_style(entries, counts='corpus')}</style>")
    layout.empty(
        "Ask a question to see its plan",
        f"See which of the {workspace.n_documents:,} documents are read, why, and what is left out. "
        "The address holds the question and all settings, so the link can be shared.",
    )
    sample_cards(workspace.name, "Try an example", to="plan")


def ignored(notes: Sequence[str]) -> None:
    """What of the address could not be used, in one line."""
    if notes:
        st.html(
            f'<p class="pl-inline pl-ignored" role="status">{layout.glyph("info")}<span>Ignored in the address: '
            f"{escape.html('; '.join(notes[:3]))}{f'; and {len(notes) - 3} more' if len(notes) > 3 else ''}.</span></p>"
        )


@contextmanager
def types_kept(choice: TypeChoice) -> Iterator[None]:
    """The type pills keep their lines when the plan inside cannot be made, and there is none to count in."""
    try:
        yield
    except DocgraphError:
        entries = legend(choice.counts, choice.names, allowed=frozenset(choice.names))
        st.html(f"<style>{pill_style(entries, counts='')}</style>")
        raise


def plan_page() -> None:
    """Draw the controls, make the run that they ask for, draw it; or draw the frozen run that the address names."""
    assets.style(__file__, "style.css")
    address.go_on()
    if RUN in st.query_params:
        with layout.guarded():
            frozen_page(st.query_params[RUN])
        return
    workspace = resources.current_workspace()
    address.come_back(workspace)
    if workspace.n_documents == 0:
        without_documents(workspace)
        return
    _live_page(workspace)


def _live_page(workspace: Workspace) -> None:
    """The inputs and, under them, the plan they ask for.

    On the screen the inputs stand first. Where the session knows them already, the plan is drawn before them, so that
    it is painted first.
    """
    assets.style(__file__, "wide.css")
    above, details = st.container(key="plan_above"), drawer()
    below = st.container(key="plan_below")
    known = known_inputs(workspace)
    if known is None:
        inputs = controls(workspace, above, details)
        with below:
            _plan(inputs, workspace, details)
        drawn(workspace, inputs.choice)
        return
    memory = plan_state()
    before = memory.base, memory.asked
    with below:
        request = _plan(known, workspace, details)
    choice = controls(workspace, above, details).choice
    if is_other(request, choice, workspace):  # an address, or an input that had to give way, says something else
        memory.base, memory.asked = before
        memory.drawn_with = None
        st.rerun()
    drawn(workspace, choice)


def _plan(inputs: Inputs, workspace: Workspace, details: Drawer) -> RetrievalRequest | None:
    """Draw what the inputs ask for; the request that was read from them, if any."""
    wanted = None
    with layout.guarded():
        wanted = asked(inputs, workspace)
        if wanted is None:
            without_question(workspace, inputs.choice)
            return None
        ignored(wanted.ignored)
        with types_kept(inputs.choice):
            made = resources.begun(wanted.request, workspace.name)
            draft = draft_of(made.run, wanted.departed, workspace, choice=inputs.choice)
        write_base(draft, wanted.request)
        body(PlanView(made.run, workspace, inputs.choice, draft, whole=made.whole), details)
    return wanted.request if wanted else None
