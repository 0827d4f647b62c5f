"""The documents of a workspace: the table, its filter, and the one that is open with relationships and passages."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from docgraph.domain.graph import Relationship, StoredChunk, StoredDocument
from docgraph.domain.workspace import Workspace
from docgraph.ui.frame import escape, layout, resources
from docgraph.ui.frame.chosen import picked, put
from docgraph.ui.parts.documents import MAX_ROWS, Edges, doc_types, document_rows, edges
from docgraph.views.words.reading import readable, readable_line
from docgraph.views.words.sections import place_words

RELATIONS_KEY = "docgraph.library.relations"
CHUNKS_SHOWN = 50


def document_panel(
    workspace: Workspace, document_id: str, *, follow: Callable[[str], None], chunk_id: str | None = None
) -> None:
    """The panel, or a written state when there is no such document; ``follow`` opens the other end of an edge.

    With ``chunk_id`` the chunks come first, from the one before it, and it is marked.
    """
    found = _document(workspace, document_id)
    if found is None:
        layout.empty(
            "This document is not in the workspace",
            f"{escape.shorten(document_id, 200)} is not in {workspace.name}. It is an old link or the missing target "
            "of a relationship. Select a document in the table.",
        )
        _relations(workspace, document_id, follow)
        return
    with st.container(border=True, key="dg-document"):
        _facts(found)
        chunks = resources.docgraph(workspace.name).documents.chunks(found.document_id)
        if chunk_id is not None:
            _chunks(chunks, found.source, chunk_id)
        _relations(workspace, document_id, follow)
        if chunk_id is None:
            _chunks(chunks, found.source)
        if found.metadata:
            with st.expander("Metadata"):
                st.code(json.dumps(found.metadata, indent=2, ensure_ascii=False, default=str), language="json")


def _document(workspace: Workspace, document_id: str) -> StoredDocument | None:
    rows = document_rows(workspace, doc_type=None, text=document_id).documents
    same = [row for row in rows if row.document_id == document_id]
    alike = same or [row for row in rows if row.document_id.casefold() == document_id.strip().casefold()]
    return alike[0] if len(alike) == 1 else None


def _facts(document: StoredDocument) -> None:
    facts = [
        ("Id", document.document_id),
        ("Type", document.doc_type),
        ("Source", document.source),
        ("Passages", f"{document.n_chunks:,}"),
        ("Tokens", f"{document.n_tokens:,}"),
        ("Content", document.content_hash[:12]),
    ]
    summary = (
        f'<p class="dg-summary">{escape.html(readable_line(document.summary, source=document.source))}</p>'
        if document.summary
        else ""
    )
    st.html(f'<h2 class="dg-h2 dg-doctitle">{escape.html(document.title)}</h2>{summary}')
    layout.facts((name, value) for name, value in facts if value)


def _relations(workspace: Workspace, document_id: str, follow: Callable[[str], None]) -> None:
    found = edges(workspace, document_id=document_id)
    outgoing = [edge for edge in found.relationships if edge.from_document_id == document_id]
    incoming = [edge for edge in found.relationships if edge.from_document_id != document_id]
    cut = "" if found.complete else f", the first {len(found.relationships):,}"
    layout.section("Relationships", f"{len(outgoing):,} out, {len(incoming):,} in{cut}")
    if not found.relationships:
        st.html('<p class="dg-note">This document has no relationships.</p>')
        return
    others = [other_end(edge, document_id) for edge in (*outgoing, *incoming)]
    st.dataframe(
        relation_table(document_id, [*outgoing, *incoming], found),
        hide_index=True,
        key=RELATIONS_KEY,
        selection_mode="single-row",
        on_select=lambda: _follow(others, follow),
        row_height=32,
        height=min(38 + 32 * len(others), 260),
        alt="Relationships of the document; select one to open the other document",
        placeholder="--",
    )


def _follow(others: list[str], follow: Callable[[str], None]) -> None:
    other = picked(RELATIONS_KEY, others)
    if other is not None:
        # The table will hold another document's relationships: nothing in it is selected.
        st.session_state[RELATIONS_KEY] = {"selection": {"rows": [], "columns": [], "cells": []}}
        follow(other)


def relation_table(document_id: str, relations: list[Relationship], found: Edges) -> pd.DataFrame:
    """Columns Direction, Type, Other end (its title), Found by, Target: one row a relationship."""
    return pd.DataFrame(
        {
            "": ["out" if edge.from_document_id == document_id else "in" for edge in relations],
            "Type": [edge.relation_type for edge in relations],
            "Other document": [found.title(other_end(edge, document_id)) for edge in relations],
            "Found by": [found_by(edge) for edge in relations],
            "Target": ["missing" if edge.key in found.dangling else "there" for edge in relations],
        }
    )


def other_end(edge: Relationship, document_id: str) -> str:
    """The id at the end of ``edge`` that is not ``document_id``."""
    return edge.to_document_id if edge.from_document_id == document_id else edge.from_document_id


def found_by(edge: Relationship) -> str:
    """``front_matter (header)``: the extractor and the place in the text, where they are known."""
    data = edge.relationship_metadata
    extractor, place = str(data.get("extractor", "")), str(data.get("place", ""))
    return f"{extractor} ({place})" if place and place != extractor else extractor


def _chunks(chunks: tuple[StoredChunk, ...], source: str, chunk_id: str = "") -> None:
    marked = next((place for place, chunk in enumerate(chunks) if chunk.chunk_id == chunk_id), None)
    first = max(0, (marked or 0) - 1)
    shown = chunks[first : first + CHUNKS_SHOWN]
    tokens = sum(chunk.token_count for chunk in chunks)
    which = f"{first + 1:,} to {first + len(shown):,}" if first else f"the first {len(shown)}"
    cut = f", {which} shown" if len(chunks) > len(shown) else ""
    layout.section("Passages", f"{len(chunks):,}{cut}, {tokens:,} tokens")
    if chunk_id and marked is None:
        st.html('<p class="dg-note">The passage is no longer in this document, which was imported again.</p>')
    said = "".join(_chunk_html(chunk, source, is_marked=chunk.chunk_id == chunk_id) for chunk in shown)
    st.html(said or '<p class="dg-note">This document has no text.</p>')


def _chunk_html(chunk: StoredChunk, source: str, *, is_marked: bool) -> str:
    path = escape.html(" › ".join(chunk.heading_path)) or "no heading"
    where = f"{place_words(chunk.place)} · " if place_words(chunk.place) else ""
    state = ' dg-is-marked" aria-current="true' if is_marked else ""
    said = escape.html(readable(chunk.text, source=source))
    return (
        f'<article class="dg-chunk{state}"><header><b>{chunk.chunk_index + 1}</b><span>{path}</span>'
        f"<small>{where}{chunk.token_count:,} tokens</small></header><pre>{said}</pre></article>"
    )


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
    put(DOCUMENT_KEY, picked(TABLE_KEY, ids))
    put(CHUNK_KEY, None)


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
