"""The table twin of the plan graph: the same documents and edges with the same selection, and everybody who was cut."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pandas as pd
import streamlit as st

from docgraph.ui.frame.chosen import picked
from docgraph.ui.plan.state import EDGES, TABLE
from docgraph.ui.plan.view import PlanView, choose
from docgraph.views.plan.tables import Table, cut_table, document_table, edge_table
from docgraph.views.words import counts

_SCORE = st.column_config.ProgressColumn("score", min_value=0, max_value=1, format="%.2f", width="small")
_COLUMNS = {
    "change": st.column_config.TextColumn("change", width=75),
    "position": st.column_config.NumberColumn("position", width=65),
    "role": st.column_config.TextColumn("role", width=90),
    "document": st.column_config.TextColumn("document", width="medium"),
    "document_id": st.column_config.TextColumn("id", width=120),
    "score": _SCORE,
    "rank": st.column_config.NumberColumn("rank", width=50),
    "passages": st.column_config.NumberColumn("passages", width=65),
    "of passages": st.column_config.NumberColumn("of", width=45),
    "tokens": st.column_config.NumberColumn("tokens", width=60),
    "reasons": st.column_config.TextColumn("reasons", width="large"),
}


def tables(view: PlanView) -> None:
    """Documents and relationships (selectable) with what a draft changes in them, then the cuts."""
    run, draft = view.run, view.comparison
    with st.container(key="plan_tables", gap="xsmall"):
        documents, edges, cuts = document_table(run, draft), edge_table(run, draft), cut_table(run)
        _table(documents, key=TABLE, on_select=partial(_row_chosen, view, TABLE), alt="Documents of the plan")
        if edges.rows:
            st.html(f'<h3 class="pl-h3">{counts.plural(len(edges.rows), "relationship")}</h3>')
            _table(edges, key=EDGES, on_select=partial(_row_chosen, view, EDGES), alt="Relationships of the plan")
        if cuts.rows:
            st.html(f'<h3 class="pl-h3">{counts.plural(len(cuts.rows), "document")} left out</h3>')
            st.dataframe(
                _frame(cuts),
                hide_index=True,
                column_config=_COLUMNS,
                alt="Documents that were left out",
                height=220,
                placeholder="--",
            )


def _row_chosen(view: PlanView, key: str) -> None:
    make = document_table if key == TABLE else edge_table
    choose(view, picked(key, make(view.run, view.comparison).ids), lower=True)


def _table(table: Table, *, key: str, on_select: Callable[[], None], alt: str) -> None:
    st.dataframe(
        _frame(table),
        key=key,
        hide_index=True,
        selection_mode="single-row",
        on_select=on_select,
        column_config=_COLUMNS,
        alt=alt,
        row_height=32,
        height=min(len(table.rows) * 32 + 38, 360),
        placeholder="--",
    )


def _frame(table: Table) -> pd.DataFrame:
    return pd.DataFrame(list(table.rows))
