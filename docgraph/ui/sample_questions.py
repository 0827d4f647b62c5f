"""The sample questions saved with one click, where a page needs saved questions and the sample corpus has none."""

from __future__ import annotations

import logging
import threading

import streamlit as st

from docgraph.domain.request import RetrievalRequest
from docgraph.errors import DocgraphError, EnvironmentProblem
from docgraph.orchestrator import Docgraph
from docgraph.questions import QuestionFile, QuestionsSaved, save_questions
from docgraph.ui import frame, resources
from docgraph.ui.home_samples import samples
from docgraph.views.questions_words import ended_words

BY = "sample"
LABEL = "Save the sample questions"
POLL_SECONDS = 0.4
_log = logging.getLogger(__name__)


class SavingJob:
    """One saving of questions in a thread, begun at once; its own ``Progress``. Ends with ``saved`` or ``error``."""

    def __init__(self, docgraph: Docgraph, questions: QuestionFile) -> None:
        self.saved: QuestionsSaved | None = None
        self.error: DocgraphError | None = None
        self.done, self.total = 0, len(questions.requests)
        self._stop = threading.Event()
        work = (docgraph, questions)
        self._thread = threading.Thread(target=self._run, args=work, name="docgraph-questions", daemon=True)
        self._thread.start()

    @property
    def running(self) -> bool:
        """Whether it still works."""
        return self._thread.is_alive()

    def wait(self, seconds: float) -> bool:
        """Wait for the end, at most ``seconds``; True when it has ended."""
        self._thread.join(seconds)
        return not self.running

    def stop(self) -> None:
        """Ask it to end after the question in hand; what is saved stays."""
        self._stop.set()

    def update(self, done: int, total: int, message: str) -> None:
        """Called from its own thread."""
        del message
        self.done, self.total = done, total

    def cancelled(self) -> bool:
        """True once somebody asked to stop."""
        return self._stop.is_set()

    def _run(self, docgraph: Docgraph, questions: QuestionFile) -> None:
        try:
            self.saved = save_questions(docgraph, questions, by=BY, progress=self)
        except DocgraphError as error:
            self.error = error
        except Exception:  # the edge of a thread: nobody above could show it
            _log.exception("saving the sample questions ended by an unexpected error")
            self.error = DocgraphError(
                "the sample questions could not all be saved: an unexpected error",
                hint="the server's log has the details",
            )


@st.cache_resource(max_entries=1, show_spinner=False)
def _jobs() -> dict[str, SavingJob]:
    """Workspace → the saving begun last, for all sessions: two of them would do the same work twice."""
    return {}


def running(workspace: str) -> bool:
    """Whether the sample questions of this workspace are being saved now."""
    job = _jobs().get(workspace)
    return job is not None and job.running


def unfinished(workspace: str) -> bool:
    """Whether they are being saved now, or the saving ended before its end."""
    job = _jobs().get(workspace)
    return job is not None and (job.running or job.error is not None or (job.saved is not None and job.saved.stopped))


def sample_questions(workspace: str, *, key: str) -> bool:
    """Draw the button, how far the saving is, or what it met; False, with nothing drawn, where there are none to ask.

    ``key`` is unique on the page.
    """
    job = _jobs().get(workspace)
    if job is not None and job.running:
        st.fragment(_progress, run_every=POLL_SECONDS)(job, key)
        return True
    if job is not None and job.error is not None:
        frame.error(job.error)
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
        if not job.running and job.saved is not None:
            st.html(f'<p class="dg-note" role="status">{ended_words(job.saved)}</p>')
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
    if not running(workspace):
        questions = QuestionFile(tuple(RetrievalRequest(query=sample.query) for sample in samples(workspace)))
        _jobs()[workspace] = SavingJob(resources.docgraph(workspace), questions)


def _forget(workspace: str) -> None:
    if not running(workspace):
        _jobs().pop(workspace, None)


def _progress(job: SavingJob, key: str) -> None:
    if not job.running:
        st.rerun(scope="app")
    with st.container(key=f"{key}-saving", horizontal=True, vertical_alignment="center", gap="small"):
        share = min(job.done / job.total, 1.0) if job.total else 0.0
        st.progress(share, text=f"Saving the sample questions: {job.done:,} of {job.total:,}")
        st.button("Stop", key=f"{key}.stop", on_click=job.stop, disabled=job.cancelled())
