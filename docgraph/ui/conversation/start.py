"""The page before the first turn: what a conversation does here, and ways to begin one."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.workspace import Workspace
from docgraph.ui.conversation.state import Talk, say, words_only
from docgraph.ui.frame import escape, layout, navigation
from docgraph.ui.frame.resources import SAMPLE_WORKSPACE
from docgraph.views.conversation.words import SAMPLE, Starter


def start(conversation: Talk, workspace: Workspace, offered: str) -> None:
    """Draw it; ``offered`` is a question that a link brought along."""
    if workspace.n_documents == 0:
        layout.no_documents(
            workspace.title or workspace.name,
            "Load the sample or add your own documents to get answers.",
        )
        navigation.link("library", "Add documents")
        return
    layout.empty(
        "No messages yet",
        "Ask a question, then follow up: “why?”, “and for …?”, “the second one”. Each reply lists the passages that "
        "an answer would draw on; no language model is called. The conversation is kept in this browser session "
        "only: export it to keep it.",
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
    layout.section("Examples")
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
