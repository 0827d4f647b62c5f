"""The Edges and limits tab: which relationships earn their place over the questions of a set."""

from __future__ import annotations

import streamlit as st

from docgraph.ui.frame import layout
from docgraph.ui.query_sets.desk import Desk


def draw(desk: Desk) -> None:
    """Draw the way to the scoreboard on a terminal."""
    layout.empty(
        "Which relationships earn their place?",
        f"The scoreboard says in how many questions each of the {desk.docgraph.workspace.n_relationships:,} "
        "relationships fires, what it brings and costs, and what is lost without it.",
    )
    st.code(f"docgraph scoreboard QUESTIONS.jsonl --workspace {desk.workspace}", language=None)
