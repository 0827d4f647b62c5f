"""What the conversation remembers: counts, the state as JSON, export and import."""

from __future__ import annotations

from functools import partial

import streamlit as st

from docgraph.domain.conversation import ConversationState
from docgraph.errors import DocgraphError
from docgraph.ui.conversation.state import Talk, take_over
from docgraph.ui.frame import escape
from docgraph.views.conversation.words import state_line
from docgraph.views.words.counts import plural

MAX_UPLOAD_MB = 2


def memory(conversation: Talk) -> None:
    """Draw the popover."""
    with st.popover("Export", key="cv-memory", width="content"):
        state = conversation.state or ConversationState(workspace=conversation.workspace)
        line = state_line(state)
        text = state.model_dump_json(indent=2)
        st.html(f'<p class="cv-memoryline">{escape.html(line)}</p><p class="dg-note">{_about(state, text)}</p>')
        with st.container(key="cv-export", horizontal=True, vertical_alignment="center", gap="small"):
            st.download_button(
                "Export conversation",
                text,
                file_name=f"conversation-{conversation.workspace}.json",
                mime="application/json",
                key="docgraph.conversation.export",
                on_click="ignore",
            )
            if conversation.turns:
                st.download_button(
                    "Export all turns (JSON Lines)",
                    partial(_lines, conversation),
                    file_name=f"turns-{conversation.workspace}.jsonl",
                    mime="application/x-ndjson",
                    key="docgraph.conversation.turns",
                    on_click="ignore",
                )
        st.code(text, language="json", height=150)
        key = f"docgraph.conversation.import.{conversation.workspace}.{conversation.round}"
        st.file_uploader(
            "Import a conversation (replaces this one)",
            type=["json"],
            key=key,
            max_upload_size=MAX_UPLOAD_MB,
            on_change=_take,
            args=(conversation, key),
        )


def _lines(conversation: Talk) -> str:
    """Every turn as one line; made when it is asked for, because a long conversation has megabytes."""
    return "\n".join(turn.model_dump_json() for turn in conversation.turns)


def _about(state: ConversationState, text: str) -> str:
    without = f" {plural(state.n_failures, 'turn')} in a row without an answer." if state.n_failures else ""
    return (
        f"{len(text):,} characters of JSON: at most 20 turns, 12 topic words and 10 documents.{without} "
        "The conversation is kept in this browser session; a reload deletes it."
    )


def _take(conversation: Talk, key: str) -> None:
    """Read the uploaded state; whatever is wrong with it is told above the input, and nothing changes."""
    file = st.session_state.get(key)
    if file is None:
        return
    try:
        take_over(conversation, file.getvalue())
    except DocgraphError as problem:
        conversation.problem = problem
        return
    conversation.round += 1
    conversation.notice = "The conversation was imported. Continue where it ended."
