"""Comparisons as the pages draw them: runs come out of the shared cache, so a click compares without asking twice."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.baselines import BASELINES, MS3, MS5_LABEL, PLAIN, baseline_request, label_of
from docgraph.domain.comparison import Comparison, Side
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.run import Run
from docgraph.domain.saved_run import SavedRun
from docgraph.ui.frame import resources
from docgraph.ui.parts.judgments.state import judgments_stamp
from docgraph.views.relationships.edges.edit_link import unpacked_edits
from docgraph.views.words.address import INPUTS_MARK, request_at

MS5 = "ms5"
STAGES: dict[str, str] = {PLAIN: BASELINES[PLAIN][0], MS3: BASELINES[MS3][0], MS5: MS5_LABEL}
"""The three stages that a question can be run at, by name: (name → label)."""

BASE_LABEL = "Base"
"""What a baseline that is given by its inputs is called."""


def compare(
    question: Run | SavedRun, baseline: str, workspace: str, *, stage: str = "", anyway: bool = False
) -> Comparison:
    """What changed from the baseline (A) to a run of ``workspace`` or a saved run (B); see ``Docgraph.compare``.

    ``stage`` (a key of ``STAGES``) takes B at another stage than its own. Raises ComparisonError (another corpus or
    embedder, unless ``anyway``), NotFoundError (no such saved run).
    """
    b = stage_side(question, stage, workspace)
    a = baseline_side(question, baseline, workspace)
    is_saved = baseline not in BASELINES and not baseline.startswith(INPUTS_MARK)
    live = not isinstance(question, SavedRun) and is_saved
    gone = _gone(baseline, b.run.plan.corpus_revision) if live else ()
    return resources.docgraph(workspace).runs.compare(a, b, anyway=anyway, gone=gone)


def beside(a: Run, b: Run) -> Comparison:
    """What changed between two runs of one workspace that are there already. Raises ComparisonError."""
    return resources.docgraph(b.plan.workspace).runs.compare(Side.of(a), Side.of(b))


def with_edits(request: RetrievalRequest, edits: str, workspace: str) -> Comparison:
    """Today beside the data with packed edits (``views.edit_link``).

    The same frozen object while the data, and what is judged of the question, stay.

    Raises RequestError for a text that holds no edits, and what ``Relationships.compare_edits`` raises.
    """
    unpacked_edits(edits)  # a bad text is refused before anything is kept under it
    revision = resources.docgraph(workspace).workspace.state
    there = f"{revision} {judgments_stamp(workspace, request.query)}"
    return _with_edits(workspace, there, request.model_dump_json(), edits)


@st.cache_resource(max_entries=32, ttl="6h", show_spinner=False)
def _with_edits(workspace: str, revision: str, request_json: str, edits: str) -> Comparison:
    del revision  # part of the key only
    request = RetrievalRequest.model_validate_json(request_json)
    return resources.docgraph(workspace).relationships.compare_edits(request, unpacked_edits(edits))


@st.cache_resource(max_entries=128, ttl="6h", show_spinner=False)
def _gone(run_id: str, revision: str) -> tuple[str, ...]:
    """Documents of a saved run that are not stored any more, asked once for each revision of the data."""
    del revision  # part of the key only
    saved = saved_run(run_id)
    edits = resources.docgraph(saved.workspace).runs.changes_since(saved).documents
    return tuple(edit.document_id for edit in edits if edit.change == "removed")


def stage_of(request: RetrievalRequest) -> str:
    """The stage that a request is at: a key of ``STAGES``."""
    label = label_of(request)
    return next((name for name, other in STAGES.items() if other == label), MS5)


def at_stage(request: RetrievalRequest, stage: str) -> RetrievalRequest:
    """The request at a stage, with nothing else changed."""
    if stage != MS5:
        return baseline_request(request, stage)
    return request.model_copy(update={"use_relationships": True})


def stage_side(question: Run | SavedRun, stage: str, workspace: str) -> Side:
    """The question at a stage: itself when it is there already (or no stage is named), else as a baseline would be."""
    run = question.run if isinstance(question, SavedRun) else question
    if not stage or stage == stage_of(run.request):
        return Side.of(question)
    if stage != MS5:
        return baseline_side(question, stage, workspace)
    there = run.plan.workspace if isinstance(question, SavedRun) else workspace
    return Side(name="run", label=STAGES[MS5], run=resources.run(at_stage(run.request, MS5), there))


def baseline_side(question: Run | SavedRun, name: str, workspace: str) -> Side:
    """A baseline by name; for a saved run the one that was saved with it.

    A name that begins with ``?`` holds other inputs for the same question (``views.address.text_of``): so a draft is
    compared with what it departs from, and nothing has to be saved for it.
    """
    if name.startswith(INPUTS_MARK):
        run = question.run if isinstance(question, SavedRun) else question
        there = run.plan.workspace if isinstance(question, SavedRun) else workspace
        return Side(name=name, label=BASE_LABEL, run=resources.run(request_at(name, run.request.query), there))
    if name not in BASELINES:
        return Side.of(saved_run(name))
    if isinstance(question, SavedRun) and name in question.baselines:
        return Side(name=name, label=BASELINES[name][0], run=question.baselines[name])
    run = question.run if isinstance(question, SavedRun) else question
    there = run.plan.workspace if isinstance(question, SavedRun) else workspace
    return Side(name=name, label=BASELINES[name][0], run=resources.run(baseline_request(run.request, name), there))


def saved_run(run_id: str) -> SavedRun:
    """A saved run by its short id. Raises NotFoundError, UserError."""
    return resources.docgraph().runs.get(run_id)
