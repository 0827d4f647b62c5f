"""Search settings of a conversation, and its export and import, in popovers."""

from __future__ import annotations

from functools import partial

import streamlit as st

from docgraph.domain.conversation import ConversationState
from docgraph.domain.packet import MAX_TOP_K
from docgraph.errors import DocgraphError
from docgraph.ui.conversation.state import MODES, Settings, Talk, configured, take_over, use
from docgraph.ui.frame import escape
from docgraph.ui.frame.download import download
from docgraph.views.conversation.words import state_line
from docgraph.views.words.counts import plural

KEY = "docgraph.conversation.set"
ANY = ""
MODE_WORDS = {
    "conversation": "conversation: memory, then graph, then full text",
    "accurate": "accurate: several sources, reranked",
    "fast": "fast: the first source only",
}


def settings(conversation: Talk, types: tuple[str, ...]) -> None:
    """Draw the popover; what is chosen counts from the next turn on."""
    n = len(conversation.settings.changed())
    with st.popover(f"Search settings{f' :gray[{n} changed]' if n else ''}", key="cv-settings", width="content"):
        _controls(conversation, types)


def _controls(conversation: Talk, types: tuple[str, ...]) -> None:
    _what_is_asked(conversation, types)
    _who_is_asked(conversation)
    st.button(
        "Reset to defaults",
        key=f"{KEY}.defaults",
        on_click=use,
        args=(conversation, Settings()),
        disabled=not conversation.settings.changed(),
    )


def _what_is_asked(conversation: Talk, types: tuple[str, ...]) -> None:
    now, take = conversation.settings, partial(_take, conversation)
    st.selectbox(
        "Mode",
        MODES,
        index=MODES.index(now.mode),
        format_func=lambda mode: MODE_WORDS[mode],
        key=_key(conversation, "mode"),
        on_change=take,
    )
    st.slider(
        "Confidence threshold",
        0.0,
        1.0,
        now.threshold,
        0.01,
        key=_key(conversation, "threshold"),
        help="From this confidence a question counts as answered. Nothing is hidden below it.",
        on_change=take,
    )
    left, right = st.columns(2)
    left.number_input("Maximum passages", 1, MAX_TOP_K, now.top_k, key=_key(conversation, "top_k"), on_change=take)
    channels = list(dict.fromkeys((ANY, *types, now.channel or ANY)))
    right.selectbox(
        "Channel",
        channels,
        index=channels.index(now.channel or ANY),
        key=_key(conversation, "channel"),
        format_func=lambda name: escape.plain(name) or "any document type",
        on_change=take,
    )


def _who_is_asked(conversation: Talk) -> None:
    now, known = conversation.settings, configured(conversation.workspace)
    take = partial(_take, conversation)
    names = list(dict.fromkeys((ANY, *known, now.provider or ANY)))
    st.selectbox(
        "Search this source first, on its own",
        names,
        index=names.index(now.provider or ANY),
        format_func=lambda name: name or "chosen by the mode",
        key=_key(conversation, "provider"),
        on_change=take,
    )
    st.html('<p class="dg-note">Sources that may be searched. Switch one off to see which replaces it.</p>')
    with st.container(key="cv-flags", horizontal=True, gap="small"):
        for name, on in known.items():
            st.checkbox(
                escape.label(name),
                on and name not in now.off,
                disabled=not on,
                key=_key(conversation, f"on.{name}"),
                help=None if on else "Switched off in the configuration",
                on_change=take,
            )


def _key(conversation: Talk, name: str) -> str:
    return f"{KEY}.{name}.{conversation.workspace}.{conversation.round}"


def _take(conversation: Talk) -> None:
    """Read every control; a value that is not there is as before."""
    now, state = conversation.settings, st.session_state

    def chosen(name: str, otherwise: object) -> object:
        return state.get(_key(conversation, name), otherwise)

    known = configured(conversation.workspace)
    conversation.settings = Settings(
        mode=next((mode for mode in MODES if mode == chosen("mode", now.mode)), now.mode),
        threshold=round(float(str(chosen("threshold", now.threshold))), 2),
        top_k=int(str(chosen("top_k", now.top_k))),
        channel=str(chosen("channel", now.channel or ANY)) or None,
        provider=str(chosen("provider", now.provider or ANY)) or None,
        off=frozenset(name for name, on in known.items() if on and not chosen(f"on.{name}", name not in now.off)),
    )


MAX_UPLOAD_MB = 2


def memory(conversation: Talk) -> None:
    """Draw the popover."""
    with st.popover("Export", key="cv-memory", width="content"):
        state = conversation.state or ConversationState(workspace=conversation.workspace)
        line = state_line(state)
        text = state.model_dump_json(indent=2)
        st.html(f'<p class="cv-memoryline">{escape.html(line)}</p><p class="dg-note">{_about(state, text)}</p>')
        download(
            "Export conversation",
            text,
            f"conversation-{conversation.workspace}.json",
            key="docgraph.conversation.export",
        )
        st.code(text, language="json", height=150)
        key = f"docgraph.conversation.import.{conversation.workspace}.{conversation.round}"
        st.file_uploader(
            "Import a conversation (replaces this one)",
            type=["json"],
            key=key,
            max_upload_size=MAX_UPLOAD_MB,
            on_change=_memory_take,
            args=(conversation, key),
        )


def _about(state: ConversationState, text: str) -> str:
    without = f" {plural(state.n_failures, 'turn')} in a row without an answer." if state.n_failures else ""
    return (
        f"{len(text):,} characters of JSON: at most 20 turns, 12 topic words and 10 documents.{without} "
        "The conversation is kept in this browser session; a reload deletes it."
    )


def _memory_take(conversation: Talk, key: str) -> None:
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
