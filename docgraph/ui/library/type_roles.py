"""What each relation type may do in plans, who decided it, and the way to decide otherwise."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from docgraph.domain.type_roles import ROLE_WORDS, TypeRole
from docgraph.domain.workspace import Workspace
from docgraph.errors import DocgraphError
from docgraph.ui.frame import escape, layout, resources
from docgraph.ui.frame.state import session
from docgraph.ui.parts.curation import state
from docgraph.views.words.type_roles import role_rows, role_sentence

KEY = "docgraph.library.types"
DEFAULT = "default"
ROLES: dict[str, tuple[str, TypeRole | None]] = {name: (words, name) for name, words in ROLE_WORDS.items()}
ROLES[DEFAULT] = ("back to default", None)


def type_roles(workspace: Workspace, counts: Mapping[str, int]) -> None:
    """The table of types, and one control that gives the chosen type another role."""
    decisions = resources.docgraph(workspace.name).relationships.type_roles()
    layout.section("Types in plans", "what a type may do in a plan unless a question names its types")
    st.dataframe(
        pd.DataFrame(role_rows(decisions, dict(counts))),
        hide_index=True,
        height=min(38 + 34 * len(decisions), 310),
        row_height=34,
        alt="Relation types with their role in plans and who decided it",
        placeholder="--",
    )
    if resources.only_reads() or not resources.may("decide_types"):
        return
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        names = [each.relation_type for each in decisions]
        name = st.selectbox("Type", names, key=f"{KEY}.type", label_visibility="collapsed", width=280)
        now = next(each for each in decisions if each.relation_type == name)
        st.segmented_control(
            f"Role of {escape.label(str(name))}",
            list(ROLES),
            default=now.role,
            required=True,
            disabled=not state.curator(),
            help=None if state.curator() else "Switch editing on, on the page Relationships, to change it",
            format_func=lambda role: ROLES[role][0],
            key=f"{KEY}.role.{now.relation_type}.{now.role}.{now.by}",
            on_change=_decide,
            args=(workspace.name, now.relation_type, f"{KEY}.role.{now.relation_type}.{now.role}.{now.by}"),
            label_visibility="collapsed",
        )


def _decide(workspace: str, relation_type: str, key: str) -> None:
    _, role = ROLES[st.session_state[key]]
    docgraph = resources.docgraph(workspace)
    try:
        docgraph.relationships.set_type_role(relation_type, role, by=state.curator())
    except DocgraphError as problem:
        session().problems.append(problem)
        return
    now = next(each for each in docgraph.relationships.type_roles() if each.relation_type == relation_type)
    session().notices.append(f"In plans, {role_sentence(now)}.")
