"""What the Compare page remembers: filter and view in the address, the selected chunk in the session."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import streamlit as st

from docgraph.domain.comparison import ChunkChange, Comparison, Order
from docgraph.ui.frame.chosen import put
from docgraph.ui.frame.state import session
from docgraph.views.compare.slope import chunk_key
from docgraph.views.words.changes import FILTERS, OF_DOCUMENTS, Filter, chunks_in

ROWS, STAGE_B, ANYWAY = "rows", "b", "anyway"
ORDER, CHANGES = "order", "changes"
"""Names in the address beside those of the request: filter, B's stage, accepted obstacles, order, only changes."""

CHIPS = "docgraph.compare.chips"
CHUNK_TABLE, DOCUMENT_TABLE = "docgraph.compare.chunk_table", "docgraph.compare.document_table"
SLOPE, LANES = "docgraph.compare.slope", "docgraph.compare.lanes"
VIEW, FOLD, WHOLE = "view", "docgraph.compare.fold", "docgraph.compare.whole"
"""What the picture of lanes shows (in the address), and which fold is open."""

Fold = Literal["documents", "chunks", "texts", "figures"]
BY_DOCUMENT, BY_SCORE = "by document", "by score"
ALL, ONLY_CHANGES = "all", "only changes"


@dataclass
class CompareState:
    """The page's own memory. ``turn`` counts selections made outside the chart, so that it forgets its own."""

    of: tuple[str, str] = ("", "")
    selected: str | None = None
    document: str | None = None
    show_all: bool = False
    turn: int = 0


def memory() -> CompareState:
    """The memory of this session's Compare page."""
    state: CompareState = session().page.setdefault("compare", CompareState())
    return state


def settle(comparison: Comparison) -> None:
    """Keep the selection while it is in this comparison, else select what tells most; read the filter once."""
    state = memory()
    if CHIPS not in st.session_state:
        st.session_state[CHIPS] = _filter(st.query_params.get(ROWS))
    of = (comparison.a.run.plan.plan_id, comparison.b.run.plan.plan_id)
    if state.of != of:
        state.of, state.show_all = of, False
        state.turn += 1
        if state.selected not in {chunk_key(c) for c in comparison.chunks}:
            state.selected, state.document = first_choice(comparison), None
    if comparison.identical or not visible(comparison):
        st.session_state[CHIPS] = "all"
    filtered(comparison)
    if wanted() != "all" and fold() is None:
        open_fold("documents" if wanted() in OF_DOCUMENTS else "chunks")


def fold() -> Fold | None:
    """The fold that is open."""
    return next((name for name in get_args(Fold) if name == st.session_state.get(FOLD)), None)


def open_fold(name: Fold) -> None:
    """Open a fold (in a callback, before the folds are drawn)."""
    st.session_state[FOLD] = name


def first_choice(comparison: Comparison) -> str | None:
    """The first chunk that came in, else the first that left, else one with two versions, else the first."""

    def telling(chunk: ChunkChange) -> tuple[int, bool]:
        return ("added", "left", "kept").index(chunk.change), chunk.text_b is None

    return chunk_key(min(comparison.chunks, key=telling)) if comparison.chunks else None


def wanted() -> Filter:
    """The filter that is on."""
    return _filter(st.session_state.get(CHIPS))


def order() -> Order:
    """The order that places are counted in."""
    return "score" if st.session_state.get(ORDER) == BY_SCORE else "document"


def use_filter(comparison: Comparison, name: Filter) -> None:
    """Set the filter (in a callback, before the chips are drawn)."""
    st.session_state[CHIPS] = name
    filtered(comparison, opens=True)


def filtered(comparison: Comparison, *, opens: bool = False) -> None:
    """After the filter changed: the first of its chunks is selected, unless one of them is already.

    ``opens``: the fold that holds its rows is opened.
    """
    _keep_filter()
    if opens:
        open_fold("documents" if wanted() in (*OF_DOCUMENTS, "all") else "chunks")
    keys = [chunk_key(c) for c in visible(comparison)]
    if keys and memory().selected not in keys and wanted() != "all":
        memory().turn += 1
        memory().selected = keys[0]
    mirror(comparison)


def _keep_filter() -> None:
    """Write the filter into the address."""
    put(ROWS, wanted(), "all")


def select(comparison: Comparison, key: str | None, *, in_chart: bool = False) -> None:
    """Select a chunk everywhere; ``in_chart``: the chart shows it already."""
    if key is not None and key not in {chunk_key(c) for c in comparison.chunks}:
        return
    state = memory()
    if not in_chart:
        state.turn += 1
    _take(comparison, key)
    mirror(comparison)


def select_document(comparison: Comparison, document_id: str | None) -> None:
    """Select a document: the first chunk of it that is shown, or the document alone when it has none."""
    own = next((c for c in visible(comparison) if c.document_id == document_id), None)
    own = own or next((c for c in comparison.chunks if c.document_id == document_id), None)
    state = memory()
    state.turn += 1
    _take(comparison, chunk_key(own) if own else None)
    state.document = document_id
    mirror(comparison)


def visible(comparison: Comparison) -> tuple[ChunkChange, ...]:
    """The chunks that the filter lets through."""
    return chunks_in(comparison, wanted(), order())


def selected_chunk(comparison: Comparison) -> ChunkChange | None:
    """The chunk that is selected, if any."""
    key = memory().selected
    return next((c for c in comparison.chunks if chunk_key(c) == key), None)


def mirror(comparison: Comparison) -> None:
    """Set both tables' row selection to the selection of the chart."""
    from docgraph.views.compare.tables import document_rows_shown

    state = memory()
    keys = [chunk_key(c) for c in visible(comparison)]
    documents = [d.document_id for d in document_rows_shown(comparison, wanted())]
    for table, ids, value in ((CHUNK_TABLE, keys, state.selected), (DOCUMENT_TABLE, documents, state.document)):
        rows = [ids.index(value)] if value in ids else []
        st.session_state[table] = {"selection": {"rows": rows, "columns": [], "cells": []}}


def _take(comparison: Comparison, key: str | None) -> None:
    state = memory()
    state.selected = key
    chunk = next((c for c in comparison.chunks if chunk_key(c) == key), None)
    state.document = chunk.document_id if chunk else None


def _filter(name: object) -> Filter:
    return next((known for known in FILTERS if known == name), "all")
