"""What the Edges and limits tab reads from the address, and how many rows one session has unfolded."""

from __future__ import annotations

from functools import partial

import streamlit as st

from docgraph.ui.query_sets.tabs import row_keys
from docgraph.views.query_sets.edges import CLASSES, GROUPS, ORDERS

EDGE, CLASS, GROUP, ORDER = "edge", "class", "group", "order"
INPUTS = (EDGE, CLASS, GROUP, ORDER)
"""Names in the address: the row that is chosen, its class, what a row is, how rows are ordered."""

put, take = partial(row_keys.put, row=EDGE), partial(row_keys.take, row=EDGE)
"""Write into the address; any other input closes the open row (in callbacks)."""


def asked_class() -> str:
    """The class that the address names; empty for all."""
    asked = str(st.query_params.get(CLASS, ""))
    return asked if asked in CLASSES else ""


def asked_group() -> str:
    """What a row is."""
    asked = str(st.query_params.get(GROUP, ""))
    return asked if asked in GROUPS else "edges"


def asked_order() -> str:
    """How rows are ordered."""
    asked = str(st.query_params.get(ORDER, ""))
    return asked if asked in ORDERS else "class"


def asked_edge() -> str:
    """The row that the address names; empty for none."""
    return str(st.query_params.get(EDGE, ""))
