"""What relationships change in the sample questions: counted in the background, never waited for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from docgraph.domain.baselines import MS3
from docgraph.domain.request import RetrievalRequest
from docgraph.errors import DocgraphError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.ports import Progress
from docgraph.ui.frame import resources
from docgraph.ui.parts.background.follow import follow
from docgraph.ui.parts.background.jobs import Jobs, of_process
from docgraph.ui.parts.background.work import Background
from docgraph.ui.parts.judgments.state import judgments_stamp
from docgraph.ui.parts.samples.corpus import Sample
from docgraph.views.words.outcome import Outcome, outcome

POLL_SECONDS = 0.5
MAX_KEPT = 8
"""Countings that are kept: each is of one state of a workspace and some of its questions."""

Counting = Background[Mapping[str, Outcome]]


def outcomes(shown: Sequence[Sample], workspace: str) -> Mapping[str, Outcome]:
    """Sample id → what relationships change in it, on the data and judgments as they are now.

    Empty while they are counted (the page is drawn anew with them) and where they cannot be.
    """
    try:
        job = counting(shown, workspace)
    except DocgraphError:
        return {}
    if job.running:
        follow(job, lambda: None, every=POLL_SECONDS)
        return {}
    return job.result or {}


def counting(shown: Sequence[Sample], workspace: str) -> Counting:
    """The counting of these questions as things are now, shared by all sessions; begun now when there is none.

    Raises StoreError, EnvironmentProblem.
    """
    docgraph, asked = resources.docgraph(workspace), tuple(shown)
    there = f"{workspace} {docgraph.workspace.state} {judgments_stamp(workspace)}"
    name = f"{there} {' '.join(sample.id for sample in asked)}"
    return _jobs().of(name, lambda: _count(asked, docgraph))


def _count(asked: Sequence[Sample], docgraph: Docgraph) -> Counting:
    def work(progress: Progress) -> Mapping[str, Outcome]:
        found = {}
        for done, sample in enumerate(asked):
            if progress.cancelled():
                break
            progress.update(done, len(asked), sample.query)
            found[sample.id] = outcome(docgraph.compare(RetrievalRequest(query=sample.query), MS3), sample.effect)
        return found

    return Background(work, what="the effect on the samples could not be counted", total=len(asked))


def _jobs() -> Jobs[Counting]:
    return of_process("sample outcomes", limit=MAX_KEPT)
