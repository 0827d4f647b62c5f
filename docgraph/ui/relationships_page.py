"""The Relationships page: heading with progress and the editing switch, then the section that the address names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import cast

import streamlit as st

from docgraph.ui import frame, navigation, resources
from docgraph.ui import relationships_state as state
from docgraph.ui.relationships_head import head
from docgraph.ui.relationships_judging_draft import HEAD

STYLE = Path(__file__).with_name("relationships_page.css")
PAGE, TAB = "relationships", "tab"


@dataclass(frozen=True)
class Section:
    """A part of the page: ``?tab=<name>``, drawn by ``draw(workspace)`` of the module ``relationships_<name>``.

    A module may have ``count(workspace) -> int | None`` for the number behind its title; it must be quick.
    """

    name: str
    title: str

    @property
    def module(self) -> ModuleType | None:
        """The module that draws it; None while there is none: then the section is not offered."""
        name = f"docgraph.ui.relationships_{self.name}"
        return import_module(name) if find_spec(name) else None


SECTIONS = (
    Section("findings", "Findings"),
    Section("edges", "All edges"),
    Section("vocabulary", "Vocabulary"),
    Section("suggestions", "Suggestions"),
    Section("history", "History"),
    Section("exchange", "Import, export"),
)


def relationships_page() -> None:
    """Draw the page: ``?tab=`` names the section, ``?finding=`` a finding of the first."""
    st.html(f"<style>{STYLE.read_text(encoding='utf-8')}</style>")
    workspace = resources.current_workspace()
    if workspace.n_documents == 0:
        frame.heading("Relationships")
        frame.empty(
            f"{workspace.title or workspace.name} holds no documents yet",
            "Relationships go from document to document: load the sample corpus or import your documents.",
        )
        navigation.link("library", "Open the Library")
        return
    offered = {section.name: (section, module) for section in SECTIONS if (module := section.module)}
    chosen = st.query_params.get(TAB, "")
    chosen = chosen if chosen in offered else next(iter(offered), "")
    state.memory().drawn_as = state.curator()
    _top(workspace.name, chosen)
    if chosen:
        with frame.guarded(), st.container(key=f"rl-section-{chosen}", gap="small"):
            draw = cast(Callable[[str], None], offered[chosen][1].draw)
            draw(workspace.name)


@st.fragment(key=HEAD)
def _top(workspace: str, chosen: str) -> None:
    """Head and sections: a fragment of its own, so that a save draws the figures anew and nothing else."""
    if state.memory().drawn_as != state.curator():
        st.rerun()  # editing was switched on or off in this fragment: the section has to follow
    state.speak()
    head(workspace)
    with st.container(key="rl-tabs", horizontal=True, vertical_alignment="bottom", gap=None):
        for section in SECTIONS:
            module = section.module
            if module is not None:
                _tab(section, _count(module, workspace), shown=section.name == chosen)


def _count(module: ModuleType, workspace: str) -> int | None:
    count = cast("Callable[[str], int | None] | None", getattr(module, "count", None))
    return count(workspace) if count else None


def _tab(section: Section, n: int | None, *, shown: bool) -> None:
    """A link to the section; the number is the label's second, muted part."""
    label = section.title if n is None else f"{section.title} :gray[{n:,}]"
    with st.container(key=f"rl-tab-{section.name}{'-shown' if shown else ''}", width="content"):
        navigation.link(PAGE, label, query={TAB: section.name})
