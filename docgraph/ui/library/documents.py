"""The documents browser: a filter, a table, and everything the workspace holds of the selected document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from docgraph.domain.graph import StoredDocument
from docgraph.domain.workspace import Workspace
from docgraph.ui.frame import layout
from docgraph.ui.library.document import document_panel
from docgraph.ui.parts.documents import MAX_ROWS, doc_types, document_rows

TABLE_KEY = "docgraph.library.documents"
FILTER_KEY, TYPE_KEY, DOCUMENT_KEY, CHUNK_KEY = "filter", "doc_type", "document", "chunk"
ROW_HEIGHT, TABLE_HEIGHT = 36, 560


def documents(workspace: Workspace) -> None:
    """Filter and table on the left, the selected document on the right.

    ``?document=`` names it, ``&chunk=`` one of its chunks.
    """
    if workspace.n_documents == 0:
        layout.no_documents(workspace.name, "Use Add documents above to upload a folder, an archive or files.")
        return
    table, panel = st.columns([5, 6], gap="medium")
    with table:
        found = _filtered(workspace)
        shown = selected_id(found)
        _table(found, shown)
    with panel:
        if shown is None:
            layout.empty("No document is selected", "Select a row to see its summary, passages and relationships.")
        else:
            chunk_id = st.query_params.get(CHUNK_KEY) or None
            document_panel(workspace, shown, follow=lambda other: follow(other, found), chunk_id=chunk_id)


def _filtered(workspace: Workspace) -> Sequence[StoredDocument]:
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        text = st.text_input(
            "Filter by title or id",
            key=FILTER_KEY,
            bind="query-params",
            placeholder="Part of a title or id",
            label_visibility="collapsed",
            max_chars=200,
        )
        types = doc_types(workspace)
        chosen = st.selectbox(
            "Type",
            ["", *types],
            format_func=lambda name: name or "all types",
            key=TYPE_KEY,
            bind="query-params",
            label_visibility="collapsed",
            width=160,
        )
    rows = document_rows(workspace, doc_type=chosen or None, text=text or "")
    total = f"{workspace.n_documents:,}"
    more = "" if rows.complete else f"; the table stops at {MAX_ROWS:,}, so narrow the filter"
    st.html(f'<p class="dg-note">{len(rows.documents):,} of {total} documents{more}</p>')
    return rows.documents


def selected_id(found: Sequence[StoredDocument]) -> str | None:
    """The document that the URL names (a click on a row writes it there), else the first of the table."""
    return st.query_params.get(DOCUMENT_KEY) or (found[0].document_id if found else None)


def _table(found: Sequence[StoredDocument], shown: str | None) -> None:
    if not found:
        layout.empty("No document matches", "Shorten the filter, or choose all types.")
        return
    ids = [row.document_id for row in found]
    st.dataframe(
        document_table(found),
        hide_index=True,
        key=TABLE_KEY,
        selection_mode="single-row",
        on_select=lambda: open_row(ids),
        height=min(38 + ROW_HEIGHT * len(found), TABLE_HEIGHT),
        row_height=ROW_HEIGHT,
        alt="Documents of the workspace",
        selection_default={"selection": {"rows": [ids.index(shown)] if shown in ids else []}},
        column_config={
            "Title": st.column_config.TextColumn(width=236),
            "Id": st.column_config.TextColumn(width=128),
            "Type": st.column_config.TextColumn(width=80),
            "Passages": st.column_config.NumberColumn(width=60, format="localized"),
        },
        placeholder="--",
    )


def open_row(ids: Sequence[str]) -> None:
    """Put the document of the row that was just clicked into the URL; unselecting it takes it out."""
    rows: list[int] = dict(st.session_state[TABLE_KEY]).get("selection", {}).get("rows", [])
    if rows and rows[0] < len(ids):
        st.query_params[DOCUMENT_KEY] = ids[rows[0]]
        st.query_params.pop(CHUNK_KEY, None)
    else:
        st.query_params.pop(DOCUMENT_KEY, None)
        st.query_params.pop(CHUNK_KEY, None)


def follow(document_id: str, found: Sequence[StoredDocument]) -> None:
    """Open another document, and move the table's selection to its row when it is there."""
    st.query_params[DOCUMENT_KEY] = document_id
    st.query_params.pop(CHUNK_KEY, None)
    rows = [row for row, document in enumerate(found) if document.document_id == document_id]
    st.session_state[TABLE_KEY] = {"selection": {"rows": rows, "columns": [], "cells": []}}


def document_table(found: Sequence[StoredDocument]) -> pd.DataFrame:
    """Columns Title, Id, Type, Chunks; one row a document, by id."""
    columns: dict[str, list[Any]] = {
        "Title": [row.title for row in found],
        "Id": [row.document_id for row in found],
        "Type": [row.doc_type for row in found],
        "Passages": [row.n_chunks for row in found],
    }
    return pd.DataFrame(columns)
