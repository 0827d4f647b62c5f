"""Both texts of a suggestion side by side, with the proposed relationship between them."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.edge_evidence import EdgeEvidence, Passage
from docgraph.domain.suggestion import Suggestion
from docgraph.ui import escape, navigation
from docgraph.views import suggestion_words as words


def texts(evidence: EdgeEvidence, suggestion: Suggestion, *, relation_type: str, flipped: bool) -> None:
    """Card A, the proposed relationship, card B; and the way to each document."""
    via = escape.html(relation_type or "no type yet")
    a, b = (
        _card("A", evidence.a, words.title(suggestion, start=True)),
        _card("B", evidence.b, words.title(suggestion, start=False)),
    )
    way = "rs-turned" if flipped else ""
    said = "from B to A" if flipped else "from A to B"
    st.html(
        f'<div class="rs-texts">{a}<div class="rs-edge {way}" role="img" aria-label="{via}, {said}"><span>{via}</span>'
        f"<i></i><small>proposed</small></div>{b}</div>"
    )
    with st.container(key="rs-open", horizontal=True, gap="small"):
        for letter, document_id in (("A", suggestion.from_document_id), ("B", suggestion.to_document_id)):
            navigation.link("library", f"Open {letter} in the Library", query={"document": document_id})


def _card(letter: str, passage: Passage | None, title: str) -> str:
    head = f"<header><kbd>{letter}</kbd><div><b>{escape.html(title)}</b><small>{_place(passage)}</small></div></header>"
    body = "<p>--</p>" if passage is None else f"<p>{_marked(passage)}</p>"
    return f'<article class="rs-card">{head}<div class="rs-text" tabindex="0">{body}</div></article>'


def _place(passage: Passage | None) -> str:
    if passage is None:
        return "no text of it is stored"
    path = " › ".join(passage.heading_path)
    chunk = f"chunk {passage.chunk_index + 1:,} of {passage.n_chunks:,}" if passage.n_chunks else "no chunk"
    return escape.html(", ".join(part for part in (escape.shorten(path, 120), chunk) if part))


def _marked(passage: Passage) -> str:
    """The text with the sentences that name the other document marked."""
    parts, end = [], 0
    for quote in sorted(passage.names, key=lambda q: (q.start, q.end)):
        start = max(quote.start, end)
        parts.append(escape.html(passage.text[end:start]))
        if quote.end > start:
            parts.append(f"<mark>{escape.html(passage.text[start : quote.end])}</mark>")
        end = max(end, quote.end)
    parts.append(escape.html(passage.text[end:]))
    return "".join(parts)
