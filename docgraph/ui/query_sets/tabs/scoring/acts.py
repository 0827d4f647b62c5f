"""What one can do with a row: see the questions it fires in, draft without it, open it where it is changed."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from docgraph.boundary.records import as_request
from docgraph.domain.overrides import EdgeKey, edge_text
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.scoreboard import EdgeScore
from docgraph.errors import DocgraphError
from docgraph.ui.frame import escape, navigation
from docgraph.ui.query_sets.tabs.scoring.work import Scoring
from docgraph.views.words.address import BASE, BASELINE, inputs_of, text_of
from docgraph.views.words.counts import plural

LISTED = 50
"""Questions of one relationship that are listed."""


def edge_acts(job: Scoring, row: EdgeScore, titles: Mapping[str, str]) -> None:
    """Draw the buttons of the chosen row."""
    if row.key is None:
        st.html(f'<b class="qe-named">{escape.html(escape.shorten(row.name or "not said", 60))}</b>')
        return
    start, _, end = row.key
    named = " → ".join(escape.html(escape.shorten(each, 28)) for each in (start, end))
    st.html(f'<b class="qe-named">{named}</b>')
    if row.queries:
        _questions(job, row, row.key)
        first = _request(job, row.queries[0], without=row.key)
        base = _request(job, row.queries[0])
        if first is not None and base is not None:
            query = {**inputs_of(first), BASE: [text_of(base)]}
            navigation.link("plan", "Try without it", query=query, help="For the first of its questions")
    navigation.link("relationships", "Open in Relationships", query={"tab": "edges", "edge": edge_text(row.key)})


def _questions(job: Scoring, row: EdgeScore, key: EdgeKey) -> None:
    n = len(row.queries)
    opened = st.popover(
        "Its question" if n == 1 else f"Its {n:,} questions", key="qe-questions", on_change="rerun", width="content"
    )
    if not opened.open:
        return
    with opened:
        st.html('<p class="dg-note">Each opens in Compare, with and without this relationship.</p>')
        for query_id in row.queries[:LISTED]:
            a, b = _request(job, query_id, without=key), _request(job, query_id)
            if a is not None and b is not None:
                query = {**inputs_of(b), BASELINE: [text_of(a)]}
                navigation.link("compare", escape.label(job.queries[query_id], limit=120), query=query)
        if n > LISTED:
            st.html(f'<p class="dg-note">The first {LISTED} of {plural(n, "question")}.</p>')


def _request(job: Scoring, query_id: str, *, without: EdgeKey | None = None) -> RetrievalRequest | None:
    """The request that was scored, for one question; ``None`` where it cannot be."""
    fields = {**job.fields, "query": job.queries.get(query_id, "")}
    if without is not None:
        fields["overrides"] = {"without_edges": [without]}
    try:
        return as_request(fields)
    except DocgraphError:
        return None
