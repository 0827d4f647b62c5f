"""Sample questions as cards with what relationships change in each, counted in the background."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from docgraph.domain.baselines import MS3
from docgraph.domain.request import RetrievalRequest
from docgraph.errors import DocgraphError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.ports import Progress
from docgraph.ui.frame import assets, escape, layout, navigation, resources
from docgraph.ui.parts.background import Background, Jobs, follow, of_process
from docgraph.ui.parts.judgments.state import judgments_stamp
from docgraph.ui.parts.samples.corpus import Sample, a_few, samples
from docgraph.views.words.address import QUERY
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


def card_style() -> None:
    """Put the style sheet of the cards on the page."""
    assets.style(__file__, "style.css")


def sample_cards(workspace: str, title: str, *, to: str) -> bool:
    """Draw a few samples under a title, for a page with nothing to show; False, with nothing drawn, without samples."""
    few = a_few(samples(workspace))
    if not few or navigation.page(to) is None:
        return False
    card_style()
    st.html(f'<h2 class="dg-h3">{escape.html(title)}</h2>')
    cards(few, workspace, to=to)
    return True


def cards(shown: Sequence[Sample], workspace: str, *, to: str) -> None:
    """Draw samples as cards that say what relationships change in each, as soon as it is counted."""
    counted = outcomes(shown, workspace)
    with st.container(key="dg-samples"):
        for sample in shown:
            sample_card(sample, to=to, outcome=counted.get(sample.id))


def sample_card(sample: Sample, *, to: str, outcome: Outcome | None = None) -> None:
    """Draw it; ``to`` = name of the page that is asked the question; without ``outcome`` it names the effect alone."""
    said = outcome or Outcome(sample.title, "")
    glyph, tone = sample.sign
    with st.container(key=f"dg-sample-{sample.id}"):
        st.html(
            f'<div class="dg-sample"><span class="dg-tile dg-tone-{tone}">{layout.glyph(glyph)}</span>'
            f"<div><p>{escape.html(sample.query)}</p>"
            f"<small><b>{escape.html(said.value)}</b>{escape.html(said.rest)}</small>"
            f"</div>{layout.glyph('chevron')}</div>"
        )
        navigation.link(to, escape.label(sample.query), query={QUERY: sample.query}, help=escape.label(sample.note))
