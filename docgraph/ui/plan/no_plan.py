"""What the Plan page says where a plan, or a part of its address, is missing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import streamlit as st

from docgraph.domain.workspace import Workspace
from docgraph.errors import DocgraphError
from docgraph.ui.frame import escape, layout, navigation
from docgraph.ui.parts.samples.card import sample_cards
from docgraph.ui.parts.type_pills import pill_style
from docgraph.ui.plan.inputs import TypeChoice
from docgraph.views.plan.legend import legend


def without_documents(workspace: Workspace) -> None:
    """Nothing to read: the way to some."""
    layout.no_documents(
        workspace.title or workspace.name,
        "Load the sample or add your own documents first.",
    )
    navigation.link("library", "Add documents")


def without_question(workspace: Workspace, choice: TypeChoice) -> None:
    """Nothing asked: what an answer would show, and the way to a sample."""
    entries = legend(choice.counts, choice.names, allowed=frozenset(choice.shown))
    st.html(f"<style>{pill_style(entries, counts='corpus')}</style>")
    layout.empty(
        "Ask a question to see its plan",
        f"See which of the {workspace.n_documents:,} documents are read, why, and what is left out. "
        "The address holds the question and all settings, so the link can be shared.",
    )
    sample_cards(workspace.name, "Try an example", to="plan")


def ignored(notes: Sequence[str]) -> None:
    """What of the address could not be used, in one line."""
    if notes:
        st.html(
            f'<p class="pl-inline pl-ignored" role="status">{layout.glyph("info")}<span>Ignored in the address: '
            f"{escape.html('; '.join(notes[:3]))}{f'; and {len(notes) - 3} more' if len(notes) > 3 else ''}.</span></p>"
        )


@contextmanager
def types_kept(choice: TypeChoice) -> Iterator[None]:
    """The type pills keep their lines when the plan inside cannot be made, and there is none to count in."""
    try:
        yield
    except DocgraphError:
        entries = legend(choice.counts, choice.names, allowed=frozenset(choice.names))
        st.html(f"<style>{pill_style(entries, counts='')}</style>")
        raise
