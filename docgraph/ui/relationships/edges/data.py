"""What the section reads: rows and relationships, kept for each state of a workspace."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple
from typing import Any

import streamlit as st

from docgraph.domain.graph import Relationship
from docgraph.domain.overrides import EdgeKey
from docgraph.ui.frame import resources
from docgraph.ui.parts.curation import state
from docgraph.ui.relationships.data import version
from docgraph.ui.relationships.titles import titles
from docgraph.views.relationships.edges.rows import EdgeFilter, EdgeRow, Order, edge_rows, filtered, ordered


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
