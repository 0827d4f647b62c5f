"""Whose vectors a workspace has, and embedding it anew by others: begun, followed, paused, gone on with, its gain."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.embedding import EmbeddingReport, EmbeddingState
from docgraph.domain.workspace import Workspace
from docgraph.orchestration.importing.embedding import Embedding, EmbeddingOffer
from docgraph.ports import Progress
from docgraph.ui.frame import escape, layout, resources
from docgraph.ui.frame.state import guarded_click, session
from docgraph.ui.parts.background import Background, Jobs, follow, of_process, stop_button
from docgraph.views.words.embedding import gain_sentences, pace, state_sentence

KEY = "docgraph.library.embedding"
POLL_SECONDS = 0.5
PAUSE, PAUSING = "Pause", "Pausing"
HELP = (
    "Every text is embedded again in the background. The current vectors are used until the last new one is "
    "stored, then all switch at once. Documents, relationships and decisions stay."
)


class EmbeddingJob(Background[EmbeddingReport]):
    """One that knows where it began: what an earlier one did says nothing of its pace."""

    _first: tuple[int, float] | None = None

    def update(self, done: int, total: int, message: str) -> None:
        """See ``Background.update``."""
        if self._first is None or done < self.how_far.done:
            self._first = (done, self.seconds)
        super().update(done, total, message)

    @property
    def words(self) -> str:
        """``1,200 of 6,000 texts, 37/s, 2 min left``."""
        far = self.how_far
        if not far.total:
            return "Starting"
        done, seconds = self._first or (0, 0.0)
        what = far.message if far.message.startswith("generated questions") else "texts embedded"
        parts = (f"{far.counted} {what}", pace(far.done - done, far.seconds - seconds, far.total - far.done))
        return ", ".join(part for part in parts if part)


def embedding(workspace: Workspace) -> None:
    """The embedder, what runs or is unfinished, what the last one brought, and what could be begun."""
    with layout.guarded(key=f"{KEY}.retry"):
        _drawn(workspace)


def _drawn(workspace: Workspace) -> None:
    layout.section("Vectors", workspace.embedder.embedder_id)
    job = _jobs().get(workspace.name)
    if job is not None and job.running:
        follow(job, lambda: _running(job), every=POLL_SECONDS)
        return
    if job is not None and job.error is not None:
        layout.error(job.error)
    of = resources.docgraph(workspace.name).embedding
    state = of.state()
    if state is not None:
        _told(state)
    if not resources.may("switch_vectors"):
        return
    with st.container(horizontal=True, gap="small"):
        if state is not None and not state.finished:
            _unfinished(workspace, of, state)
        else:
            for number, offer in enumerate(of.offers()):
                _begin_button(
                    workspace, offer, f"begin.{number}", "Improve with" if offer.choice else "Embed again with"
                )


def _jobs() -> Jobs[EmbeddingJob]:
    return of_process("embedding", limit=8)


def _running(job: EmbeddingJob) -> None:
    with st.container(key="dg-embedding-running", horizontal=True, vertical_alignment="center", gap="small"):
        st.progress(job.how_far.share, text=escape.label(job.words))
        stop_button(job, key=f"{KEY}.pause", label=PAUSE, stopping=PAUSING, help="Finished work is saved")


def _told(state: EmbeddingState) -> None:
    """How far it is, or what it brought."""
    gain = " ".join(gain_sentences(state.gain)) if state.gain is not None else ""
    if state.finished:
        layout.card("note", state_sentence(state), gain)
    else:
        layout.card("note", "Not finished", f"{state_sentence(state)} Last worked on by {state.by or 'somebody'}.")


def _unfinished(workspace: Workspace, of: Embedding, state: EmbeddingState) -> None:
    offer = of.offer_of(state)
    if offer is not None:
        _begin_button(workspace, offer, "continue", "Continue with")
    if not state.switched:
        st.button("Discard the new vectors", key=f"{KEY}.abandon", on_click=_abandon, args=(workspace.name,))


def _begin_button(workspace: Workspace, offer: EmbeddingOffer, key: str, verb: str) -> None:
    label = f"{verb} {escape.label(offer.name)}"
    st.button(label, key=f"{KEY}.{key}", on_click=_begin, args=(workspace.name, offer), help=HELP)


def _begin(workspace: str, offer: EmbeddingOffer) -> None:
    docgraph = resources.docgraph(workspace)

    def work(progress: Progress) -> EmbeddingReport:
        return docgraph.embedding.embed_with(offer, progress=progress)

    what = "the workspace could not be embedded again"
    _jobs().of(workspace, lambda: EmbeddingJob(work, what=what), anew=lambda last: not last.running)


def _abandon(workspace: str) -> None:
    if not guarded_click(resources.docgraph(workspace).embedding.abandon):
        return
    _jobs().forget(workspace)
    session().notices.append("The new vectors are discarded. Nothing else changed.")
