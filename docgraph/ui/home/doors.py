"""The doors from Home to the other pages."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.workspace import Workspace
from docgraph.ui.frame import escape, navigation
from docgraph.views.words.counts import plural


def doors(workspace: Workspace) -> None:
    """One door a page that is there."""
    with st.container(key="dg-doors"):
        if navigation.page("plan") is not None:
            _door(
                "plan",
                "Explore a plan",
                "Best matches, the documents they link to, and why anything was left out.",
                to="plan",
            )
        _door_to_changes()
        _door_to_relationships(workspace)


def _door_to_changes() -> None:
    if navigation.page("compare") is not None:
        text = "The plan without and with relationships: what was added and what was removed."
        _door("change", "Show what changed", text, to="compare")
    elif navigation.page("plan") is not None:
        text = "On the Plan page, switch relationships off and on."
        _door("change", "Show what changed", text, to="plan")


def _door_to_relationships(workspace: Workspace) -> None:
    there = navigation.page("relationships") is not None
    edges = plural(workspace.n_relationships, "relationship")
    text = f"{edges}, each with its two documents and its source."
    if there:
        text = "Errors and warnings to review, biggest effect first."
    query = {} if there else {"show": "Relationships"}
    _door("relations", "Check relationships", text, to="relationships" if there else "library", query=query)


def _door(art: str, title: str, text: str, *, to: str, query: dict[str, str] | None = None) -> None:
    layers = "<i></i>" * 5
    target = navigation.page(to)
    with st.container(key=f"dg-door-{art}"):
        st.html(
            f'<div class="dg-door"><div><h2>{escape.html(title)}</h2><p>{escape.html(text)}</p></div>'
            f'<span class="dg-art dg-art-{art}" aria-hidden="true">{layers}</span></div>'
        )
        navigation.link(to, f"Open {target.title if target else title}", query=query)
