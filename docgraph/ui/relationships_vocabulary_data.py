"""What the sections on relation types and on suggestions read, kept for each state of a workspace."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.suggestion import Suggestions
from docgraph.domain.vocabulary import Vocabulary
from docgraph.ui import resources
from docgraph.ui.relationships_state_checking import Checks


def version(workspace: str) -> str:
    """Changes with the data, the saved questions, the rules and the dismissals."""
    return Checks.version(resources.docgraph(workspace))


def vocabulary(workspace: str) -> Vocabulary:
    """The types of the workspace as they are now."""
    return _vocabulary(workspace, version(workspace))


@st.cache_resource(max_entries=8, ttl="1h", show_spinner=False)
def _vocabulary(workspace: str, version: str) -> Vocabulary:
    del version  # part of the key only
    return resources.docgraph(workspace).vocabulary()


def suggestions(workspace: str) -> Suggestions:
    """The suggestions for the workspace as it is now."""
    return _suggestions(workspace, version(workspace))


@st.cache_resource(max_entries=8, ttl="1h", show_spinner="Looking through the texts and the saved questions")
def _suggestions(workspace: str, version: str) -> Suggestions:
    del version  # part of the key only
    return resources.docgraph(workspace).suggestions()
