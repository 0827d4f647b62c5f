"""The page before the first turn: what a conversation does here, and ways to begin one."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.workspace import Workspace
from docgraph.ui.conversation.state import Talk, say, words_only
from docgraph.ui.frame import escape, layout, navigation
from docgraph.ui.frame.resources import SAMPLE_WORKSPACE
from docgraph.views.conversation.starters import SAMPLE, Starter


def start(conversation: Talk, workspace: Workspace, offered: str) -> None:
    """Draw it; ``offered`` is a question that a link brought along."""
    if workspace.n_documents == 0:
        layout.no_documents(
            workspace.title or workspace.name,
            "A question can be asked all the same: it ends in a fallback that says what is missing. Load the sample "
            "corpus or import your documents to get answers.",
        )
        navigation.link("library", "Open the Library")
        return
    layout.empty(
        "Nothing was said yet",
        "Ask a question, then follow up: “why?”, “and for …?”, “the second one”. Every turn says how it was "
        "understood, who was asked, how sure the answer is, and what comes next. No language model answers: a turn "
        "names the passages that an answer is to be made from. It all lives in this browser session: export the state "
        "to keep it.",
    )
    if offered:
        st.button(
            f"Ask: {escape.label(offered, limit=120)}",
            key="docgraph.conversation.offered",
            type="primary",
            on_click=say,
            args=(conversation, offered),
        )
    if workspace.name == SAMPLE_WORKSPACE:
        _starters(conversation)


def _starters(conversation: Talk) -> None:
    layout.section("Try", "each shows another way on")
    with st.container(key="cv-starters", gap="xsmall"):
        for n, starter in enumerate(SAMPLE):
            with st.container(key=f"cv-starter-{n}", gap=None):
                st.html(
                    f'<div class="cv-starter"><b>{escape.html(starter.title)}</b>'
                    f"<span>{escape.html(starter.note)}</span></div>"
                )
                st.button(
                    escape.label(starter.texts[0]),
                    key=f"docgraph.conversation.start.{n}",
                    type="tertiary",
                    on_click=_begin,
                    args=(conversation, starter),
                )


def _begin(conversation: Talk, starter: Starter) -> None:
    if starter.words_only:
        words_only(conversation)
    conversation.script = starter.texts
    say(conversation, starter.texts[0])
