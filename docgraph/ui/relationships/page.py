"""The Relationships page: heading with progress and the editing switch, then the place that the address names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import streamlit as st

from docgraph.ui.frame import assets, layout, navigation, resources
from docgraph.ui.parts.curation import state
from docgraph.ui.relationships import exchange
from docgraph.ui.relationships.edges import section as edges
from docgraph.ui.relationships.findings import filters
from docgraph.ui.relationships.findings import section as findings
from docgraph.ui.relationships.fragments import HEAD
from docgraph.ui.relationships.head import head
from docgraph.ui.relationships.history import section as history
from docgraph.ui.relationships.suggestions import section as suggestions
from docgraph.ui.relationships.vocabulary import section as vocabulary
from docgraph.views.relationships.findings.queue import SUGGESTED

PAGE, TAB = "relationships", "tab"


@dataclass(frozen=True)
class Place:
    """A part of the page: ``?tab=<name>``; ``count`` = the number behind its title, quick to find out (None: none)."""

    name: str
    title: str
    draw: Callable[[str], None]
    count: Callable[[str], int | None]


def _review(workspace: str) -> None:
    findings.draw(workspace, filters.Beside(suggestions.count, suggestions.queue, suggestions.pane, suggestions.under))


def _all(workspace: str) -> None:
    edges.draw(workspace, files=exchange.draw)


PLACES = (
    Place("review", "To review", _review, findings.count),
    Place("all", "All", _all, edges.count),
    Place("types", "Types", vocabulary.draw, vocabulary.count),
    Place("history", "History", history.draw, history.count),
)
FIRST = PLACES[0]
FORMER: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "findings": ("review", {}),
    "suggestions": ("review", {filters.SHOW: SUGGESTED}),
    "edges": ("all", {}),
    "exchange": ("all", {edges.PANEL: edges.FILES}),
    "vocabulary": ("types", {}),
}
"""Names that stood in addresses before → the place that holds it now, and what else the address says then."""


def relationships_page() -> None:
    """Draw the page: ``?tab=`` names the place, ``?finding=`` what is open in the first."""
    assets.style(__file__, "style.css")
    workspace = resources.current_workspace()
    if workspace.n_documents == 0:
        layout.heading("Relationships")
        layout.no_documents(
            workspace.title or workspace.name,
            "Relationships lead from one document to another. Load the sample corpus or add your documents.",
        )
        navigation.link("library", "Add documents")
        return
    asked = _named()
    chosen = next((place for place in PLACES if place.name == asked), FIRST)
    state.memory().drawn_as = state.curator()
    _top(workspace.name, chosen.name)
    with layout.guarded(), st.container(key=f"rl-section-{chosen.name}", gap="small"):
        chosen.draw(workspace.name)


def _named() -> str:
    """The place of the address; an address of before is written as it is today."""
    asked = st.query_params.get(TAB, "")
    if asked not in FORMER:
        return asked
    name, marks = FORMER[asked]
    for mark, value in {TAB: name, **marks}.items():
        st.query_params[mark] = value
    if asked == "suggestions":
        filters.choose(SUGGESTED)
    return name


@st.fragment(key=HEAD)
def _top(workspace: str, chosen: str) -> None:
    """Head and places: a fragment of its own, so that a save draws the figures anew and nothing else."""
    if state.memory().drawn_as != state.curator():
        st.rerun()  # editing was switched on or off in this fragment: the place has to follow
    state.speak()
    head(workspace, tabs=lambda: _tabs(workspace, chosen), controls=chosen != FIRST.name)


def _tabs(workspace: str, chosen: str) -> None:
    with st.container(key="rl-tabs", horizontal=True, vertical_alignment="bottom", gap=None):
        for place in PLACES:
            _tab(place, place.count(workspace), shown=place.name == chosen)


def _tab(place: Place, n: int | None, *, shown: bool) -> None:
    """A link to the place; the number is the label's second, muted part."""
    label = place.title if n is None else f"{place.title} :gray[{n:,}]"
    with st.container(key=f"rl-tab-{place.name}{'-shown' if shown else ''}", width="content"):
        navigation.link(PAGE, label, query={TAB: place.name})
