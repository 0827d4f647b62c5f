"""The saved version that an address names, or what became of it."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.saved_run import RunSummary, SavedRun
from docgraph.errors import DocgraphError, NotFoundError, UserError
from docgraph.ui.frame import layout, navigation, resources
from docgraph.ui.parts.runs.data import put_away
from docgraph.ui.query_sets.runs.actions import restore
from docgraph.ui.query_sets.runs.deleted import deleted_run


def saved_version(run_id: str) -> SavedRun | RunSummary | DocgraphError:
    """The run that an id, or its beginning, means; one that was put away as its row, else why there is none."""
    try:
        return resources.docgraph().runs.get(run_id)
    except NotFoundError as problem:
        return put_away(run_id) or problem
    except UserError as problem:
        return problem


def no_version(found: RunSummary | DocgraphError) -> None:
    """What the address shows that names no saved version."""
    if isinstance(found, RunSummary):
        deleted_run(found, restore)
        return
    layout.error(found)
    with st.container(key="rn-ways", horizontal=True):
        navigation.link("query_sets", "Show all questions")
