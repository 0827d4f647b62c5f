"""Pickers for edits: a document by title with autocomplete, a relation type from the vocabulary or a new one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from difflib import get_close_matches

import streamlit as st

from docgraph.ui.frame import escape
from docgraph.ui.parts.curation import state
from docgraph.ui.relationships.data import titles
from docgraph.views.words.counts import n_of_m

NEAREST = 3
MAX_OPTIONS = 1_000
"""Documents that one list offers; a larger workspace is narrowed by a part of the title first."""


def pick_document(workspace: str, label: str, *, key: str, without: str = "") -> str | None:
    """The document_id that was chosen; ``key`` is the selectbox's. ``without`` is not offered."""
    named = titles(workspace)
    found = list(named)
    if len(named) > MAX_OPTIONS:
        part = st.text_input(f"Part of a title or id: {label}", key=f"{key}.part", max_chars=200) or ""
        words = part.casefold().split()
        found = [i for i, title in named.items() if all(word in f"{title}\n{i}".casefold() for word in words)]
    twice = {title for title, n in Counter(named.values()).items() if n > 1}
    found = sorted((i for i in found if i != without), key=lambda i: (named[i].casefold(), i))
    shown = found[:MAX_OPTIONS]
    chosen = st.session_state.get(key)
    if chosen is not None and chosen not in shown:
        shown = [chosen, *shown] if chosen in named else shown
        if chosen not in named:
            st.session_state[key] = None
    cut = f" ({n_of_m(len(shown), len(found))} that match)" if len(shown) < len(found) else ""
    picked: str | None = st.selectbox(
        f"{label}{cut}",
        shown,
        index=None,
        key=key,
        placeholder="Type part of its title",
        format_func=lambda i: f"{named.get(i, i)}  ·  {i}" if named.get(i, i) in twice else named.get(i, i),
    )
    return picked


def pick_type(workspace: str, label: str, *, key: str, without: str = "") -> tuple[str, bool]:
    """The type that was chosen, and whether it is new; empty while none is, or a new one was not said to be meant."""
    counts = Counter(edge.relation_type for edge in state.relationships(workspace))
    known = [name for name, _ in sorted(counts.items(), key=lambda each: (-each[1], each[0])) if name != without]
    chosen = st.selectbox(
        label,
        known,
        index=None,
        key=key,
        accept_new_options=True,
        placeholder="From the vocabulary, or a new one",
        format_func=lambda name: f"{name} ({counts[name]:,})" if name in counts else f"{name} (new)",
    )
    name = " ".join(str(chosen or "").split())[:100]
    if not name or name in counts:
        return name, False
    return _new_type(name, known, key=key)


def _new_type(name: str, known: Sequence[str], *, key: str) -> tuple[str, bool]:
    """A name that no relationship has: most often one that was typed wrong, so the nearest ones are offered first."""
    with st.container(key=f"{key}-new", horizontal=True, vertical_alignment="center", gap="small"):
        meant = st.checkbox(f"Make {escape.label(name, limit=60)} a new type of this workspace", key=f"{key}.new")
        begun = [each for each in known if each.casefold().startswith(name.casefold())]
        for near in dict.fromkeys([*begun, *get_close_matches(name, known, n=NEAREST, cutoff=0.5)][:NEAREST]):
            st.button(f"Use {escape.label(near, limit=40)}", key=f"{key}.use.{near}", on_click=_use, args=(key, near))
    return (name, True) if meant else ("", False)


def _use(key: str, relation_type: str) -> None:
    st.session_state[key] = relation_type
