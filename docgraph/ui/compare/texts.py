"""The selected chunk to read: its places on both sides, why it came or left, and its text or both of them."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.comparison import Comparison
from docgraph.ui.compare.state import memory, selected_chunk
from docgraph.ui.frame import escape, layout
from docgraph.views.compare.tables import ChunkText, SideFacts, chunk_text
from docgraph.views.words.changes import Movement
from docgraph.views.words.highlight import segments, terms
from docgraph.views.words.word_diff import Piece

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
