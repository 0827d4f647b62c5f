"""A quiet note above the page about what its address asks for and nobody can follow; it stays until it is closed."""

from __future__ import annotations

from dataclasses import dataclass, field

import streamlit as st

from docgraph.ui.frame import assets, escape, layout
from docgraph.ui.frame.state import session
from docgraph.views.parameters import KNOWN, MAX_TOLD, Complaint, complaints
from docgraph.views.words.address import unpacked

_OWN = "docgraph.parameters"


@dataclass
class _Told:
    """What the note of a page says: name → complaint; and what was closed."""

    page: str = ""
    open: dict[str, Complaint] = field(default_factory=dict)
    closed: set[Complaint] = field(default_factory=set)


def told_parameters(page: str) -> None:
    """Draw the note for the address of ``page``, where there is something to say.

    An input drops a value that it cannot take from the address when it is drawn, so what was found is remembered.
    """
    told = _told_on(page)
    asked = unpacked({name: st.query_params.get_all(name) for name in st.query_params})
    found = {each.name: each for each in complaints(page, asked) if each not in told.closed}
    lasting = {name: each for name, each in told.open.items() if name in KNOWN and name not in asked}
    told.open = {**lasting, **found}
    if not told.open:
        return
    assets.style(__file__, "parameters.css")
    said = [escape.html(each.said) for each in told.open.values()]
    if len(said) > MAX_TOLD:
        said[MAX_TOLD:] = [f"{len(said) - MAX_TOLD:,} more are not followed either."]
    lines = "".join(f"<p>{each}</p>" for each in said)
    with st.container(key="dg-parameters", horizontal=True, vertical_alignment="center", gap="small"):
        said_html = f'<div class="dg-parameters" role="status">{layout.glyph("info")}<div>{lines}</div></div>'
        st.html(said_html, width="stretch")
        st.button("Close", key="docgraph.parameters.close", type="tertiary", on_click=_close, args=(page,))


def _told_on(page: str) -> _Told:
    told: _Told = session().page.setdefault(_OWN, _Told())
    if told.page != page:
        told.page, told.open, told.closed = page, {}, set()
    return told


def _close(page: str) -> None:
    told = _told_on(page)
    told.closed |= set(told.open.values())
    told.open = {}
