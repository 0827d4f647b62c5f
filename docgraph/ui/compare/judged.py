"""The judged figure in the verdict card, with the way to the Plan page's Evidence tab, where documents are judged."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.comparison import Comparison
from docgraph.domain.run import Run
from docgraph.errors import DocgraphError
from docgraph.ui.frame import escape, navigation, resources
from docgraph.views.compare.figures import ToJudge, judged_number, to_judge
from docgraph.views.relationships.edges.edit_link import EDITS
from docgraph.views.words.address import BASE, TAB, inputs_of, packed, text_of
from docgraph.views.words.judgments import Judged


def judged_tile(comparison: Comparison, judged: Judged | None) -> None:
    """``nDCG@6``, its value on both sides, and what is judged; ``--`` with what is to be judged."""
    number = judged_number(comparison, judged)
    missing = to_judge(comparison, judged, only_a=EDITS in st.query_params)
    run = comparison.a.run if missing is not None and missing.side == "a" else comparison.b.run
    linked = missing is not None and _may_judge(run)
    note = "" if linked else f"<span>{escape.html(number.note)}</span>"
    with st.container(key="cp_judged", gap=None):
        st.html(
            f'<dl class="cp-numbers"><div><dt>{escape.html(number.title)}</dt>'
            f"<dd><b>{escape.html(number.value)}</b>{note}</dd></div></dl>"
        )
        if linked and missing is not None:
            _link(run, missing, missing.words)


def _link(run: Run, missing: ToJudge, label: str) -> None:
    said = f"{missing.words[:1].upper()}{missing.words[1:]} of {missing.side.upper()} on the Plan page, under Evidence"
    inputs = {**inputs_of(run.request), BASE: [text_of(run.request)], TAB: ["Evidence"]}
    query = packed(inputs, run.plan.workspace)
    navigation.link("plan", label, query=query, help=said)


def _may_judge(run: Run) -> bool:
    """Whether the workspace of the run is still there, and may be written to."""
    try:
        return resources.docgraph(run.plan.workspace).may_write()
    except DocgraphError:
        return False
