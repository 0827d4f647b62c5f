"""The left of the bar: the way home, the workspace, the three places, and the views of the one that is open."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from docgraph.domain.workspace import Workspace
from docgraph.ui.bar.workspace_menu import workspace_menu
from docgraph.ui.frame import assets, navigation
from docgraph.ui.frame.navigation import PageFile
from docgraph.ui.frame.question import held
from docgraph.views.words.address import QUERY

LOGO = assets.picture(__file__, "logo.svg")
WITHOUT_ENTRY = "Workspace"
"""The place that the workspace's own menu leads to."""


def places(here: PageFile, workspaces: Sequence[Workspace], current: Workspace) -> None:
    """Draw it for the page that is open."""
    assets.style(__file__, "places.css", then=f".st-key-dg-brand{{--dg-logo:{LOGO}}}")
    with st.container(key="dg-places", horizontal=True, vertical_alignment="center", gap=None):
        to_picture = here.name == "plan" and bool(st.query_params.get(QUERY) or held(current.name))
        target, name = ("dg-picture", "picture") if to_picture else ("dg-content", "content")
        st.html(f'<a class="dg-skip" href="#{target}">Skip to the {name}</a>')
        with st.container(key="dg-brand", width="content"):
            navigation.link("home", "docgraph")
        workspace_menu(workspaces, current)
        with st.container(key="dg-nav", horizontal=True, vertical_alignment="center", gap=None, width="content"):
            for name, pages in _by_place().items():
                _place(name, pages, here, current)


def _by_place() -> dict[str, list[PageFile]]:
    found: dict[str, list[PageFile]] = {}
    for page in navigation.pages():
        if page.place != WITHOUT_ENTRY:
            found.setdefault(page.place, []).append(page)
    return found


def _place(name: str, pages: Sequence[PageFile], here: PageFile, workspace: Workspace) -> None:
    """Its name, and where it is open the views of a question in hand beside it."""
    open_now = here.place == name
    first = pages[0]
    asked = first.name == "home" and held(workspace.name) is not None
    with st.container(
        key=f"dg-place-{first.name}" + ("-here" if open_now else ""),
        horizontal=True,
        vertical_alignment="center",
        gap=None,
        width="content",
    ):
        navigation.link("plan" if asked else first.name, name)
        for view in pages[1:] if open_now and first.name == "home" else ():
            with st.container(
                key=f"dg-view-{view.name}" + ("-here" if view.name == here.name else ""), width="content"
            ):
                navigation.link(view.name, view.title)
