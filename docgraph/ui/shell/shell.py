"""The script behind every page: style, navigation over ``pages/``, the bar above, and the page itself.

An address with ``present=1`` shows presenter mode instead of all that.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from docgraph.boundary.logs import begin_request
from docgraph.errors import DocgraphError
from docgraph.ui.bar.places import places
from docgraph.ui.bar.state import state
from docgraph.ui.frame import layout, navigation, resources
from docgraph.ui.frame.state import session
from docgraph.ui.presenter.page import presenter, presenting
from docgraph.ui.shell.address import address, carry_on, remember, take_along, told_parameters
from docgraph.ui.shell.no_workspace import no_workspace

LOGO = Path(__file__).parent.parent / "bar" / "logo.svg"
ABOUT = "docgraph: what will be read for a question, why, and what the relationships changed. Works offline."


def main() -> None:
    """One run of the script; known errors become the written error state, never a traceback."""
    begin_request()
    st.set_page_config(page_title="docgraph", page_icon=str(LOGO), layout="wide", menu_items={"About": ABOUT})
    layout.style()
    try:
        if resources.sign_in_needed():
            st.logo(str(LOGO), size="small")
            return
    except DocgraphError as problem:
        layout.error(problem, retry=resources.reconnect)
        return
    on_stage = presenting()
    here, page = _open_page()
    try:
        with resources.one_look():
            if (missing := resources.missing_workspace()) is not None:
                navigation.keep_address()
                no_workspace(missing)
                return
            workspace = resources.current_workspace()
            resources.stay_in(workspace)
            navigation.keep_address()
            if on_stage:
                presenter()
                return
            places(here, resources.workspaces(), workspace)
            state(workspace)
            carry_on(here.name, workspace.name)
            st.html('<span id="dg-content" class="dg-landing" tabindex="-1"></span>')
            _show_notices()
            told_parameters(here.name)
            page.run()
            take_along(here.name, workspace.name)
            address(here.name, workspace)
            remember()
    except DocgraphError as problem:
        layout.error(problem, retry=resources.reconnect)


def _open_page() -> tuple[navigation.PageFile, StreamlitPage]:
    """The page that the address means, as its file and as what runs it. The bar is ours: the framework draws none."""
    files = {
        file: st.Page(file.path, title=file.title, icon=file.icon, url_path=file.name, default=index == 0)
        for index, file in enumerate(navigation.pages())
    }
    page = st.navigation(list(files.values()), position="hidden")
    return next(file for file, each in files.items() if each == page), page


def _show_notices() -> None:
    notices, problems = session().notices, session().problems
    while notices:
        layout.card("note", notices.pop(0), "", sign="check")
    while problems:
        layout.error(problems.pop(0))


if __name__ == "__main__":
    main()
