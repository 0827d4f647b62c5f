"""Settings of retrieval for this session's conversation, in a popover that stays out of the way."""

from __future__ import annotations

from functools import partial

import streamlit as st

from docgraph.domain.packet import MAX_TOP_K
from docgraph.ui.conversation.state import MODES, Settings, Talk, configured, use
from docgraph.ui.frame import escape

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
