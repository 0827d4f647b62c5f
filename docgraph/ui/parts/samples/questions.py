"""The sample questions saved with one click, where a page needs saved questions and the sample corpus has none."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.request import RetrievalRequest
from docgraph.errors import EnvironmentProblem
from docgraph.orchestration.questions import QuestionFile, QuestionsSaved, save_questions
from docgraph.ports import Progress
from docgraph.ui.frame import layout, resources
from docgraph.ui.frame.state import session
from docgraph.ui.parts.background.follow import follow, progress_row
from docgraph.ui.parts.background.jobs import Jobs, of_process
from docgraph.ui.parts.background.work import Background
from docgraph.ui.parts.samples.corpus import samples
from docgraph.views.words.questions import ended_words

BY = "sample"
LABEL = "Save the sample questions"
POLL_SECONDS = 0.4
MAX_KEPT = 64
"""Workspaces whose last saving is remembered."""

Saving = Background[QuestionsSaved]


def _jobs() -> Jobs[Saving]:
    """The saving begun last, by workspace."""
    return of_process("sample questions", limit=MAX_KEPT)


def saving_samples(workspace: str) -> bool:
    """Whether the sample questions of this workspace are being saved now."""
    job = _jobs().get(workspace)
    return job is not None and job.running


def unfinished(workspace: str) -> bool:
    """Whether they are being saved now, or the saving ended before its end."""
    job = _jobs().get(workspace)
    return job is not None and (job.running or job.error is not None or (job.result is not None and job.result.stopped))


def sample_questions(workspace: str, *, key: str) -> bool:
    """Draw the button, how far the saving is, or what it met; False, with nothing drawn, where there are none to ask.

    ``key`` is unique on the page.
    """
    job = _jobs().get(workspace)
    if job is not None and job.running:
        follow(job, lambda: _progress(job, key), every=POLL_SECONDS)
        return True
    if job is not None and job.error is not None:
        layout.error(job.error)
    if not can_be_asked(workspace):
        return False
    st.button(LABEL, key=f"{key}.save", type="primary", on_click=_begin, args=(workspace,))
    return True


def sample_questions_unfinished(workspace: str, *, key: str) -> None:
    """While they are saved: how far it is; after a stop or a failure: what is there, and the way to go on."""
    job = _jobs().get(workspace)
    if job is None or not unfinished(workspace):
        return
    with st.container(key=f"{key}-unfinished", horizontal=True, vertical_alignment="center", gap="small"):
        if not job.running and job.result is not None:
            st.html(f'<p class="dg-note" role="status">{ended_words(job.result)}</p>')
        sample_questions(workspace, key=key)
        if not job.running:
            st.button("Close", key=f"{key}.close", type="tertiary", on_click=_forget, args=(workspace,))


def can_be_asked(workspace: str) -> bool:
    """Whether this is the sample corpus with its questions, made with the present embedder, and may be written to."""
    if not samples(workspace):
        return False
    try:
        docgraph = resources.docgraph(workspace)
        there = docgraph.workspace
        return (
            there.n_documents > 0
            and there.embedder.embedder_id == docgraph.embedder.embedder_id
            and docgraph.may_write()
        )
    except EnvironmentProblem:
        return False


def _begin(workspace: str) -> None:
    if not saving_samples(workspace):
        asked = samples(workspace)
        questions = QuestionFile(
            tuple(RetrievalRequest(query=sample.query) for sample in asked),
            relevant={sample.query: sample.relevant for sample in asked},
        )
        docgraph, notices = resources.docgraph(workspace), session().notices

        def work(progress: Progress) -> QuestionsSaved:
            saved = save_questions(docgraph, questions, by=BY, progress=progress)
            if not saved.stopped:  # else what is there is said beside the way to go on
                notices.append(f"{ended_words(saved)}.")
            return saved

        what = "the sample questions could not all be saved"
        total = len(questions.requests)
        _jobs().of(workspace, lambda: Background(work, what=what, total=total), anew=lambda last: not last.running)


def _forget(workspace: str) -> None:
    if not saving_samples(workspace):
        _jobs().forget(workspace)


def _progress(job: Saving, key: str) -> None:
    words = f"Saving the sample questions: {job.how_far.counted}"
    progress_row(job, words, place=f"{key}-saving", key=f"{key}.stop")
