"""The saved questions that an edit changes, as a list that opens: what each gains and loses, and the way to Compare."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.edit import Edit
from docgraph.domain.impact import ImpactReport, QuestionImpact
from docgraph.domain.request import parse_request
from docgraph.errors import DocgraphError
from docgraph.ui.frame import escape, navigation, resources
from docgraph.ui.parts.judgments import marks
from docgraph.views.relationships.edges.edit_link import EDITS, packed_edits
from docgraph.views.relationships.edges.effects import change_words, judged_note
from docgraph.views.words.address import inputs_of

LISTED = 12


def questions_popover(workspace: str, report: ImpactReport, *, label: str, key: str) -> None:
    """A button with the number; opened, the questions, each with a link to the comparison of today and the edits."""
    with st.popover(label, key=key, type="tertiary", width="content", on_change="rerun") as opened:
        if not opened.open:
            return
        marks.style()
        st.html('<h3 class="dg-h3">Answers that change</h3>')
        for question in report.questions[:LISTED]:
            _question(workspace, question, report.edits)
        if report.n_changed > LISTED:
            st.html(f'<p class="dg-note">{LISTED:,} of {report.n_changed:,} shown</p>')
        unknown = judged_note([report])
        if unknown:
            st.html(f'<p class="dg-note">{unknown}</p>')


def _question(workspace: str, question: QuestionImpact, edits: tuple[Edit, ...]) -> None:
    with st.container(gap=None):
        name = escape.label(question.name or question.query, limit=90)
        query = _query(workspace, question, edits)
        if query:
            navigation.link("compare", name, query=query, help="Compare today with the edits")
        else:
            st.html(f"<p>{escape.html(question.name or question.query)}</p>")
        st.html(f'<p class="dg-note">{escape.html(change_words(question))}</p>{marks.moves_html(question)}')


def _query(workspace: str, question: QuestionImpact, edits: tuple[Edit, ...]) -> dict[str, list[str]]:
    """The inputs of the saved question with the edits; empty when somebody deleted its run meanwhile."""
    try:
        if question.run_id:
            request = resources.docgraph(workspace).runs.get(question.run_id).run.request
        else:
            request = parse_request({"query": question.query})
    except DocgraphError:
        return {}
    return inputs_of(request, workspace) | {EDITS: [packed_edits(edits)]}
