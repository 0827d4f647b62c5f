"""What narrows the list of all relationships: boxes that stand in the address."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import streamlit as st

from docgraph.ui.frame.chosen import put
from docgraph.ui.relationships.data import DOCUMENT, document_box
from docgraph.views.relationships.edges.rows import Direction, EdgeFilter, EdgeRow, Reviewed

FIND, TYPE, SOURCE, REVIEWED, LOOSE = "part", "type", "source", "reviewed", "dangling"
DIRECTION = "direction"
DIRECTIONS: tuple[Direction, ...] = ("", "outgoing", "incoming")


def filters(workspace: str, everything: Sequence[EdgeRow]) -> EdgeFilter:
    """Draw them all; what they ask for."""
    types = sorted({row.key[1] for row in everything})
    sources = sorted({row.source for row in everything})
    text = search()
    relation_type = choose_type(types)
    source = _choice("Found by", sources, key=SOURCE, width=150)
    reviewed = _choice("Reviewed", ["yes", "no"], key=REVIEWED, width=96)
    document = document_box(workspace, key="docgraph.edges.document", width=220)
    direction = _direction() if document else ""
    loose = st.toggle("Target not stored", key=LOOSE, bind="query-params")
    return EdgeFilter(text, relation_type, source, cast(Reviewed, reviewed), document, bool(loose), direction)


def search() -> str:
    """Part of a title, an id or a type."""
    text = st.text_input(
        "Search", key=FIND, bind="query-params", placeholder="Part of a title, id or type", max_chars=200, width=230
    )
    return text or ""


def choose_type(types: Sequence[str]) -> str:
    """One of these types; empty = all."""
    return _choice("Type", types, key=TYPE, width=170)


def _choice(label: str, options: Sequence[str], *, key: str, width: int) -> str:
    chosen = st.selectbox(
        label, ["", *options], key=key, bind="query-params", width=width, format_func=lambda name: name or "all"
    )
    return str(chosen or "")


def _direction() -> Direction:
    """What the document leads to, or what leads to it; it is drawn beside a document only, so nothing binds it."""
    asked = st.query_params.get(DIRECTION, "")
    at = DIRECTIONS.index(asked) if asked in DIRECTIONS else 0
    key = f"docgraph.edges.direction.{at}"
    return st.selectbox(
        "Direction",
        DIRECTIONS,
        index=at,
        key=key,
        width=130,
        format_func=lambda name: name or "all",
        on_change=lambda: put(DIRECTION, st.session_state.get(key)),
    )


def forget() -> None:
    """Set every filter back."""
    st.session_state[FIND] = st.session_state[TYPE] = st.session_state[SOURCE] = st.session_state[REVIEWED] = ""
    st.session_state[LOOSE] = False
    put(DOCUMENT, None)
    put(DIRECTION, None)
