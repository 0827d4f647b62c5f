"""The sample's questions where a workspace has them not yet: one button that adds them."""

from __future__ import annotations

import streamlit as st

from docgraph.errors import DocgraphError, EnvironmentProblem
from docgraph.orchestration.evaluating.sample import SAMPLE_SET, add_sample_questions
from docgraph.ui.frame import resources
from docgraph.ui.frame.state import session
from docgraph.ui.parts.samples.corpus import samples

LABEL = "Add the sample questions"


def sample_questions(workspace: str, *, key: str) -> bool:
    """Draw the button; False, with nothing drawn, where there are none to add. ``key`` is unique on the page."""
    if not can_be_added(workspace):
        return False
    st.button(LABEL, key=f"{key}.add", type="primary", on_click=_add, args=(workspace,))
    return True


def can_be_added(workspace: str) -> bool:
    """Whether this is the sample corpus without its questions, and this reader may keep some."""
    if not samples(workspace) or not resources.may("keep_set"):
        return False
    try:
        docgraph = resources.docgraph(workspace)
        if not docgraph.workspace.n_documents or not docgraph.may_write():
            return False
        return all(each.name != SAMPLE_SET for each in docgraph.query_sets.list())
    except EnvironmentProblem:
        return False


def _add(workspace: str) -> None:
    try:
        if add_sample_questions(resources.docgraph(workspace).session):
            session().notices.append(f"The {len(samples(workspace)):,} sample questions were added, with judgments.")
    except DocgraphError as problem:
        session().problems.append(problem)
