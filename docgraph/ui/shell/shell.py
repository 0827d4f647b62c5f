"""The script behind every page: style, navigation over ``pages/``, the header's right side, and the page itself.

An address with ``present=1`` shows presenter mode instead of all that.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from docgraph.boundary.request_ids import begin_request
from docgraph.errors import DocgraphError
from docgraph.ui.frame import layout, navigation, resources
from docgraph.ui.frame.state import session
from docgraph.ui.presenter.page import presenter, presenting
from docgraph.ui.shell.header import header
from docgraph.ui.shell.no_workspace import no_workspace

LOGO = Path(__file__).with_name("logo.svg")
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
    if not on_stage:
        st.logo(str(LOGO), size="small")
    page = st.navigation(
        [
            st.Page(file.path, title=file.title, icon=file.icon, url_path=file.name, default=index == 0)
            for index, file in enumerate(navigation.pages())
        ],
        position="hidden" if on_stage else "top",
    )
    navigation.keep_address()
    try:
        with resources.one_look():
            if (missing := resources.missing_workspace()) is not None:
                no_workspace(missing)
                return
            if on_stage:
                presenter()
                return
            header(resources.workspaces(), resources.current_workspace())
            _show_notices()
            page.run()
    except DocgraphError as problem:
        layout.error(problem, retry=resources.reconnect)


def _show_notices() -> None:
    notices, problems = session().notices, session().problems
    while notices:
        layout.card("note", notices.pop(0), "", sign="check")
    while problems:
        layout.error(problems.pop(0))


if __name__ == "__main__":
    main()
