"""The profile of a look as the file it is kept in: shown, edited as text, checked, downloaded."""

from __future__ import annotations

import streamlit as st

from docgraph.boundary.imports.profile_toml import read_profile, write_profile
from docgraph.domain.imports.look import Look
from docgraph.errors import DocgraphError
from docgraph.ui.frame import escape, layout
from docgraph.ui.parts.ingestion.looking import Chosen, LookJob, Written

FILE = "docgraph.toml"
TEXT, EDITING = "docgraph.library.profile.text", "docgraph.library.profile.editing"
_HEIGHT = 380


def profile(look: Look, job: LookJob, chosen: Chosen) -> None:
    """The profile that is used, with buttons that edit and download it."""
    text = text_of(look, job, chosen)
    with st.container(border=True, key="dg-profile", gap="small"):
        if st.session_state.get(EDITING):
            _editor(job)
            return
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            layout.section("Profile", f"{FILE}, edited" if job.written else FILE)
            if st.button("Edit", type="tertiary", key="docgraph.library.profile.edit"):
                st.session_state[EDITING], st.session_state[TEXT] = True, text
                st.rerun()
            st.download_button("Download", text, FILE, "application/toml", key="docgraph.library.look.download")
        shown = text.strip() if job.written else _without_comments(text)
        # No st.code: what colours it is a third of a second of scripts, in which the tab answers nothing.
        st.html(f'<pre tabindex="0" aria-label="The profile">{escape.html(shown)}</pre>')
        st.html(
            f'<p class="dg-note">The same file works with <code>docgraph ingest --profile {FILE}</code> and CI.</p>'
        )


def by_hand(job: LookJob) -> None:
    """Says that the edited text counts and not the switches, with the way back to them."""
    if job.written is None:
        return
    with st.container(key="dg-byhand", horizontal=True, vertical_alignment="center", gap="small"):
        st.html('<p class="dg-note">The profile was edited. Its text is used, not the switches.</p>')
        if st.button("Use the switches", type="tertiary", key="docgraph.library.profile.back"):
            job.written = None
            st.rerun()


def text_of(look: Look, job: LookJob, chosen: Chosen) -> str:
    """The file: what was written by hand as it was written, else what the switches make."""
    if job.written is not None:
        return job.written.text
    return write_profile(chosen.profile, look if chosen.profile == look.profile else None)


def _editor(job: LookJob) -> None:
    layout.section("Profile", f"{FILE}, being edited")
    text = st.text_area("Profile as TOML", key=TEXT, height=_HEIGHT, label_visibility="collapsed")
    problem = None
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        uses = st.button("Use this profile", type="primary", key="docgraph.library.profile.use")
        leaves = st.button("Cancel", type="tertiary", key="docgraph.library.profile.cancel")
        st.html(f'<span class="dg-note">{escape.html("Ctrl+Enter checks it.")}</span>')
    try:
        read = read_profile(text.encode(), name=FILE)
    except DocgraphError as error:
        problem, read = error, None
    if problem is not None:
        layout.error(problem)
    if leaves or (uses and read is not None):
        if uses and read is not None:
            job.written = Written(text, read)
        st.session_state[EDITING] = False
        st.rerun()


def _without_comments(text: str) -> str:
    """The settings of a profile alone: what the switches say stands beside it already."""
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return "\n".join(lines).strip()
