"""Which workspace an import goes into: one that exists, or a new one."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from docgraph.domain.workspace import Workspace, workspace_name_of
from docgraph.errors import DocgraphError
from docgraph.ui.frame import escape, layout, resources
from docgraph.ui.parts.ingestion.job import LookJob

KIND, TITLE = "docgraph.library.into", "docgraph.library.into_title"
MAX_TITLE = 200
THIS, NEW = "this", "new"


@dataclass(frozen=True)
class Target:
    """``name`` of a workspace; ``title`` is given where it is to be made first."""

    name: str
    title: str = ""


def target(job: LookJob, workspace: Workspace) -> Target:
    """What is chosen; an empty workspace is simply filled."""
    if not workspace.n_documents or not resources.may("create_workspace"):
        return Target(job.workspace)
    labels = {THIS: escape.label(workspace.title or workspace.name), NEW: "A new workspace"}
    with st.container(key="dg-into", horizontal=True, vertical_alignment="center", gap="small"):
        st.html('<p class="dg-note">Into</p>')
        kind = st.segmented_control(
            "Target workspace",
            (THIS, NEW),
            default=THIS,
            required=True,
            format_func=labels.__getitem__,
            key=KIND,
            label_visibility="collapsed",
        )
        if kind != NEW:
            return Target(job.workspace)
        st.session_state.setdefault(TITLE, escape.shorten(escape.plain(job.source.title), MAX_TITLE))
        title = st.text_input("Title", key=TITLE, max_chars=MAX_TITLE, label_visibility="collapsed", width=280)
        shown = " ".join(title.split()) or "Workspace"
        name = workspace_name_of(shown, [each.name for each in resources.workspaces()])
        st.html(f'<p class="dg-note" role="status">id: <code>{name}</code></p>')
    return Target(name, shown)


def made(chosen: Target) -> str | None:
    """The name of the workspace to import into, which is there now; None where it could not be made."""
    if chosen.title:
        try:
            resources.create_workspace(chosen.name, title=chosen.title)
        except DocgraphError as problem:
            layout.error(problem)
            return None
        resources.choose(chosen.name)
    for key in (KIND, TITLE):
        st.session_state.pop(key, None)
    return chosen.name
