"""What the presenter shows: one comparison and all that is drawn from it, made once: a key press reads nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import streamlit as st

from docgraph.domain.comparison import Comparison
from docgraph.domain.graph import Relationship
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.run import Run
from docgraph.domain.workspace import Workspace
from docgraph.errors import DocgraphError
from docgraph.ui.frame import resources
from docgraph.ui.frame.state import session
from docgraph.ui.parts.comparison import beside, compare, saved_run
from docgraph.ui.parts.documents import provenance
from docgraph.ui.parts.samples.corpus import Sample, a_few, samples
from docgraph.views.compare.remedies import bring_back
from docgraph.views.lanes.layout import Edge
from docgraph.views.presenter.picture import Picture, picture
from docgraph.views.presenter.story import superseded
from docgraph.views.words import address
from docgraph.views.words.outcome import Outcome, outcome

BASELINE = "ms3"
NO_RELATION = "nothing_to_expand"
"""The effect of sample questions that relationships should not change."""

MAX_CARDS = 6

Inputs = list[tuple[str, str]]
"""What an address says, name by name; a name may come more than once."""


@dataclass(frozen=True)
class WayBack:
    """The what-if that brings a lost document back: its label, its question, what is read then."""

    label: str
    inputs: Inputs
    then: str


@dataclass(frozen=True)
class Story:
    """One question told in three steps; ``inputs`` reproduce it, ``run_id`` is set for a frozen run.

    ``superseded``: documents on stage that something newer replaced → by what (empty: the data does not say).
    """

    comparison: Comparison
    picture: Picture
    provenance: Mapping[Edge, Relationship]
    superseded: Mapping[str, str]
    way_back: WayBack | None
    inputs: Inputs
    workspace: str
    run_id: str = ""

    @property
    def run(self) -> Run:
        """The run with relationships."""
        return self.comparison.b.run


@dataclass
class Memory:
    """What the presenter remembers: the chosen related document, the opened cost, what was on the stage last."""

    plan_id: str = ""
    chosen: int = 0
    opened: int | None = None
    shown_step: int = 0


def memory() -> Memory:
    """The presenter's memory in this session."""
    kept: Memory = session().page.setdefault("presenter", Memory())
    return kept


def request_in_address() -> RetrievalRequest | None:
    """The question in the address, with relationships on; None without one. Raises RequestError."""
    inputs = {name: st.query_params.get_all(name) for name in st.query_params}
    request = address.request_of(inputs)
    return request.model_copy(update={"use_relationships": True}) if request else None


def story_of(request: RetrievalRequest, workspace: Workspace) -> Story:
    """The story of a question on the data as it is now. Raises DocgraphError."""
    run = resources.run(request, workspace.name)
    inputs = [(name, value) for name, values in address.inputs_of(request).items() for value in values]
    comparison = compare(run, BASELINE, workspace.name)
    return _told(comparison, workspace, [*inputs, (address.WORKSPACE, workspace.name)])


def story_of_saved(run_id: str, workspace: Workspace) -> Story:
    """The story of a saved run, as it was; its workspace may be gone. Raises NotFoundError."""
    saved = saved_run(run_id)
    comparison = compare(saved, BASELINE, workspace.name, anyway=True)
    there = next((w for w in resources.workspaces() if w.name == saved.workspace), None)
    return _told(comparison, there, [(address.RUN, saved.run_id)], run_id=saved.run_id)


def _told(comparison: Comparison, workspace: Workspace | None, inputs: Inputs, *, run_id: str = "") -> Story:
    plan, kept = comparison.b.run.plan, memory()
    edges = [(r.from_document_id, r.via, d.document_id) for d in plan.expanded_documents for r in d.reasons]
    if kept.plan_id != plan.plan_id:
        kept.plan_id, kept.chosen, kept.opened, kept.shown_step = plan.plan_id, 0, None, 0
    on_stage = tuple(d.document_id for d in comparison.documents if d.change != "kept" or d.role_b == "expanded")
    return Story(
        comparison=comparison,
        picture=picture(comparison),
        provenance=provenance(workspace, edges) if workspace and edges else {},
        superseded=_superseded(workspace.name, workspace.state, on_stage) if workspace else {},
        way_back=None if run_id or workspace is None else _way_back(comparison, workspace),
        inputs=inputs,
        workspace=plan.workspace,
        run_id=run_id,
    )


def _way_back(comparison: Comparison, workspace: Workspace) -> WayBack | None:
    """The first what-if that keeps the lost document; ``None`` when none is lost, or it cannot be said now."""
    for label, request in bring_back(comparison)[:1]:
        try:
            then = beside(comparison.b.run, resources.run(request, workspace.name))
        except DocgraphError:
            return None
        inputs = [(name, value) for name, values in address.inputs_of(request).items() for value in values]
        n = sum(d.in_b for d in then.relevant)
        return WayBack(
            label,
            [*inputs, (address.WORKSPACE, workspace.name), (address.STEP, "3")],
            f"{label} brings it back: {n:,} of {len(then.relevant):,}",
        )
    return None


@st.cache_resource(max_entries=128, ttl="6h", show_spinner=False)
def _superseded(name: str, revision: str, document_ids: tuple[str, ...]) -> Mapping[str, str]:
    """document_id → title of what superseded it (empty when no relationship says), for those that are superseded."""
    del revision  # part of the key only
    docgraph = resources.docgraph(name)
    found = docgraph.documents.by_id(document_ids) if document_ids else {}
    old = [i for i, document in found.items() if superseded(document.metadata)]
    newer = {i: _newer(i, docgraph.relationships.list(document_id=i)) for i in old}
    titles = docgraph.documents.by_id([i for i in newer.values() if i]) if any(newer.values()) else {}
    return {i: titles[by].title or by if by in titles else "" for i, by in newer.items()}


def _newer(document_id: str, edges: Iterable[Relationship]) -> str:
    """The document that supersedes this one, as its relationships say; empty when none does."""
    for edge in edges:
        if edge.relation_type == "superseded_by" and edge.from_document_id == document_id:
            return edge.to_document_id
        if edge.relation_type == "supersedes" and edge.to_document_id == document_id:
            return edge.from_document_id
    return ""


# ---------------------------------------------------------------- the start screen


def cards(workspace: Workspace) -> Mapping[Sample, Outcome]:
    """At most six sample questions with what relationships do to each; made of cached runs after the first time.

    A question that is there to show "no relationship, no change" is exchanged for one of its kind that really shows it.
    """
    everything, shown = samples(workspace.name), {}
    for sample in a_few(everything)[:MAX_CARDS]:
        alike = [each for each in everything if each.effect == NO_RELATION] if sample.effect == NO_RELATION else []
        identical = (each for each in (sample, *alike) if alike and _compared(each, workspace).identical)
        chosen = next(identical, sample)
        shown[chosen] = outcome(_compared(chosen, workspace), chosen.effect)
    return shown


def _compared(sample: Sample, workspace: Workspace) -> Comparison:
    return compare(resources.run(RetrievalRequest(query=sample.query), workspace.name), BASELINE, workspace.name)
