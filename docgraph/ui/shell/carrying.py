"""The question in hand goes along from view to view: the next one opens with what the one that is left has asked."""

from __future__ import annotations

import streamlit as st

from docgraph.ui.conversation.page import ASK
from docgraph.ui.conversation.state import talk
from docgraph.ui.frame import navigation
from docgraph.ui.frame.question import held, hold
from docgraph.ui.frame.state import session
from docgraph.ui.plan.state import plan_state
from docgraph.views.words.address import ASKED_WITH, BASE, BASELINE, PACKED, QUERY, RUN, packed, unpacked

_HERE, _TURNS = "page that was drawn last", "turns of the conversation that was entered"
_SAYS_WHAT = (*ASKED_WITH, RUN, BASE, BASELINE, PACKED, ASK, "edits")
"""What an address says about a question: with any of them a page shows what it says and nothing else."""

CONVERSATION = "conversation"
OPENS_WITH = ("plan", "compare")


def carry_on(name: str, workspace: str) -> None:
    """Open the view with the question in hand, where it was opened by its name alone; a conversation offers it."""
    before, session().page[_HERE] = session().page.get(_HERE), name
    if before == CONVERSATION:
        _take_from_conversation(workspace)
    if name == CONVERSATION:
        session().page[_TURNS] = len(talk(workspace).turns)
    if before in (None, name) or any(each in st.query_params for each in _SAYS_WHAT):
        return
    question = held(workspace)
    if question is None or (name == "plan" and _is_there_still(question)):
        return  # with its draft, which the page itself goes back to
    if name in OPENS_WITH:
        navigation.go_to(name, packed(question, workspace))
    elif name == CONVERSATION:
        navigation.go_to(name, navigation.in_workspace({ASK: question[QUERY][-1]}))


def _is_there_still(question: dict[str, list[str]]) -> bool:
    asked = plan_state().asked
    return asked is not None and [asked.query] == question[QUERY]


def _take_from_conversation(workspace: str) -> None:
    """What was asked there last, as it was asked of the documents: turns are drawn without the page around them."""
    conversation = talk(workspace)
    last = next((turn for turn in reversed(conversation.turns) if turn.response is not None), None)
    if last is not None and len(conversation.turns) != session().page.get(_TURNS):
        hold(workspace, {QUERY: [last.understanding.query]})


def take_along(name: str, workspace: str) -> None:
    """Take the question that the page has asked in hand."""
    if name not in OPENS_WITH or RUN in st.query_params:
        return
    inputs = unpacked({each: st.query_params.get_all(each) for each in st.query_params})
    hold(workspace, {each: texts for each, texts in inputs.items() if each in ASKED_WITH})
