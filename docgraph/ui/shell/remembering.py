"""Who edits, over a reload of the page: the browser keeps the name for its tab, and hands it to the next session."""

from __future__ import annotations

from typing import Any

import streamlit as st

from docgraph.domain.saved_run import MAX_PERSON
from docgraph.ui.frame import assets, resources
from docgraph.ui.frame.state import session
from docgraph.ui.parts.curation.state import curator, switch_on
from docgraph.ui.parts.runs.saving import person_name, remember_person

KEY = "docgraph-remembering"
_ASKED = "the browser was asked who edits"
_KEPT = assets.component("remembering", __file__, js=("remembering.js",))


def remember() -> None:
    """Ask the browser once, and from then on tell it; with sign-in it keeps only whether editing is on.

    It is no proof of anything: where nobody signs in, a name is what somebody typed.
    """
    asked = session().page.get(_ASKED, False)
    session().page[_ASKED] = True
    _KEPT(
        key=KEY,
        data={"unknown": not asked, "name": person_name(), "editing": bool(curator())},
        on_kept_change=_take,
    )


def _take() -> None:
    take(getattr(st.session_state.get(KEY), "kept", None))


def take(kept: Any) -> None:
    """Go on under the name that the browser kept, if it is one, and edit if that was on; nothing else is believed."""
    if not isinstance(kept, dict) or not isinstance(kept.get("name"), str) or curator() or resources.only_reads():
        return
    name = " ".join(kept["name"].split())[:MAX_PERSON]
    if not name:
        return
    if not person_name():
        remember_person(name)
    if kept.get("editing") is True:
        switch_on(name)
