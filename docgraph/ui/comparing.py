"""Comparisons as the pages draw them: runs come out of the shared cache, so a click compares without asking twice."""

from __future__ import annotations

from docgraph.domain.baselines import BASELINES, MS3, MS3_GROUPED, baseline_request, label_of
from docgraph.domain.comparison import Comparison, Side
from docgraph.domain.run import Run
from docgraph.domain.saved_run import SavedRun
from docgraph.ui import resources
from docgraph.views.address import INPUTS_MARK, request_at

BASE_LABEL = "Base"
"""What a baseline that is given by its inputs is called."""


def comparison(question: Run | SavedRun, baseline: str, workspace: str, *, anyway: bool = False) -> Comparison:
    """What changed from the baseline (A) to a run of ``workspace`` or a saved run (B); see ``Docgraph.compare``.

    Raises ComparisonError (another corpus or embedder, unless ``anyway``), NotFoundError (no such saved run).
    """
    run = question.run if isinstance(question, SavedRun) else question
    control = None
    if baseline == MS3 and run.request.use_relationships:
        control = baseline_side(question, MS3_GROUPED, workspace)
    a = baseline_side(question, baseline, workspace)
    return resources.docgraph(workspace).compare_sides(a, as_side(question), control=control, anyway=anyway)


def as_side(question: Run | SavedRun) -> Side:
    """A run as one side: under its stage's name, or that of the saved run."""
    if isinstance(question, SavedRun):
        return Side(name=question.run_id, label=question.name, run=question.run)
    return Side(name="run", label=label_of(question.request), run=question)


def baseline_side(question: Run | SavedRun, name: str, workspace: str) -> Side:
    """A baseline by name; for a saved run the one that was saved with it.

    A name that begins with ``?`` holds other inputs for the same question (``views.address.text_of``): so a draft is
    compared with what it departs from, and nothing has to be saved for it.
    """
    if name.startswith(INPUTS_MARK):
        run = question.run if isinstance(question, SavedRun) else question
        there = run.plan.workspace if isinstance(question, SavedRun) else workspace
        request = request_at(name, run.request.query)
        return Side(name=name, label=BASE_LABEL, run=resources.run(request, there))
    if name not in BASELINES:
        return as_side(saved_run(name))
    if isinstance(question, SavedRun) and name in question.baselines:
        return Side(name=name, label=BASELINES[name][0], run=question.baselines[name])
    run = question.run if isinstance(question, SavedRun) else question
    there = run.plan.workspace if isinstance(question, SavedRun) else workspace
    return Side(name=name, label=BASELINES[name][0], run=resources.run(baseline_request(run.request, name), there))


def saved_run(run_id: str) -> SavedRun:
    """A saved run by its short id. Raises NotFoundError, UserError."""
    return resources.docgraph().saved_run(run_id)
