"""The input below the turns, and the page before the first turn with its examples."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.conversation import MAX_TEXT
from docgraph.domain.workspace import Workspace
from docgraph.ui.conversation.state import Settings, Talk, say, use, words_only
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


INPUT = "docgraph.conversation.input"


def ask_box(conversation: Talk, workspace: Workspace, offered: str) -> None:
    """Draw it; Enter sends, and a text that is refused is told above the input."""
    with st.container(key="cv-ask", gap="xsmall"):
        if conversation.problem is not None:
            layout.error(conversation.problem)
        if conversation.notice:
            layout.card("note", conversation.notice, "", sign="check")
        _aside(conversation, offered)
        st.chat_input(
            _placeholder(conversation, workspace), key=INPUT, max_chars=MAX_TEXT, on_submit=_said, args=(conversation,)
        )


def _aside(conversation: Talk, offered: str) -> None:
    """One quiet row: a link's question, the next text of a script, and what is not at its default."""
    changed = conversation.settings.changed()
    asked = not conversation.turns or any(turn.understanding.text == offered for turn in conversation.turns)
    brought = "" if asked else offered
    if not changed and not conversation.script and not brought:
        return
    with st.container(key="cv-aside", horizontal=True, vertical_alignment="center", gap="small"):
        if brought:
            st.button(
                f"Ask: {escape.label(brought, limit=60)}",
                key="docgraph.conversation.brought",
                on_click=say,
                args=(conversation, brought),
                type="tertiary",
            )
        if conversation.script:
            following = conversation.script[0]
            st.button(
                f"Next: {escape.label(following, limit=60)}",
                key="docgraph.conversation.next",
                on_click=say,
                args=(conversation, following),
                type="tertiary",
            )
        if changed:
            st.html(f'<p class="cv-changed">{layout.glyph("pin")}<span>{escape.html(", ".join(changed))}</span></p>')
            st.button(
                "Reset to defaults",
                key="docgraph.conversation.defaults",
                type="tertiary",
                on_click=use,
                args=(conversation, Settings()),
            )


def _placeholder(conversation: Talk, workspace: Workspace) -> str:
    if conversation.state is not None and conversation.state.waiting is not None:
        return "Answer: a number, a name, “neither”, or another question"
    if conversation.entries:
        return "Ask a follow-up or a new question"
    return f"Ask a question about {escape.shorten(escape.plain(workspace.title or workspace.name), 40)}"


def _said(conversation: Talk) -> None:
    text = st.session_state.get(INPUT)
    if isinstance(text, str) and text.strip():
        say(conversation, text)
