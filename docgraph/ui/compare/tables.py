"""The table twins: the chunks of both contexts and the documents of the lanes, with the same selection."""

from __future__ import annotations

from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from docgraph.domain.comparison import Comparison
from docgraph.ui.compare import state
from docgraph.ui.compare.state import CHUNK_TABLE, DOCUMENT_TABLE, order, visible, wanted
from docgraph.ui.frame import escape
from docgraph.views.compare.slope import chunk_key
from docgraph.views.compare.tables import chunk_table, document_rows_shown, document_table
from docgraph.views.plan.documents import titles
from docgraph.views.words.changes import OF_DOCUMENTS, filter_text
from docgraph.views.words.judgments import Judged

_SMALL = ("position A", "position B", "tokens", "passages A", "passages B", "tokens A", "tokens B")
_COLUMNS: dict[str, Any] = {
    "change": st.column_config.TextColumn("change", width=100),
    "document": st.column_config.TextColumn("document", width=250),
    "passage": st.column_config.TextColumn("passage", width="medium"),
    "score": st.column_config.ProgressColumn("best passage", min_value=0, max_value=1, format="%.2f", width="small"),
    "judged": st.column_config.TextColumn("judged", width=100, help="Whether a person marked it as an answer"),
    "role A": st.column_config.TextColumn("role A", width=80),
    "role B": st.column_config.TextColumn("role B", width=80),
    "why": st.column_config.TextColumn("why", width="large"),
    **{name: st.column_config.NumberColumn(name, width=70) for name in _SMALL},
}


def chunk_rows(comparison: Comparison) -> None:
    """The chunks that the filter lets through; a selected row is selected everywhere."""
    chunks = visible(comparison)
    _title("Passages", len(chunks), len(comparison.chunks), filter_text(comparison, wanted(), order()))
    _table(chunk_table(chunks, order()), CHUNK_TABLE, comparison, alt="Passages of both runs")


def document_rows(comparison: Comparison, judged: Judged | None) -> None:
    """The documents that the filter leads to, with what is judged of them."""
    documents = document_rows_shown(comparison, wanted())
    of = "" if wanted() in OF_DOCUMENTS else filter_text(comparison, wanted(), order())
    _title("Documents", len(documents), len(comparison.documents), of)
    names = titles(comparison.a.run.plan) | titles(comparison.b.run.plan)
    _table(document_table(documents, names, judged or {}), DOCUMENT_TABLE, comparison, alt="Documents of both runs")


def _title(name: str, n: int, m: int, of: str) -> None:
    counted = f"all {m:,}" if n == m else f"{n:,} of {m:,}{f': {of}' if of else ''}"
    st.html(f'<h2 class="dg-h2 cp-tabletitle">{name}<span class="dg-note">{escape.html(counted)}</span></h2>')


def _table(rows: list[dict[str, Any]], key: str, comparison: Comparison, *, alt: str) -> None:
    if not rows:
        st.html('<p class="cp-none">No row matches the filter.</p>')
        return
    st.dataframe(
        pd.DataFrame(rows).astype(dict.fromkeys(("position A", "position B"), "Int64")),
        key=key,
        hide_index=True,
        selection_mode="single-row",
        on_select=partial(_row_chosen, comparison, key),
        column_config=_COLUMNS,
        alt=alt,
        row_height=32,
        placeholder="--",
        height=min(len(rows) * 32 + 38, 460),
    )


def _row_chosen(comparison: Comparison, key: str) -> None:
    rows = st.session_state[key]["selection"]["rows"]
    if key == CHUNK_TABLE:
        chunks = visible(comparison)
        state.select(comparison, chunk_key(chunks[rows[0]]) if rows and rows[0] < len(chunks) else None)
        return
    documents = document_rows_shown(comparison, wanted())
    chosen = documents[rows[0]].document_id if rows and rows[0] < len(documents) else None
    state.select_document(comparison, chosen)
