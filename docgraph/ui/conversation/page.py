"""The Conversation page: turns on the left with the input under them, how the chosen turn was made on the right."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.workspace import Workspace
from docgraph.ui.conversation.input import ask_box, start
from docgraph.ui.conversation.settings import memory, settings
from docgraph.ui.conversation.side import side
from docgraph.ui.conversation.state import Talk, reset, talk
from docgraph.ui.conversation.turns import CHOICE_KEYS, turns
from docgraph.ui.frame import assets, escape, layout, resources
from docgraph.ui.frame.shortcuts import shortcuts
from docgraph.ui.parts.documents import doc_types
from docgraph.views.conversation.words import state_line

ASK = "ask"
"""Not ``query``: Streamlit drops from an address what the page that is left binds to its own inputs."""
MAX_OFFERED = 300

_SCROLL = assets.component("conversation_scroll", __file__, js=("frame/arrival.js", "scroll.js"))
"""What widgets cannot do themselves: the newest turn, or the one that is chosen (0: none), comes into sight."""


def conversation_page() -> None:
    """Draw the page; ``?ask=`` offers a question to begin with."""
    assets.style(__file__, "style.css")
    workspace = resources.current_workspace()
    offered = st.query_params.get(ASK, "").strip()[:MAX_OFFERED]
    _page(workspace, doc_types(workspace) if workspace.n_documents else (), offered)


@st.fragment
def _page(workspace: Workspace, types: tuple[str, ...], offered: str) -> None:
    """A fragment: a turn asks the database through the contract alone, so that it may be down."""
    conversation = talk(workspace.name)
    with layout.guarded(), st.container(key="cv-page", gap="small"):
        _head(conversation, types)
        left, right = st.columns([7, 5], gap="medium")
        with left, st.container(key="cv-left", gap="small"):
            with st.container(key="cv-turns", gap="small"):
                if conversation.entries:
                    turns(conversation)
                else:
                    start(conversation, workspace, offered)
            ask_box(conversation, workspace, offered)
        with right, st.container(key="cv-side", gap="small"):
            side(conversation)
    _SCROLL(key="cv-scroll", data={"turns": len(conversation.entries), "selected": conversation.selected or 0})
    shortcuts(CHOICE_KEYS, key="cv-keys")


def _head(conversation: Talk, types: tuple[str, ...]) -> None:
    with st.container(key="cv-head", horizontal=True, vertical_alignment="center", gap="small"):
        line = escape.html(state_line(conversation.state))
        st.html(f'<h1 class="dg-h1">Conversation</h1><p class="cv-state" role="status">{line}</p>')
        settings(conversation, types)
        memory(conversation)
        st.button(
            "New conversation",
            key="docgraph.conversation.reset",
            on_click=reset,
            args=(conversation,),
            disabled=not conversation.entries,
            help="Clears this conversation; settings stay",
        )
