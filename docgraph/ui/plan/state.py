"""What the Plan page remembers beside its inputs: the selection, unfolded lists, the document asked about."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import partial

import streamlit as st

from docgraph.domain.comparison import Comparison
from docgraph.domain.context import RetrievedContext
from docgraph.domain.plan import RetrievalPlan
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.run import Run
from docgraph.ui.frame.state import session
from docgraph.ui.plan.built import built
from docgraph.ui.plan.inputs import TypeChoice
from docgraph.views.plan.reasons import selectable
from docgraph.views.plan.selection import first_change, leaving_ids
from docgraph.views.plan.tables import document_table, edge_table

GRAPH, TABLE = "docgraph.plan.graph", "docgraph.plan.table"
EDGES, CHANGED = "docgraph.plan.edges", "docgraph.plan.changed"
WHY_NOT = "docgraph.plan.why_not"
ONLY_SELECTED = "docs_shown"
CHANGES_SHOWN = "changes_shown"
EXPLORER, LOWER, INNER = "plan_explorer", "plan_lower", "plan_inner"
BUILD = "plan_build"
DETAILS, INSIDE = "plan_details", "details"
"""The drawer of the page: whether it is open, and what of the plan stands open in it (also in the address)."""

TABS = ("Passages", "Table")
INSIDES = ("Context", "Plan JSON", "Trace")
OLD_TABS = {"Evidence": "Passages"}
"""What tabs were called in addresses that people kept; those of ``INSIDES`` were tabs as well."""


@dataclass
class Upload:
    """A plan that was uploaded: executed, or refused with one line."""

    name: str
    plan: RetrievalPlan | None = None
    context: RetrievedContext | None = None
    problem: str = ""


@dataclass(frozen=True)
class Departed:
    """What the inputs are a draft over: a request as it was last built, or a saved run (``run_id``)."""

    workspace: str
    request: RetrievalRequest
    run_id: str = ""


@dataclass
class PlanState:
    """The page's own memory. ``cleared`` = the reader unselected on purpose, so nothing is chosen for them.

    ``between`` = edges between seeds are drawn.
    ``base`` and ``asked`` (the request drawn last) outlive a visit of another page; ``leave_for`` are the inputs of the
    address to go to next (``{}``: nowhere); ``entered`` is the saved run whose workspace was chosen for the session.
    ``drawn_with`` = the workspace and the relation types that the controls were drawn for last. ``inner`` = something
    of the plan stands open in the drawer.
    """

    plan_id: str = ""
    cleared: bool = False
    show_all: bool = False
    between: bool = False
    unfolded: set[str] = field(default_factory=set)
    upload: Upload | None = None
    base: Departed | None = None
    asked: RetrievalRequest | None = None
    leave_for: dict[str, list[str]] = field(default_factory=dict)
    entered: str = ""
    drawn_with: tuple[str, TypeChoice] | None = None
    inner: bool = False


def plan_state() -> PlanState:
    """The memory of this session's Plan page."""
    state: PlanState = session().page.setdefault("plan", PlanState())
    return state


def select(run: Run, wanted: str | None, draft: Comparison | None = None) -> None:
    """Select a document or an edge of the run, or one that leaves in a draft; another id clears the selection."""
    state = session()
    state.selected = wanted if wanted in _selectable(run, draft) else None
    plan_state().cleared = state.selected is None
    _mirror_in_tables(run, draft)


def _selectable(run: Run, draft: Comparison | None) -> Collection[str]:
    return (*selectable(run), *(leaving_ids(draft) if draft else ()))


def settle(run: Run, draft: Comparison | None = None) -> str | None:
    """The selection for this run: kept while it is in the picture; a draft begins with the first document it moves."""
    state, memory = session(), plan_state()
    state.run, state.request = run, run.request
    if memory.plan_id != run.plan.plan_id:
        memory.plan_id, memory.show_all = run.plan.plan_id, False
    if state.selected not in _selectable(run, draft):
        state.selected = first_change(draft) if draft and not memory.cleared else None
    _mirror_in_tables(run, draft)
    return state.selected


def _mirror_in_tables(run: Run, draft: Comparison | None) -> None:
    """Set both tables' row selection to the selection of the graph."""
    documents = built("documents", partial(document_table, run, draft), run, draft)
    edges = built("edges", partial(edge_table, run, draft), run, draft)
    for key, table in ((TABLE, documents), (EDGES, edges)):
        row = table.index_of(session().selected)
        rows = [] if row is None else [row]
        st.session_state[key] = {"selection": {"rows": rows, "columns": [], "cells": []}}
