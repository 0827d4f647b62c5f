"""The focus graph: two documents with everything that a relationship joins to them, as a picture and as a table."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import chain
from typing import Any

import pandas as pd
import streamlit as st

from docgraph.domain.graph import Relationship
from docgraph.domain.overrides import EdgeKey, edge_text
from docgraph.ui.frame import assets, escape, navigation, resources
from docgraph.ui.frame import layout as frame
from docgraph.ui.parts.lanes.focus import focus_graph as draw_graph
from docgraph.views.lanes.layout import edge_id
from docgraph.views.relationships.edges.focus import FocusGraph, focus_graph
from docgraph.views.relationships.edges.neighbours import Document
from docgraph.views.words.counts import plural
from docgraph.views.words.provenance import provenance_words, review_words

MAX_ROWS = 1_000
"""Rows of the table twin; more are counted."""

Selected = str | EdgeKey | None
"""A document_id, the key of a relationship, or nothing."""


def draw(
    workspace: str,
    a_id: str,
    b_id: str,
    *,
    key: str,
    edge: EdgeKey | None = None,
    on_select: Callable[[Selected], None] | None = None,
) -> None:
    """Draw documents A and B, the relationships between them and their one-hop neighbourhood, limited with counts.

    ``key`` is unique on the page. ``edge`` = the relationship in question (None: the first between the two): it is
    emphasised, and drawn as proposed when it is not stored. The same document twice shows a relationship to itself.
    A click on a document or a line, or on a row of the table, selects it in both and names it below with its links;
    ``on_select`` is then told its document_id or its (from, type, to), or None. It is a fragment: a click runs nothing
    else of the page.
    """
    _fragment(workspace, a_id, b_id, key=key, edge=edge, on_select=on_select)


@st.fragment
def _fragment(
    workspace: str,
    a_id: str,
    b_id: str,
    *,
    key: str,
    edge: EdgeKey | None,
    on_select: Callable[[Selected], None] | None,
) -> None:
    assets.style(__file__, "focus_foot.css")
    with frame.guarded(key=f"{key}_retry"):
        chosen = st.session_state.get(_chosen(key))
        graph = read(workspace, a_id, b_id, edge=edge, chosen=chosen)
        known = {node.id for node in graph.nodes} | {edge_id(row.key) for row in graph.rows}
        chosen = chosen if chosen in known else None
        picked = partial(_picked, graph, key, on_select)
        draw_graph(graph, key=f"{key}_graph", selected=chosen, on_select=picked)
        with st.container(key=f"fg-foot-{key}", gap="small"):
            _selection(graph, chosen)
            _table(graph, key, on_select)


def read(workspace: str, a_id: str, b_id: str, *, edge: EdgeKey | None, chosen: str | None = None) -> FocusGraph:
    """The neighbourhood as it is stored now; a chosen document is drawn even beyond the limit."""
    revision = resources.docgraph(workspace).workspace.state
    edges = tuple(chain.from_iterable(_at(workspace, revision, i) for i in dict.fromkeys((a_id, b_id))))
    ids = sorted({end for e in edges for end in (e.from_document_id, e.to_document_id)} | {a_id, b_id})
    documents = _documents(workspace, revision, tuple(ids))
    a, b = (documents.get(i) or Document(i, stored=False) for i in (a_id, b_id))
    keep = {chosen.removeprefix("doc:")} if chosen else set()
    keep |= {end for e in edges if edge_id(e.key) == chosen for end in (e.from_document_id, e.to_document_id)}
    return focus_graph(a, b, edges, documents=documents, edge=edge, keep=sorted(keep))


@st.cache_resource(max_entries=64, ttl="1h", show_spinner=False)
def _at(workspace: str, revision: str, document_id: str) -> tuple[Relationship, ...]:
    del revision  # part of the key only
    return tuple(resources.docgraph(workspace).relationships.list(document_id=document_id))


@st.cache_resource(max_entries=32, ttl="1h", show_spinner=False)
def _documents(workspace: str, revision: str, ids: tuple[str, ...]) -> dict[str, Document]:
    del revision  # part of the key only
    found = resources.docgraph(workspace).documents.by_id(ids)
    return {i: Document(i, d.title, d.doc_type) for i, d in found.items()}


# ------------------------------------------------------------ what is selected


def _chosen(key: str) -> str:
    return f"docgraph.focus.{key}"


def _picked(graph: FocusGraph, key: str, on_select: Callable[[Selected], None] | None) -> None:
    """A click in the picture: the table follows."""
    picked = st.session_state[f"{key}_graph"].selected
    rows = [i for i, row in enumerate(graph.rows[:MAX_ROWS]) if edge_id(row.key) == picked]
    st.session_state[f"{key}_table"] = {"selection": {"rows": rows, "columns": [], "cells": []}}
    _tell(graph, key, picked, on_select)


def _row_picked(graph: FocusGraph, key: str, on_select: Callable[[Selected], None] | None) -> None:
    """A click on a row: the picture follows."""
    rows: list[int] = dict(st.session_state[f"{key}_table"]).get("selection", {}).get("rows", [])
    picked = edge_id(graph.rows[rows[0]].key) if rows and rows[0] < len(graph.rows) else None
    _tell(graph, key, picked, on_select)


def _tell(graph: FocusGraph, key: str, picked: str | None, on_select: Callable[[Selected], None] | None) -> None:
    st.session_state[_chosen(key)] = picked
    if on_select is not None:
        edge = _edge(graph, picked)
        on_select(edge.key if edge else picked.removeprefix("doc:") if picked else None)


def _edge(graph: FocusGraph, picked: str | None) -> Relationship | None:
    return next((row for row in graph.rows if edge_id(row.key) == picked), None)


def _selection(graph: FocusGraph, chosen: str | None) -> None:
    """How much is drawn; or what is selected, with the way to it."""
    edge = _edge(graph, chosen)
    node = next((node for node in graph.nodes if node.id == chosen), None)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if edge is not None:
            start, end = graph.title(edge.from_document_id), graph.title(edge.to_document_id)
            said = f"{start} —{edge.relation_type}→ {end}: {provenance_words(edge)}; {review_words(edge)}"
            st.html(f'<p class="dg-note">{escape.html(said)}</p>')
            navigation.link(
                "relationships", "Open this relationship", query={"tab": "all", "edge": edge_text(edge.key)}
            )
        elif node is not None:
            kind = "not stored" if node.missing else node.doc_type or "no type"
            said = f"{node.title}: {kind}, {_degree(graph, node.document_id)}"
            st.html(f'<p class="dg-note">{escape.html(said)}</p>')
            if not node.missing:
                navigation.link("library", "Open the document", query={"document": node.document_id})
        else:
            st.html(f'<p class="dg-note">{escape.html(graph.shown)}. Select a document or a line.</p>')


def _degree(graph: FocusGraph, document_id: str) -> str:
    n = sum(document_id in (row.from_document_id, row.to_document_id) for row in graph.rows)
    return f"{plural(n, 'relationship')} shown here"


# ------------------------------------------------------------ the table twin


def _table(graph: FocusGraph, key: str, on_select: Callable[[Selected], None] | None) -> None:
    rows = graph.rows[:MAX_ROWS]
    more = f" (the first {len(rows):,})" if len(rows) < len(graph.rows) else ""
    with st.expander(f"As a table: {plural(len(graph.rows), 'relationship')}{more}", key=f"{key}_twin"):
        columns: dict[str, list[Any]] = {
            "From": [graph.title(row.from_document_id) for row in rows],
            "Type": [row.relation_type for row in rows],
            "To": [graph.title(row.to_document_id) for row in rows],
            "Provenance": [provenance_words(row) for row in rows],
        }
        st.dataframe(
            pd.DataFrame(columns),
            hide_index=True,
            key=f"{key}_table",
            selection_mode="single-row",
            on_select=lambda: _row_picked(graph, key, on_select),
            height=min(38 + 34 * max(len(rows), 1), 280),
            row_height=34,
            alt="Relationships of the two documents; select one to see it in the picture",
            placeholder="--",
        )
