"""What the page reads, kept for each state of a workspace: titles, rows, relationships, types and suggestions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import astuple
from typing import Any

import streamlit as st

from docgraph.domain.edge_evidence import EdgeEvidence
from docgraph.domain.graph import Relationship
from docgraph.domain.overrides import EdgeKey
from docgraph.domain.suggestion import Suggestions
from docgraph.domain.vocabulary import Vocabulary
from docgraph.ui.frame import resources
from docgraph.ui.frame.chosen import put
from docgraph.ui.parts.curation import state
from docgraph.ui.parts.curation.checks import report_version
from docgraph.views.relationships.edges.rows import EdgeFilter, EdgeRow, Order, edge_rows, filtered, ordered

DOCUMENT = "at"
"""Name in the address of the document at either end."""


def titles(workspace: str) -> Mapping[str, str]:
    """document_id → title of every stored document, by id; a document without a title goes by its id."""
    return _titles(workspace, resources.docgraph(workspace).workspace.state)


@st.cache_resource(max_entries=4, ttl="1h", show_spinner=False)
def _titles(workspace: str, revision: str) -> dict[str, str]:
    del revision  # part of the key only
    return {d.document_id: d.title or d.document_id for d in resources.docgraph(workspace).documents.list()}


def document_box(workspace: str, *, key: str, width: int) -> str:
    """A document at either end, by title; the address may name one of any workspace size."""
    named = titles(workspace)
    asked = st.query_params.get(DOCUMENT, "")
    options = sorted(named, key=lambda i: (named[i].casefold(), i))
    if len(named) > 1_000:  # the search finds titles as well; a list as long as this helps nobody
        if asked not in named:
            return ""
        options = [asked]
    chosen = st.selectbox(
        "Document",
        options,
        index=options.index(asked) if asked in named else None,
        key=f"{key}.{asked}",
        placeholder="any",
        width=width,
        format_func=lambda i: named.get(i, i),
        on_change=lambda: put(DOCUMENT, st.session_state.get(f"{key}.{asked}")),
    )
    return str(chosen or "")


@st.cache_resource(max_entries=256, ttl="1h", show_spinner=False)
def evidence(workspace: str, a: str, b: str, *, revision: str) -> EdgeEvidence:
    """Both documents side by side. Raises StoreError."""
    del revision  # part of the key only
    return resources.docgraph(workspace).relationships.evidence(a, b)


def naming(workspace: str) -> Callable[[str], str]:
    """document_id → title, or the id itself for one that is not stored; plain text, hostile."""
    named = titles(workspace)
    return lambda document_id: named.get(document_id, document_id)


def titled(workspace: str, key: EdgeKey) -> str:
    """``Queue design —explains→ ADR 3``: a relationship by titles; plain text, hostile."""
    named = naming(workspace)
    return f"{named(key[0])} —{key[1]}→ {named(key[2])}"


MAX_KEPT = 8
"""States of workspaces that suggestions are kept of."""


def version(workspace: str) -> str:
    """Changes with the data, the saved questions, the rules and the dismissals."""
    return report_version(resources.docgraph(workspace))


def vocabulary(workspace: str) -> Vocabulary:
    """The types of the workspace as they are now."""
    return _vocabulary(workspace, version(workspace))


@st.cache_resource(max_entries=MAX_KEPT, ttl="1h", show_spinner=False)
def _vocabulary(workspace: str, version: str) -> Vocabulary:
    del version  # part of the key only
    return resources.docgraph(workspace).relationships.vocabulary()


def suggestions(workspace: str) -> Suggestions:
    """The suggestions for the workspace as it is now."""
    key = (workspace, version(workspace))
    found = _kept().get(key)
    if found is None:
        with st.spinner("Looking through the texts and the saved questions"):
            found = resources.docgraph(workspace).relationships.suggestions()
        for old in list(_kept())[: max(0, len(_kept()) - MAX_KEPT + 1)]:
            _kept().pop(old, None)
        _kept()[key] = found
    return found


def known_suggestions(workspace: str) -> Suggestions | None:
    """The same when somebody has looked already; None otherwise: looking takes too long for a number in passing."""
    return _kept().get((workspace, version(workspace)))


@st.cache_resource(max_entries=1, show_spinner=False)
def _kept() -> dict[tuple[str, str], Suggestions]:
    return {}


def problem_card() -> None:
    """What the last save met, said once."""
    if state.show_problem():
        state.fail(None)


def rows(workspace: str) -> tuple[EdgeRow, ...]:
    """A row for every relationship, by key; questions and findings are unknown while the checks still run."""
    return _rows(workspace, version(workspace), checked(workspace))


@st.cache_resource(max_entries=4, ttl="1h", show_spinner=False)
def _rows(workspace: str, version: str, checked: bool) -> tuple[EdgeRow, ...]:
    del version  # part of the key only
    report = state.report(workspace) if checked else None
    return edge_rows(state.relationships(workspace), titles(workspace), report)


def found(workspace: str, wanted: EdgeFilter, order: Order) -> tuple[EdgeRow, ...]:
    """The rows that a filter lets through, in an order."""
    return _found(workspace, version(workspace), checked(workspace), astuple(wanted), order)


@st.cache_resource(max_entries=8, ttl="1h", show_spinner=False)
def _found(workspace: str, version: str, checked: bool, wanted: tuple[Any, ...], order: Order) -> tuple[EdgeRow, ...]:
    return ordered(filtered(_rows(workspace, version, checked), EdgeFilter(*wanted)), order)


def checked(workspace: str) -> bool:
    """Whether the checks of this state have ended well and none of them was left out."""
    checking = state.checking(workspace)
    return not checking.running and not checking.failed and checking.report.complete


def edges(workspace: str) -> Mapping[EdgeKey, Relationship]:
    """Every relationship by key."""
    return _edges(workspace, resources.docgraph(workspace).workspace.state)


@st.cache_resource(max_entries=4, ttl="1h", show_spinner=False)
def _edges(workspace: str, revision: str) -> dict[EdgeKey, Relationship]:
    del revision  # part of the key only
    return {edge.key: edge for edge in state.relationships(workspace)}
