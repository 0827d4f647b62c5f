"""The right column: how the chosen turn was made, and the turn as JSON."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.conversation import Turn
from docgraph.domain.request import RetrievalRequest
from docgraph.errors import DocgraphError
from docgraph.ui.conversation.markup import no_origin_html, origin_html
from docgraph.ui.conversation.state import Talk
from docgraph.ui.frame import escape, navigation
from docgraph.ui.frame.download import download
from docgraph.views.conversation.origin import origin
from docgraph.views.words.address import inputs_of

MADE, JSON = "How it was found", "JSON"
TAB = "docgraph.conversation.tab"
MAX_LINKS = 3
MAX_JSON = 200_000
"""Characters of JSON that the page shows; the download has all of it."""


def side(conversation: Talk) -> None:
    """Draw it for the chosen turn; before the first turn it says what will stand here."""
    turn = conversation.made
    if turn is None:
        st.html(f'<h2 class="dg-h2">How an answer is found</h2>{no_origin_html()}')
        if conversation.remembered:
            st.html('<p class="cv-muted">For imported turns this is unknown: an export has no passages.</p>')
        return
    with st.container(key="cv-sidehead", horizontal=True, vertical_alignment="center", gap="small"):
        st.html(f'<h2 class="dg-h2">Turn {turn.number}</h2>')
        tab = st.segmented_control(
            "Show",
            (MADE, JSON),
            default=MADE,
            required=True,
            key=TAB,
            label_visibility="collapsed",
        )
    if tab == JSON:
        _json(turn)
    else:
        st.html(origin_html(turn, origin(turn)))
        _links(turn, conversation.workspace)


def _links(turn: Turn, workspace: str) -> None:
    """The plan for this question, and the documents in mind in the Library."""
    if turn.response is None:
        return
    documents = turn.state.documents if turn.response.context_packet.candidates else ()
    with st.container(key="cv-links", horizontal=True, vertical_alignment="center", gap="small"):
        query = _plan_inputs(turn, workspace)
        if query is not None:
            navigation.link("plan", "Plan for this question", query=query, help="What is read for this question")
        for document in documents[:MAX_LINKS]:
            navigation.link("library", escape.label(document.title, limit=44), query={"document": document.document_id})
        if len(documents) > MAX_LINKS:
            st.html(f'<p class="cv-muted">{MAX_LINKS} of {len(documents)} documents</p>')


def _plan_inputs(turn: Turn, workspace: str) -> dict[str, list[str]] | None:
    try:
        return inputs_of(RetrievalRequest(query=turn.understanding.query), workspace)
    except (DocgraphError, ValueError):  # a question that no plan can be made for
        return None


def _json(turn: Turn) -> None:
    """The whole turn, or the packet alone; copied by the button of the code block."""
    with st.container(key="cv-json", horizontal=True, vertical_alignment="center", gap="small"):
        packet = st.toggle("Only the packet", key="docgraph.conversation.packet_only", disabled=turn.response is None)
        only = turn.response if packet else None
        text = (only or turn).model_dump_json(indent=2)
        download(
            "Download", text, f"{'packet' if only else 'turn'}-{turn.number}.json", key="docgraph.conversation.json"
        )
    if len(text) > MAX_JSON:
        st.html(f'<p class="cv-muted">{MAX_JSON:,} of {len(text):,} characters shown; the download has all.</p>')
    st.code(text[:MAX_JSON], language="json", height=460)
