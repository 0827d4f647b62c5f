"""What the sections on relation types and on suggestions read, kept for each state of a workspace."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.suggestion import Suggestions
from docgraph.domain.vocabulary import Vocabulary
from docgraph.ui.frame import layout, resources
from docgraph.ui.parts.curation import state
from docgraph.ui.parts.curation.checks import report_version

MAX_KEPT = 8
"""States of workspaces that suggestions are kept of."""


def version(workspace: str) -> str:
    """Changes with the data, the saved questions, the rules and the dismissals."""
    return report_version(resources.docgraph(workspace))


def vocabulary(workspace: str) -> Vocabulary:
    """The types of the workspace as they are now."""
    return _vocabulary(workspace, version(workspace))


@st.cache_resource(max_entries=MAX_KEPT, ttl="1h", show_spinner=False)
def _vocabulary(workspace: str, version: str) -> Vocabulary:
    del version  # part of the key only
    return resources.docgraph(workspace).relationships.vocabulary()


def suggestions(workspace: str) -> Suggestions:
    """The suggestions for the workspace as it is now."""
    key = (workspace, version(workspace))
    found = _kept().get(key)
    if found is None:
        with st.spinner("Looking through the texts and the saved questions"):
            found = resources.docgraph(workspace).relationships.suggestions()
        for old in list(_kept())[: max(0, len(_kept()) - MAX_KEPT + 1)]:
            _kept().pop(old, None)
        _kept()[key] = found
    return found


def known_suggestions(workspace: str) -> Suggestions | None:
    """The same when somebody has looked already; None otherwise: looking takes too long for a number in passing."""
    return _kept().get((workspace, version(workspace)))


@st.cache_resource(max_entries=1, show_spinner=False)
def _kept() -> dict[tuple[str, str], Suggestions]:
    return {}


def problem_card() -> None:
    """What the last save met, said once."""
    problem = state.memory().problem
    if problem is not None:
        layout.error(problem)
        state.fail(None)
