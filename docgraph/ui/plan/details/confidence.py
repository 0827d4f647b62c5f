"""The confidence that a plan's passages hold an answer, against the threshold, as a link to the conversation."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.packet import ACTIONS, ConfidenceSummary, PacketRequest
from docgraph.domain.run import Run
from docgraph.ui.frame import navigation, resources
from docgraph.views.words.glossary import definition

THRESHOLD: float = PacketRequest.model_fields["threshold"].default


def confidence_chip(run: Run, workspace: str) -> None:
    """``Likely answered (0.71)``; nothing for a run whose scores say nothing here, or that has no passage."""
    summary = _confidence(run, workspace)
    if summary is None or not summary.candidate_count:
        return
    answered = "Likely answered" if summary.threshold_met else "Possibly not answered"
    about = f"{definition('confidence')} Threshold {THRESHOLD:.2f}; next action: {ACTIONS[summary.branch]}."
    if summary.passage_confidence is not None:
        about += f" That the answering passage is read: {summary.passage_confidence:.2f}."
    label = f"{answered} ({summary.top_confidence:.2f})"
    navigation.link("conversation", label, query={"ask": run.request.query}, help=f"{about} Ask in a conversation")


def _confidence(run: Run, workspace: str) -> ConfidenceSummary | None:
    """Kept for a while: a click asks no database, and a new calibration is seen soon."""
    return _kept(workspace, run.plan.plan_id, run.plan.corpus_revision, run)


@st.cache_resource(max_entries=64, ttl="5m", show_spinner=False)
def _kept(workspace: str, plan_id: str, revision: str, _run: Run) -> ConfidenceSummary | None:
    del plan_id, revision  # parts of the key only
    return resources.docgraph(workspace).calibration.confidence(_run)
