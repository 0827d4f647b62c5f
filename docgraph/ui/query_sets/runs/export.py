"""Exports of a saved run: the run itself as JSON, and the reports of what the relationships changed in it."""

from __future__ import annotations

from functools import partial

import streamlit as st

from docgraph.domain.baselines import MS3
from docgraph.domain.comparison import Comparison
from docgraph.domain.saved_run import RunSummary, SavedRun
from docgraph.errors import DocgraphError
from docgraph.orchestration.session import utc_now
from docgraph.ui.frame import layout
from docgraph.ui.parts.comparison import compare
from docgraph.views.report.file import MEDIA_TYPES, REPORT_KINDS, ReportKind, file_name, report

_LABELS: dict[ReportKind, str] = {"html": "HTML page", "json": "JSON", "csv": "CSV", "markdown": "Markdown"}


def export(saved: SavedRun, row: RunSummary | None) -> None:
    """A button that opens the downloads; comparison and files are made when they are asked for."""
    opened = st.popover("Export", key="docgraph.runs.export", on_change="rerun")
    if opened.open:
        with opened:
            downloads(saved, row)


def downloads(saved: SavedRun, row: RunSummary | None) -> None:
    """The saved run, and one report of each kind; a comparison that cannot be made says why."""
    st.html('<h3 class="dg-h3">Saved answer</h3>')
    st.download_button(
        "Saved answer, JSON",
        partial(_as_json, saved),
        file_name=f"run-{saved.run_id}.json",
        mime="application/json",
        key="docgraph.runs.export.run",
        on_click="ignore",
    )
    st.html('<h3 class="dg-h3">Report: without and with relationships</h3>')
    try:
        comparison = compare(saved, MS3, saved.workspace)
    except DocgraphError as problem:
        layout.error(problem)
        return
    with st.container(key="rn-reports", horizontal=True, gap="small"):
        for kind in REPORT_KINDS:
            _report(comparison, kind, row)


def _as_json(saved: SavedRun) -> bytes:
    return saved.model_dump_json(indent=2).encode()


def _report(comparison: Comparison, kind: ReportKind, row: RunSummary | None) -> None:
    st.download_button(
        _LABELS[kind],
        partial(report, comparison, kind, made_at=utc_now(), saved=row),
        file_name=file_name(comparison, kind),
        mime=MEDIA_TYPES[kind],
        key=f"docgraph.runs.export.{kind}",
        on_click="ignore",
    )
