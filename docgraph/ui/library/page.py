"""The page of a workspace: three places, named in the address; adding documents is one click away from each."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from docgraph.domain.workspace import Workspace
from docgraph.ui.frame import assets, layout, navigation, resources
from docgraph.ui.library import places
from docgraph.ui.library.documents import documents
from docgraph.ui.library.health import health
from docgraph.ui.library.ingestion import import_documents
from docgraph.ui.library.people import people_view

PLACE_KEY = "docgraph.library.place"
PLACES: dict[str, Callable[[Workspace], None]] = {"Documents": documents, "Health": health, "People": people_view}


def library() -> None:
    """Draw the place that the address names; without documents the first thing is to add some."""
    _old_address()
    assets.style(__file__, "style.css")
    workspace = resources.current_workspace()
    tab = places.named() or ("documents" if workspace.n_documents else places.IMPORT)
    place = places.PLACE_OF[tab]
    with st.container(key="dg-libraryhead", horizontal=True, vertical_alignment="center", gap="medium"):
        layout.heading("Workspace")
        st.session_state[PLACE_KEY] = place
        st.segmented_control(
            "Place", list(PLACES), required=True, key=PLACE_KEY, label_visibility="collapsed", on_change=_go
        )
        if tab == places.IMPORT:
            if workspace.n_documents:
                st.button("All documents", key="dg-tolist", on_click=places.go, args=("documents",))
        elif resources.may("write"):
            st.button("Add documents", key="dg-add", icon=":material/add:", on_click=places.go, args=(places.IMPORT,))
    if tab == places.IMPORT:
        import_documents(workspace)
    elif place == "Health":
        health(workspace, opened=tab)
    else:
        PLACES[place](workspace)


def _go() -> None:
    places.go(str(st.session_state[PLACE_KEY]).lower())


def _old_address() -> None:
    """Relationships were a view here too: their address leads to the one table of them, with its filters."""
    asked = st.query_params
    if "relationships" not in (asked.get("show", "").lower(), asked.get("tab", "").lower()):
        return
    marks = {"type": asked.get("relation", ""), "dangling": asked.get("dangling", "")}
    query = {"tab": "all", **{name: value for name, value in marks.items() if value}}
    navigation.go_to("relationships", navigation.in_workspace(query))
