"""One document as the workspace holds it: facts, summary, relationships in and out, metadata, chunks."""

from __future__ import annotations

import json
from collections.abc import Callable

import pandas as pd
import streamlit as st

from docgraph.domain.graph import Relationship, StoredChunk, StoredDocument
from docgraph.domain.workspace import Workspace
from docgraph.ui.frame import escape, layout, resources
from docgraph.ui.parts.documents import Edges, document_rows, edges
from docgraph.views.words.places import place_words
from docgraph.views.words.reading import readable, readable_line

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
    cells = "".join(f"<dt>{name}</dt><dd>{escape.html(value)}</dd>" for name, value in facts if value)
    summary = (
        f'<p class="dg-summary">{escape.html(readable_line(document.summary, source=document.source))}</p>'
        if document.summary
        else ""
    )
    st.html(
        f'<h2 class="dg-h2 dg-doctitle">{escape.html(document.title)}</h2>{summary}<dl class="dg-facts">{cells}</dl>'
    )


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
    rows: list[int] = dict(st.session_state[RELATIONS_KEY]).get("selection", {}).get("rows", [])
    if rows and rows[0] < len(others):
        # The table will hold another document's relationships: nothing in it is selected.
        st.session_state[RELATIONS_KEY] = {"selection": {"rows": [], "columns": [], "cells": []}}
        follow(others[rows[0]])


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
