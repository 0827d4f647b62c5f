"""The effect of drafted edits on the saved questions, with the way into Compare for each question that changes."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from docgraph.domain.edit import Edit
from docgraph.domain.impact import ImpactReport
from docgraph.errors import RequestError
from docgraph.ui.frame import escape, navigation
from docgraph.ui.relationships.effect import effect
from docgraph.views.relationships.edges.edit_link import EDITS, packed_edits
from docgraph.views.words.counts import plural

LINKED = 5
"""Questions that get a link of their own; the rest are counted."""


def shown_effect(workspace: str, edits: Sequence[Edit], *, key: str, ask: bool = False) -> None:
    """Draw what ``edits`` would change; ``ask`` = only after a press of the button. ``key`` is unique on the page."""
    report = effect(workspace, edits, key=key, ask=ask)
    if report is not None and report.questions:
        _links(report, edits, key=key)


def _links(report: ImpactReport, edits: Sequence[Edit], *, key: str) -> None:
    try:
        packed = packed_edits(edits)
    except RequestError as problem:
        st.html(f'<p class="dg-note">No links to Compare: {escape.html(problem.message)}.</p>')
        return
    with st.container(key=f"re-links-{key}", gap=None):
        for question in report.questions[:LINKED]:
            name = escape.label(question.name or question.query, limit=60)
            navigation.link("compare", f"Compare: {name}", query={"run": question.run_id, EDITS: packed})
        if report.n_changed > LINKED:
            st.html(f'<p class="dg-note">{plural(report.n_changed - LINKED, "more question")} without a link here.</p>')
