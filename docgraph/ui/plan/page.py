"""The Plan page: question and limits, the status block, the graph with its inspector, and the tabs under them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import streamlit as st

from docgraph.domain.workspace import Workspace
from docgraph.errors import DocgraphError
from docgraph.ui.frame import assets, escape, navigation, resources
from docgraph.ui.frame import layout as frame
from docgraph.ui.parts.documents import document_names, relation_types
from docgraph.ui.parts.type_pills import pill_style
from docgraph.ui.plan import draft as plan_draft
from docgraph.ui.plan.canvas import draw
from docgraph.ui.plan.controls import TypeChoice, query_row, read_request, type_choice, types_row
from docgraph.ui.plan.frozen import frozen_page
from docgraph.ui.plan.lower import TABS
from docgraph.ui.plan.overrides import read_overrides
from docgraph.ui.plan.state import plan_state
from docgraph.ui.plan.view import PlanView
from docgraph.views.plan.legend import legend
from docgraph.views.words.address import BASELINE, PACKED, QUERY, RUN, TAB, unpacked


def plan_page() -> None:
    """Draw the page for the current workspace, or the frozen run that the address names."""
    assets.style(__file__, "style.css")
    # With a baseline it is the address of Compare, left behind by the browser's way back: the draft is still here.
    if PACKED in st.query_params and BASELINE not in st.query_params:
        _unpack()
    leave_for = plan_state().leave_for
    if leave_for:
        plan_state().leave_for = {}
        navigation.go_to("plan", leave_for)
    if RUN in st.query_params:
        with frame.guarded():
            frozen_page(st.query_params[RUN])
        return
    workspace = resources.current_workspace()
    left = plan_draft.address_left(workspace)
    if left:
        navigation.go_to("plan", left)
    if workspace.n_documents == 0:
        frame.empty(
            f"{workspace.title or workspace.name} holds no documents yet",
            "A plan needs something to read: load the sample corpus or import your documents in the Library.",
        )
        navigation.link("library", "Open the Library")
        return
    _live(workspace)


def _unpack() -> None:
    """Go to what a link from a page with inputs of the same names carries (see ``views.address.PACKED``)."""
    inputs = unpacked({name: st.query_params.get_all(name) for name in st.query_params})
    tab = (inputs.get(TAB) or ("",))[-1]
    if tab in TABS:  # a tab at its default leaves the address, and then the one that was open last would stay
        st.session_state[TAB] = tab
    navigation.go_to("plan", inputs)


def _live(workspace: Workspace) -> None:
    linked = plan_draft.entered()
    choice = type_choice(relation_types(workspace), workspace)
    built = query_row()
    types_row(choice, document_names(workspace))
    with frame.guarded():
        if built:
            plan_draft.forget_for_another_question(str(st.session_state.get(QUERY) or "").strip())
        overrides, ignored = read_overrides(workspace)
        request = read_request(choice, overrides)
        if request is None:
            _ask(workspace, choice)
            return
        departed, note = plan_draft.find_base(request, workspace, built=built, linked=linked)
        _say_ignored((*ignored, note) if note else ignored)
        with _legend_on_failure(choice):
            run = resources.run(request, workspace.name)
            draft = plan_draft.draft_of(run, departed, workspace, choice)
        plan_draft.write_base(draft, request)
        draw(PlanView(run, workspace, choice, draft))


def _ask(workspace: Workspace, choice: TypeChoice) -> None:
    entries = legend(choice.counts, choice.names, allowed=frozenset(choice.default))
    st.html(f"<style>{pill_style(entries, counts='corpus')}</style>")
    frame.empty(
        "Ask a question to see its plan",
        f"Which of the {workspace.n_documents:,} documents will be read, why each one is in, and what was cut. "
        "The question and every limit stand in the address, so the link can be shared.",
    )
    navigation.link("home", "Take a sample question")


def _say_ignored(notes: Sequence[str]) -> None:
    """What of the address could not be used, in one line."""
    if notes:
        st.html(
            f'<p class="pl-inline pl-ignored" role="status">{frame.glyph("info")}<span>Ignored in the address: '
            f"{escape.html('; '.join(notes[:3]))}{f'; and {len(notes) - 3} more' if len(notes) > 3 else ''}.</span></p>"
        )


@contextmanager
def _legend_on_failure(choice: TypeChoice) -> Iterator[None]:
    """The type pills keep their lines when there is no plan to count in."""
    try:
        yield
    except DocgraphError:
        entries = legend(choice.counts, choice.names, allowed=frozenset(choice.names))
        st.html(f"<style>{pill_style(entries, counts='')}</style>")
        raise
