"""The input under the turns, with what a starter has left to say, and the settings that are not the default."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.conversation import MAX_TEXT
from docgraph.domain.workspace import Workspace
from docgraph.ui.conversation.state import Settings, Talk, say, use
from docgraph.ui.frame import escape, layout

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
