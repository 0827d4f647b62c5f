"""Search by Ctrl+K: pages, workspaces, documents and saved questions by a part of their names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import streamlit as st

from docgraph.domain.workspace import Workspace
from docgraph.ui.bar.workspace_menu import VIEWS
from docgraph.ui.frame import assets, layout, navigation, resources
from docgraph.ui.parts.documents import document_rows
from docgraph.views.words.address import QUERY, WORKSPACE

BUTTON, FIELD = "docgraph.search", "docgraph.search.field"
MAX_QUESTIONS = 200

_FOCUS = assets.component("search_focus", __file__, js=("search.js",))


@dataclass(frozen=True)
class Entry:
    """Something to go to: what kind it is, what it is called, its page, and what stands in the address there."""

    kind: str
    label: str
    page: str
    query: tuple[tuple[str, str], ...] = ()
    workspace: str = ""

    @property
    def words(self) -> str:
        """As the list shows it: ``Document: ADR-003 One queue``."""
        return f"{self.kind}: {self.label}"


def search() -> None:
    """The button, and what it opens."""
    if st.button("Search", key=BUTTON, icon=":material/search:", shortcut="Ctrl+K", type="tertiary"):
        _dialog()


@st.dialog("Go to", width="medium")
def _dialog() -> None:
    with layout.guarded():
        found = entries(resources.current_workspace(), resources.workspaces())
        chosen = st.selectbox(
            "A page, workspace, document or saved question",
            found,
            index=None,
            key=FIELD,
            format_func=lambda entry: entry.words,
            placeholder="Type a part of its name",
        )
        _FOCUS(key="docgraph-search-focus")
        if chosen is not None:
            if chosen.workspace:
                resources.choose(chosen.workspace)
            navigation.go_to(chosen.page, dict(chosen.query))


def entries(workspace: Workspace, workspaces: Sequence[Workspace]) -> tuple[Entry, ...]:
    """Everything that can be gone to from the workspace: pages, its views, other workspaces, questions, documents."""
    pages = [Entry("Page", each.title, each.name) for each in navigation.pages() if each.name != "library"]
    views = [Entry("Workspace", label, "library", (("tab", view),)) for view, label in VIEWS]
    others = [Entry("Open workspace", each.name, "home", workspace=each.name) for each in workspaces]
    return (
        *pages,
        *views,
        *(each for each in others if each.workspace != workspace.name),
        *_questions(workspace),
        *_documents(workspace),
    )


def _questions(workspace: Workspace) -> Iterator[Entry]:
    """Saved runs, and the questions of the query sets, each text once."""
    docgraph = resources.docgraph(workspace.name)
    texts = dict.fromkeys(saved.query for saved in docgraph.runs.list())
    for kept in docgraph.query_sets.list():
        texts |= dict.fromkeys(each.query for each in docgraph.query_sets.get(kept.name).query_set.queries)
    for text in list(texts)[:MAX_QUESTIONS]:
        yield Entry("Question", text, "plan", ((QUERY, text), (WORKSPACE, workspace.name)))


def _documents(workspace: Workspace) -> Iterator[Entry]:
    for row in document_rows(workspace, doc_type=None, text="").documents:
        yield Entry("Document", row.title or row.document_id, "library", (("document", row.document_id),))
