"""The two documents of a relationship side by side, with what is between them drawn as labelled arrows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import quote

import streamlit as st

from docgraph.domain.edge_evidence import EdgeEvidence, Passage
from docgraph.domain.graph import Relationship, StoredDocument
from docgraph.domain.overrides import EdgeKey
from docgraph.ui.frame import escape, navigation
from docgraph.views.lanes.layout import dash
from docgraph.views.relationships.findings.words import Segment, excerpt, place_words
from docgraph.views.words.counts import plural
from docgraph.views.words.reading import readable_line

MAX_ARROWS = 5
MAX_TEXT = 6_000
"""Characters of one passage that are drawn."""


def passages(
    evidence: EdgeEvidence, pair: tuple[str, str], edge: EdgeKey | None, *, stored: Mapping[str, StoredDocument]
) -> None:
    """Draw both cards and the arrows; ``edge`` = the relationship that is judged, None when there is none yet.

    ``stored`` = both documents, as far as they are stored: their files say how the texts are marked up.
    """
    sources = {document_id: document.source for document_id, document in stored.items()}
    with st.container(key="rl-pair", gap=None):
        _card("A", pair[0], evidence.a, missing_for=pair[1], source=sources.get(pair[0], ""))
        st.html(arrows_html(evidence.relationships, pair, edge))
        if pair[0] != pair[1]:
            _card("B", pair[1], evidence.b, missing_for=pair[0], source=sources.get(pair[1], ""))
        else:
            st.html('<div class="rl-card rl-missing"><p>The same document: it links to itself.</p></div>')


def _card(letter: str, document_id: str, passage: Passage | None, *, missing_for: str, source: str) -> None:
    with st.container(key=f"rl-card-{letter.lower()}", gap=None):
        st.html(card_html(letter, document_id, passage, source=source))
        with st.container(key=f"rl-cardfoot-{letter.lower()}", horizontal=True, gap="small"):
            if passage is not None:
                navigation.link("library", "Open the document", query={"document": document_id})
            else:
                navigation.link("library", "Show what refers to it", query={"document": missing_for})


def card_html(letter: str, document_id: str, passage: Passage | None, *, source: str = "") -> str:
    """HTML of one card: title, where the passage stands, the passage with the naming sentences marked."""
    badge = f'<span class="rl-letter" aria-hidden="true">{letter}</span>'
    if passage is None:
        return (
            f'<div class="rl-card rl-missing">{badge}<div><h3>{escape.html(document_id)}</h3>'
            "<p>No document has this id. It was deleted, renamed or never imported.</p></div></div>"
        )
    text = _text(passage, source)
    place = escape.html(f"{passage.doc_type}, {place_words(passage)}" if passage.doc_type else place_words(passage))
    return (
        f'<div class="rl-card">{badge}<div><h3>{escape.html(passage.title or document_id)}</h3>'
        f'<p class="rl-place"><code>{escape.html(document_id)}</code> {place}</p></div></div>'
        f'<div class="rl-text" tabindex="0" role="region" aria-label="Passage of {letter}">{text}</div>'
    )


def _text(passage: Passage, source: str) -> str:
    if not passage.text.strip():
        return '<p class="rl-none">This document has no passages.</p>'
    shown = excerpt(passage.model_copy(update={"text": passage.text[:MAX_TEXT]}), source=source)
    paragraphs = ["".join(map(_segment, each)) for each in shown.paragraphs]
    if shown.cut_before and paragraphs:
        paragraphs[0] = f'<span class="rl-none">… </span>{paragraphs[0]}'
    return "".join(f"<p>{each}</p>" for each in paragraphs)


def _segment(segment: Segment) -> str:
    text = escape.html(segment.text)
    return f"<mark>{text}</mark>" if segment.names else text


def document_card(document: StoredDocument, *, key: str) -> None:
    """One document that a finding is about as a whole: title, facts, summary, and the way to it."""
    facts = ", ".join(
        part for part in (document.doc_type, plural(document.n_chunks, "passage"), document.document_id) if part
    )
    summary = escape.shorten(readable_line(document.summary, source=document.source), 600)
    with st.container(key=f"rl-card-{key}", gap=None):
        st.html(
            f'<div class="rl-card"><div><h3>{escape.html(document.title or document.document_id)}</h3>'
            f'<p class="rl-place">{escape.html(facts)}</p></div></div>'
            f'<div class="rl-text"><p>{escape.html(summary)}</p></div>'
        )
        with st.container(key=f"rl-cardfoot-{key}", horizontal=True, gap="small"):
            navigation.link("library", "Open the document", query={"document": document.document_id})


# ------------------------------------------------------------ arrows


def arrows_html(between: Sequence[Relationship], pair: tuple[str, str], edge: EdgeKey | None) -> str:
    """Every relationship between the two, in its direction, the judged one first; one that is proposed is dashed."""
    keys = [each.key for each in between]
    if edge is not None and edge not in keys:
        keys.append(edge)
    keys.sort(key=lambda key: (key != edge, key))
    drawn = "".join(_arrow(key, back=key[0] != pair[0], judged=key == edge) for key in keys[:MAX_ARROWS])
    if not keys:
        drawn = '<p class="rl-noedge">no relationship</p>'
    more = f'<p class="rl-noedge">{len(keys) - MAX_ARROWS:,} more</p>' if len(keys) > MAX_ARROWS else ""
    return f'<div class="rl-arrows">{drawn}{more}</div>'


def _arrow(key: EdgeKey, *, back: bool, judged: bool) -> str:
    """The label over a line in the style of its type; drawn as a mask, so that it takes the colour of the text."""
    said = f"{key[1]}, from {'B to A' if back else 'A to B'}"
    pattern = f" stroke-dasharray='{' '.join(f'{part:g}' for part in dash(key[1]))}'" if dash(key[1]) else ""
    turned = " transform='matrix(-1 0 0 1 80 0)'" if back else ""
    svg = (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 80 10'><g{turned}>"
        f"<path d='M1 5H71' stroke='#000' stroke-width='1.6'{pattern}/><path d='M70 .8 79 5 70 9.2Z'/></g></svg>"
    )
    mask = f"--rl-mask:url(&quot;data:image/svg+xml,{quote(svg)}&quot;)"
    return (
        f'<div class="rl-arrow{" rl-judged" if judged else ""}" role="img" aria-label="{escape.html(said)}">'
        f'<span>{escape.html(key[1])}</span><i style="{mask}"></i></div>'
    )
