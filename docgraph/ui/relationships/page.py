"""The Relationships page: heading with progress and the editing switch, then the section that the address names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from docgraph.ui.frame import assets, layout, navigation, resources
from docgraph.ui.parts.curation import state
from docgraph.ui.relationships.edges import section as edges
from docgraph.ui.relationships.exchange import section as exchange
from docgraph.ui.relationships.findings import section as findings
from docgraph.ui.relationships.findings.decision.draft import HEAD
from docgraph.ui.relationships.head import head
from docgraph.ui.relationships.history import section as history
from docgraph.ui.relationships.suggestions import section as suggestions
from docgraph.ui.relationships.vocabulary import section as vocabulary
from docgraph.views.words.counts import plural

PAGE, TAB = "relationships", "tab"


@dataclass(frozen=True)
class Section:
    """A part of the page: ``?tab=<name>``; ``count`` = the number behind its title, quick to find out (None: none).

    ``unit`` = what is counted, where the title does not say it.
    """

    name: str
    title: str
    draw: Callable[[str], None]
    count: Callable[[str], int | None] | None = None
    unit: str = ""


SECTIONS = (
    Section("findings", "Findings", findings.draw, findings.count, "decision"),
    Section("edges", "All edges", edges.draw, edges.count),
    Section("vocabulary", "Vocabulary", vocabulary.draw, vocabulary.count),
    Section("suggestions", "Suggestions", suggestions.draw, suggestions.count),
    Section("history", "History", history.draw, history.count),
    Section("exchange", "Import, export", exchange.draw),
)
FIRST = SECTIONS[0]


def relationships_page() -> None:
    """Draw the page: ``?tab=`` names the section, ``?finding=`` a finding of the first."""
    assets.style(__file__, "style.css")
    workspace = resources.current_workspace()
    if workspace.n_documents == 0:
        layout.heading("Relationships")
        layout.no_documents(
            workspace.title or workspace.name,
            "Relationships go from document to document: load the sample corpus or import your documents.",
        )
        navigation.link("library", "Open the Library")
        return
    asked = st.query_params.get(TAB, "")
    chosen = next((section for section in SECTIONS if section.name == asked), FIRST)
    state.memory().drawn_as = state.curator()
    _top(workspace.name, chosen.name)
    with layout.guarded(), st.container(key=f"rl-section-{chosen.name}", gap="small"):
        chosen.draw(workspace.name)


@st.fragment(key=HEAD)
def _top(workspace: str, chosen: str) -> None:
    """Head and sections: a fragment of its own, so that a save draws the figures anew and nothing else."""
    if state.memory().drawn_as != state.curator():
        st.rerun()  # editing was switched on or off in this fragment: the section has to follow
    state.speak()
    head(workspace, tabs=lambda: _tabs(workspace, chosen), controls=chosen != FIRST.name)


def _tabs(workspace: str, chosen: str) -> None:
    with st.container(key="rl-tabs", horizontal=True, vertical_alignment="bottom", gap=None):
        for section in SECTIONS:
            _tab(section, section.count(workspace) if section.count else None, shown=section.name == chosen)


def _tab(section: Section, n: int | None, *, shown: bool) -> None:
    """A link to the section; the number is the label's second, muted part."""
    counted = "" if n is None else plural(n, section.unit) if section.unit else f"{n:,}"
    label = f"{section.title} :gray[{counted}]" if counted else section.title
    with st.container(key=f"rl-tab-{section.name}{'-shown' if shown else ''}", width="content"):
        navigation.link(PAGE, label, query={TAB: section.name})
