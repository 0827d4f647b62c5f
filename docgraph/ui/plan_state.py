"""What the Plan page remembers beside its inputs: the selection, unfolded lists, the document asked about."""

from __future__ import annotations

from dataclasses import dataclass, field

import streamlit as st

from docgraph.domain.context import RetrievedContext
from docgraph.domain.plan import RetrievalPlan
from docgraph.domain.run import Run
from docgraph.ui.state import session
from docgraph.views.reasons import first_choice, selectable

GRAPH, TABLE = "docgraph.plan.graph", "docgraph.plan.table"
EDGES = "docgraph.plan.edges"
WHY_NOT = "docgraph.plan.why_not"
VIEW = "display"
ONLY_SELECTED = "docs_shown"
TAB = "tab"
EXPLORER, LOWER = "plan_explorer", "plan_lower"


@dataclass
class Upload:
    """A plan that was uploaded: executed, or refused with one line."""

    name: str
    plan: RetrievalPlan | None = None
    context: RetrievedContext | None = None
    problem: str = ""


@dataclass
class PlanState:
    """The page's own memory. ``cleared`` = the reader unselected on purpose, so nothing is chosen for them."""

    plan_id: str = ""
    cleared: bool = False
    show_all: bool = False
    unfolded: set[str] = field(default_factory=set)
    upload: Upload | None = None


def plan_state() -> PlanState:
    """The memory of this session's Plan page."""
    state: PlanState = session().page.setdefault("plan", PlanState())
    return state


def select(run: Run, wanted: str | None) -> None:
    """Select a document or an edge of the run; an id that is not in it clears the selection."""
    state = session()
    state.selected = wanted if wanted in selectable(run) else None
    plan_state().cleared = state.selected is None
    _mirror_in_tables(run)


def settle(run: Run) -> str | None:
    """The selection for this run: kept while it is in the plan, else the most telling document."""
    state, memory = session(), plan_state()
    state.run, state.request = run, run.request
    if memory.plan_id != run.plan.plan_id:
        memory.plan_id, memory.show_all = run.plan.plan_id, False
    if state.selected not in selectable(run):
        state.selected = None if memory.cleared else first_choice(run)
        _mirror_in_tables(run)
    return state.selected


def _mirror_in_tables(run: Run) -> None:
    """Set both tables' row selection to the selection of the graph."""
    from docgraph.views.tables import document_table, edge_table

    for key, table in ((TABLE, document_table(run)), (EDGES, edge_table(run))):
        row = table.index_of(session().selected)
        rows = [] if row is None else [row]
        st.session_state[key] = {"selection": {"rows": rows, "columns": [], "cells": []}}
