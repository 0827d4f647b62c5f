"""Exports of a saved run: the run itself as JSON, and the reports of what the relationships changed in it."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.saved_run import SavedRun


def export(saved: SavedRun) -> None:
    """A button that opens the downloads; each file is made when it is asked for."""
    with st.popover("Export", key="docgraph.runs.export"):
        st.download_button(
            "Saved run, JSON", lambda: saved.model_dump_json(indent=2).encode(), file_name=f"run-{saved.run_id}.json",
            mime="application/json", key="docgraph.runs.export.run", on_click="ignore",
        )  # fmt: skip
