"""Documents by their titles, kept for each revision of a workspace."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from docgraph.domain.overrides import EdgeKey
from docgraph.ui.frame import resources


def titles(workspace: str) -> Mapping[str, str]:
    """document_id → title of every stored document, by id; a document without a title goes by its id."""
    return _titles(workspace, resources.docgraph(workspace).workspace.state)


@st.cache_resource(max_entries=4, ttl="1h", show_spinner=False)
def _titles(workspace: str, revision: str) -> dict[str, str]:
    del revision  # part of the key only
    return {d.document_id: d.title or d.document_id for d in resources.docgraph(workspace).documents.list()}


def naming(workspace: str) -> Callable[[str], str]:
    """document_id → title, or the id itself for one that is not stored; plain text, hostile."""
    named = titles(workspace)
    return lambda document_id: named.get(document_id, document_id)


def titled(workspace: str, key: EdgeKey) -> str:
    """``Queue design —explains→ ADR 3``: a relationship by titles; plain text, hostile."""
    named = naming(workspace)
    return f"{named(key[0])} —{key[1]}→ {named(key[2])}"
