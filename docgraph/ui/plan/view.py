"""What the Plan page draws: a run, its origin, and the draft over it; every change of the request goes through it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from docgraph.domain.comparison import Comparison
from docgraph.domain.judgment import PassageJudgment
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.run import Run
from docgraph.domain.saved_run import SavedRun
from docgraph.domain.workspace import Workspace
from docgraph.ui.plan.inputs import TypeChoice, apply
from docgraph.ui.plan.state import CHANGES_SHOWN, EXPLORER, LOWER, ONLY_SELECTED, plan_state, select
from docgraph.views.lanes.layout import Dash, dashes
from docgraph.views.plan.cuts import expanded_blocks
from docgraph.views.plan.draft.changes import DraftPart
from docgraph.views.plan.draft.steps import add_seed, as_step, with_types_named
from docgraph.views.plan.evidence import answering_chunks
from docgraph.views.words.address import BASE, TAB, inputs_of


@dataclass(frozen=True)
class Draft:
    """A draft over a base. ``comparison`` has the base as A and the draft as B; None: ``problem`` says why not.

    ``base_name`` is what an address calls the base: a saved run's id, or its inputs.
    """

    base: Run
    base_name: str
    parts: tuple[DraftPart, ...]
    comparison: Comparison | None
    saved: SavedRun | None = None
    problem: str = ""


@dataclass(frozen=True)
class PlanView:
    """One picture of the page. ``frozen`` = a saved run drawn as it was kept; then there is no draft.

    ``live`` tells whether the workspace of the run is still there, so that questions can be asked about it. ``whole``
    gives the run with its contract, where the one that is drawn does not have it yet. ``marked`` = what people said of
    passages for this question.
    """

    run: Run
    workspace: Workspace
    choice: TypeChoice
    draft: Draft | None = None
    frozen: SavedRun | None = None
    live: bool = True
    whole: Callable[[], Run] | None = None
    marked: tuple[PassageJudgment, ...] = ()

    def proven(self) -> Run:
        """The run with its contract, and the steps that checked it. Raises what reading raises."""
        return self.whole() if self.whole else self.run

    @property
    def comparison(self) -> Comparison | None:
        """The draft beside its base, where there is one."""
        return self.draft.comparison if self.draft else None

    @property
    def answers(self) -> frozenset[str]:
        """The chunks of the run that people say answer."""
        return answering_chunks(self.run, self.marked)

    @property
    def styles(self) -> dict[str, Dash]:
        """The lines of the workspace's relation types: the same in the pills, the graph and the panel."""
        return dashes({via: 0 for _, via, _ in self.run.plan.edges} | dict(self.choice.counts))


def use_request(view: PlanView, request: RetrievalRequest | None) -> None:
    """Make a request the page's inputs (in a callback); from a frozen run it becomes a draft over that run."""
    if request is not None:
        if view.frozen is None:
            apply(request, view.choice)
        else:
            leave_frozen(view.frozen, request, view.choice)
    st.rerun()


def leave_frozen(saved: SavedRun, request: RetrievalRequest, choice: TypeChoice) -> None:
    """Go to the live page with these inputs, as a draft over the saved run."""
    inputs = inputs_of(with_types_named(request, choice.default))
    plan_state().leave_for = {**inputs, BASE: [saved.run_id]}


def choose(view: PlanView, wanted: str | None, *, lower: bool = False) -> None:
    """Select a document or an edge (in a callback); the lower half is drawn anew where it shows the selection.

    ``lower`` = the choice was made there, so the picture has to follow.
    """
    select(view.run, wanted, view.comparison)
    shown = (st.session_state.get(ONLY_SELECTED), st.session_state.get(CHANGES_SHOWN), st.session_state.get(TAB))
    if lower or "Selected" in shown or "Table" in shown:
        st.rerun([EXPLORER, LOWER])


def use_remedy(view: PlanView, remedy: Mapping[str, Any]) -> None:
    """Set the inputs to the run's request with the remedy's fields (call it in a callback)."""
    use_request(view, as_step(view.run.request, remedy))


def use_fix(view: PlanView, block: str) -> None:
    """Apply the one-click fix of a cut list in the graph."""
    fix = next((b.fix for b in expanded_blocks(view.run.plan, max_rows=1) if b.key == block), None)
    if fix is not None:
        use_remedy(view, fix)


def promote(view: PlanView, document_id: str) -> None:
    """Make a document a seed; one that is a seed already stays what it is."""
    if document_id not in view.run.plan.seed_document_ids:
        use_request(view, add_seed(view.run.request, document_id))
