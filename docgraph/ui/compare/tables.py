"""The passages and documents of a comparison as tables, and the selected passage to read."""

from __future__ import annotations

from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from docgraph.domain.comparison import Comparison
from docgraph.ui.compare import state
from docgraph.ui.compare.state import CHUNK_TABLE, DOCUMENT_TABLE, memory, order, selected_chunk, visible, wanted
from docgraph.ui.frame import escape, layout
from docgraph.ui.frame.chosen import picked
from docgraph.views.compare.slope import chunk_key
from docgraph.views.compare.tables import (
    ChunkText,
    SideFacts,
    chunk_table,
    chunk_text,
    document_rows_shown,
    document_table,
)
from docgraph.views.plan.documents import titles
from docgraph.views.words.changes import OF_DOCUMENTS, Movement, filter_text
from docgraph.views.words.highlight import Piece, segments, terms
from docgraph.views.words.judgments import Judged

_GLYPHS: dict[Movement, layout.Glyph] = {
    "added": "added",
    "left": "left",
    "up": "up",
    "down": "down",
    "same": "kept",
}


def texts(comparison: Comparison) -> None:
    """The chunk that is selected in chart, table or graph."""
    chunk = selected_chunk(comparison)
    if chunk is None:
        name = next((d.title for d in comparison.documents if d.document_id == memory().document), "")
        said = f"No passage of “{name}” is read." if name else "Select a passage in the chart or in the table."
        st.html(f'<h2 class="dg-h2">Text</h2><p class="cp-none">{escape.html(said)}</p>')
        return
    shown = chunk_text(comparison, chunk)
    st.html(f'<div class="cp-read">{_head(shown)}{_sides(shown, comparison)}</div>')


def _head(shown: ChunkText) -> str:
    sign = layout.glyph(_GLYPHS[shown.kind])
    return (
        f'<header><h2 class="dg-h2"><span class="cp-of">{escape.html(shown.document)}</span> {escape.html(shown.chunk)}'
        f'</h2><p class="cp-moved cp-{shown.kind}">{sign}<b>{escape.html(shown.moved)}</b>'
        f"<span>{escape.html(shown.why)}</span></p></header>"
        f'<p class="cp-facts">{_side(shown.a)}{_side(shown.b)}<span>{escape.html(shown.score)}</span>'
        f"<span>{escape.html(shown.tokens)}</span></p>"
    )


def _side(facts: SideFacts) -> str:
    state = "" if facts.there else ' class="cp-absent"'
    return f"<span{state}><i>{facts.letter}</i> {escape.html(facts.label)}: {escape.html(facts.facts)}</span>"


def _sides(shown: ChunkText, comparison: Comparison) -> str:
    if shown.versions is None:
        wanted = terms(comparison.b.run.request.query)
        text = "".join(
            f"<mark>{escape.html(part)}</mark>" if found else escape.html(part)
            for part, found in segments(shown.text, wanted)
        )
        return f'<div class="cp-text" tabindex="0">{text}</div>'
    a, b = (_pieces(pieces) for pieces in shown.versions)
    return (
        f'<div class="cp-two"><div><h3 class="dg-h3">A {escape.html(shown.a.label)}</h3>'
        f'<div class="cp-text" tabindex="0">{a}</div></div><div><h3 class="dg-h3">B {escape.html(shown.b.label)}</h3>'
        f'<div class="cp-text" tabindex="0">{b}</div></div></div>'
    )


def _pieces(pieces: tuple[Piece, ...]) -> str:
    tags = {"removed": ("<del>", "</del>"), "added": ("<ins>", "</ins>"), "same": ("", "")}
    return "".join(f"{tags[p.kind][0]}{escape.html(p.text)}{tags[p.kind][1]}" for p in pieces)


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
    if key == CHUNK_TABLE:
        chunk = picked(key, visible(comparison))
        state.select(comparison, chunk_key(chunk) if chunk else None)
    else:
        document = picked(key, document_rows_shown(comparison, wanted()))
        state.select_document(comparison, document.document_id if document else None)
