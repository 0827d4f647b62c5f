"""All relationships of a workspace as a table: by type, and those without a target."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from docgraph.domain.type_roles import ROLE_WORDS
from docgraph.domain.workspace import Workspace
from docgraph.ui.frame import layout, navigation, resources
from docgraph.ui.library.document import found_by
from docgraph.ui.library.own_questions import own_questions
from docgraph.ui.library.type_roles import type_roles
from docgraph.ui.parts.documents import MAX_ROWS, edges, relation_types

TABLE_KEY = "docgraph.library.edges"
TYPE_KEY, DANGLING_KEY = "relation", "dangling"


def relationships(workspace: Workspace) -> None:
    """Type filter, switch for missing targets, and the table; selecting a row opens where it starts."""
    types = relation_types(workspace)
    if not types:
        layout.empty(
            "No relationships",
            "None were found in these documents. Plans still work, by similarity alone.",
        )
        return
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        chosen = st.selectbox(
            "Relationship type",
            ["", *types],
            key=TYPE_KEY,
            bind="query-params",
            label_visibility="collapsed",
            width=280,
            format_func=lambda name: name or "all types",
        )
        loose = st.toggle("Only those without a target", key=DANGLING_KEY, bind="query-params")
        query = {"tab": "edges"} | ({"type": chosen} if chosen else {}) | ({"dangling": "true"} if loose else {})
        navigation.link("relationships", ":primary[Judge and edit these]", query=query)
    layout.strip((name, f"{count:,}") for name, count in types.items())
    type_roles(workspace, types)
    if not resources.only_reads():
        own_questions(workspace)
    layout.section("All relationships")
    _table(workspace, chosen or None, only_dangling=loose)


def _table(workspace: Workspace, relation_type: str | None, *, only_dangling: bool) -> None:
    found = edges(workspace, relation_type=relation_type, dangling=only_dangling)
    rows = found.relationships
    more = "" if found.complete else f"; the table stops at {MAX_ROWS:,}: choose a type"
    st.html(f'<p class="dg-note">{len(rows):,} of {workspace.n_relationships:,} relationships{more}</p>')
    if not rows:
        layout.same("Every target exists", "No relationship of this kind points at a document that is missing.")
        return
    decided = workspace.decided
    table = pd.DataFrame(
        {
            "From": [found.title(edge.from_document_id) for edge in rows],
            "Type": [edge.relation_type for edge in rows],
            "To": [found.title(edge.to_document_id) for edge in rows],
            "Target": ["missing" if edge.key in found.dangling else "there" for edge in rows],
            "In plans": [ROLE_WORDS[decided.of(edge.relation_type).role] for edge in rows],
            "Found by": [found_by(edge) for edge in rows],
            "Sentence": [str(edge.relationship_metadata.get("text", "")) for edge in rows],
        }
    )
    starts = [edge.from_document_id for edge in rows]
    st.dataframe(
        table,
        hide_index=True,
        key=TABLE_KEY,
        selection_mode="single-row",
        on_select=lambda: _open(starts),
        height=min(38 + 34 * len(rows), 620),
        row_height=34,
        alt="Relationships; select one to open where it starts",
        placeholder="--",
    )


def _open(starts: list[str]) -> None:
    rows: list[int] = dict(st.session_state[TABLE_KEY]).get("selection", {}).get("rows", [])
    if rows and rows[0] < len(starts):
        st.query_params["document"] = starts[rows[0]]
        st.session_state["show"] = "Documents"
