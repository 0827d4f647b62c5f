"""One-click what-ifs of the Plan page: they change the inputs of the request, never the data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from docgraph.domain.run import Run
from docgraph.ui import plan_controls
from docgraph.ui.plan_controls import TypeChoice
from docgraph.views.cuts import expanded_blocks
from docgraph.views.remedies import changed


def use_remedy(run: Run, remedy: Mapping[str, Any], choice: TypeChoice) -> None:
    """Set the inputs to the run's request with the remedy's fields (call it in a callback)."""
    new = changed(run.request, remedy)
    if new is not None:
        plan_controls.apply(new, choice)
    st.rerun()


def use_fix(run: Run, block: str, choice: TypeChoice) -> None:
    """Apply the one-click fix of a cut list in the graph."""
    fix = next((b.fix for b in expanded_blocks(run.plan, max_rows=1) if b.key == block), None)
    if fix is not None:
        use_remedy(run, fix, choice)
