"""What the Questions tab reads from the address, and what one session remembers of it."""

from __future__ import annotations

from functools import partial

import streamlit as st

from docgraph.domain.evaluation import Evaluation, KeptEvaluation
from docgraph.ui.frame import resources
from docgraph.ui.query_sets.tabs import row_keys

B, BY, HALF, CHANGE, QUESTION, GATE = "b", "by", "half", "change", "question", "gate"
INPUTS = (B, BY, HALF, CHANGE, QUESTION, GATE)
"""Names in the address: configuration B, measure, half, what became of a question, the open one, the gate."""

put, take = partial(row_keys.put, row=QUESTION), partial(row_keys.take, row=QUESTION)
"""Write into the address; any other input closes the open row (in callbacks)."""


def value_of(name: str) -> str:
    """What the address says under a name; empty for nothing."""
    return str(st.query_params.get(name, ""))


def result(workspace: str, kept: KeptEvaluation) -> Evaluation:
    """An evaluation with its outcomes; the same frozen object while no outcome is added."""
    resources.person()
    return _result(workspace, kept.evaluation_id, kept.n, kept.whole)


@st.cache_resource(max_entries=12, ttl="6h", show_spinner=False)
def _result(workspace: str, evaluation_id: str, n: int, whole: bool) -> Evaluation:
    del n, whole  # part of the key only: what is kept of an evaluation grows until it is whole
    return resources.docgraph(workspace).query_sets.result(evaluation_id)
