"""Presenter mode: any address with ``present=1`` tells one question in three big steps, driven by the keyboard."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.request import RetrievalRequest
from docgraph.domain.workspace import Workspace
from docgraph.errors import DocgraphError
from docgraph.ui.frame import assets, escape, layout, navigation, resources
from docgraph.ui.parts import copy_link
from docgraph.ui.presenter.stage import stage
from docgraph.ui.presenter.start import leave, show, start, without_documents
from docgraph.ui.presenter.story import Inputs, request_in_address, story_of, story_of_saved
from docgraph.views.words import address


def presenting() -> bool:
    """Whether the address asks for presenter mode."""
    return st.query_params.get(address.PRESENT) == "1"


def presenter() -> None:
    """Draw presenter mode for the workspace in the address: the start screen, or the steps of the question in it."""
    assets.style(__file__, "style.css")
    with st.container(key="dgp"):
        try:
            workspace = _workspace()
            run_id = st.query_params.get(address.RUN)
            if run_id:
                stage(story_of_saved(run_id, workspace))
                return
            if workspace.n_documents == 0:
                without_documents(workspace)
                return
            request = request_in_address()
            if request is None:
                start(workspace)
            else:
                stage(story_of(request, workspace))
        except DocgraphError as problem:
            _failed(problem)


def presenter_inputs(request: RetrievalRequest | None, workspace: str) -> Inputs:
    """What an address says to present a question (None: the start screen) of a workspace."""
    asked = (
        []
        if request is None
        else [(name, value) for name, values in address.inputs_of(request).items() for value in values]
    )
    return [(address.PRESENT, "1"), *asked, (address.WORKSPACE, workspace)]


def presenter_link(
    request: RetrievalRequest | None, workspace: str, *, run_id: str = "", label: str = "Present"
) -> None:
    """A link into presenter mode: to the first step of ``request`` or of a saved run, else to the start screen.

    With a question it is a plain link that loads anew: from its own links Streamlit drops what the page being left
    binds, and that is the question.
    """
    help_text = "Three steps with the arrow keys: without relationships, with them, and the trade-off"
    if request is None and not run_id:
        home = navigation.pages()[0]
        st.page_link(home.path, label=label, query_params=presenter_inputs(None, workspace), help=help_text)
        return
    saved = [(address.PRESENT, "1"), (address.RUN, run_id)]
    inputs: dict[str, list[str]] = {}
    for name, value in saved if run_id else presenter_inputs(request, workspace):
        inputs.setdefault(name, []).append(value)
    to = escape.html(copy_link.address("/", inputs))
    st.html(
        f'<a class="dg-present" href="{to}" target="_self" title="{escape.html(help_text)}">{escape.html(label)}</a>'
    )


def _workspace() -> Workspace:
    """The workspace in the address, else that of the session; the header that holds the switcher is not drawn here."""
    wanted = st.query_params.get(address.WORKSPACE)
    named = {workspace.name: workspace for workspace in resources.workspaces()}
    return named.get(wanted or "") or resources.current_workspace()


def _failed(problem: DocgraphError) -> None:
    with st.container(key="dgp-failed"):
        layout.error(problem)
        with st.container(horizontal=True, gap="small"):
            if st.button("Back to the start", key="dgp-home", shortcut="Home", type="primary"):
                show([])
            if st.button("Leave", key="dgp-leave", shortcut="Esc"):
                leave("home", [])
