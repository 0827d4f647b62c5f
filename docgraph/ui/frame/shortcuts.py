"""Keys that press buttons: one after the other, none lost while the page is being drawn, none while somebody types."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from docgraph.ui.frame import assets

TURN = "docgraph.shortcuts.turn"
"""How often this session drew its keys: by it the browser knows that a press was answered."""

_KEYS = assets.component("shortcuts", __file__, js=("shortcuts.js",))


SLOW = "dg-slow"
"""Class of an element that says its ``data-says`` while the press of its ``data-key`` is not answered yet."""


def shortcuts(
    keys: Mapping[str, str],
    *,
    key: str,
    fields: tuple[str, ...] = (),
    opens: tuple[str, ...] = (),
    slow: Mapping[str, int] | None = None,
) -> None:
    """Let each key press the button of a Streamlit key, wherever the focus is, except while somebody types.

    ``keys``: name of a key as ``KeyboardEvent.key`` has it (letters in lower case) → key of the button. What is typed
    ahead waits until the press before it is drawn. Enter in a text box of ``fields`` (how their keys begin) hands its
    text over and presses; Escape leaves it and presses. ``opens`` = the keys that put the cursor into such a field:
    what is typed after them is text, also before the cursor is there. ``slow`` = key → how many of its presses this
    session has dealt with: 0.3 s after a press or a click, until the next one is dealt with, an element of the class
    ``SLOW`` says so. The ``shortcut`` of a button still shows its key, and is what counts until this listens.
    """
    named = {name: class_of(button) for name, button in keys.items()}
    turn = st.session_state[TURN] = st.session_state.get(TURN, 0) + 1
    data = {"keys": named, "fields": [class_of(field) for field in fields], "opens": list(opens)}
    data |= {"slow": dict(slow or {}), "place": key, "turn": turn}
    _KEYS(key=key, data=data)


def class_of(key: str) -> str:
    """What Streamlit makes of a widget's key in its class ``st-key-…``."""
    return key.replace(".", "-")
