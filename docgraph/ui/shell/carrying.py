"""The question in hand goes along from view to view: the next one opens with what the one that is left has asked."""

from __future__ import annotations

import streamlit as st

from docgraph.ui.frame import navigation
from docgraph.ui.frame.question import held, hold
from docgraph.ui.frame.state import session
from docgraph.ui.plan.state import plan_state
from docgraph.views.words.address import ASKED_WITH, BASE, BASELINE, PACKED, QUERY, RUN, packed, unpacked

_HERE = "page that was drawn last"
_SAYS_WHAT = (*ASKED_WITH, RUN, BASE, BASELINE, PACKED, "edits")
"""What an address says about a question: with any of them a page shows what it says and nothing else."""

OPENS_WITH = ("plan", "compare")


def carry_on(name: str, workspace: str) -> None:
    """Open the page with the question in hand, where it was opened by its name alone."""
    before, session().page[_HERE] = session().page.get(_HERE), name
    if before in (None, name) or name not in OPENS_WITH or any(each in st.query_params for each in _SAYS_WHAT):
        return
    question = held(workspace)
    if name == "plan" and question and _is_there_still(question):
        return  # with its draft, which the page itself goes back to
    if question:
        navigation.go_to(name, packed(question, workspace))


def _is_there_still(question: dict[str, list[str]]) -> bool:
    asked = plan_state().asked
    return asked is not None and [asked.query] == question[QUERY]


def take_along(name: str, workspace: str) -> None:
    """Take the question that the page has asked in hand."""
    if name not in OPENS_WITH or RUN in st.query_params:
        return
    inputs = unpacked({each: st.query_params.get_all(each) for each in st.query_params})
    hold(workspace, {each: texts for each, texts in inputs.items() if each in ASKED_WITH})
