"""The checks of a workspace, run in the background: shared, followed, stopped and started again."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime

import streamlit as st

from docgraph.domain.finding import CheckReport
from docgraph.domain.frozen import fingerprint
from docgraph.orchestration.docgraph import Docgraph
from docgraph.ports import Progress
from docgraph.ports.progress import Stopped, stoppable
from docgraph.ui.frame import escape
from docgraph.ui.parts import background
from docgraph.ui.parts.background import Background, Jobs, of_process
from docgraph.ui.parts.curation import state
from docgraph.views.relationships.findings.checks import (
    ASK_AGAIN,
    Judged,
    again_words,
    judged,
    running_words,
    steps_words,
)

MAX_KEPT = 6
"""Reports that are kept; an older one is made again when somebody asks for it."""

WORTH_STOPPING = 1.0
"""Seconds that a run takes before it is worth a button that stops it."""


class Checking(Background[CheckReport]):
    """One run of all checks over one state of a workspace. Stopped, it ends with the report of what is finished."""

    def __init__(self, docgraph: Docgraph) -> None:
        self._judged: Judged | None = None
        self.checked_at = ""
        """ISO 8601 moment of the end; empty before."""
        self._last = _last_reports()
        super().__init__(lambda progress: self._check(docgraph, progress), what="the checks could not be run")

    @property
    def report(self) -> CheckReport:
        """The report; waits for it. Raises the DocgraphError that ended the run."""
        return self.outcome

    @property
    def takes_long(self) -> bool:
        """Whether it is worth a button that stops it."""
        return self.seconds >= WORTH_STOPPING

    @property
    def judged(self) -> Judged | None:
        """How many relationships a person has judged; waits for the end. None when it was stopped before."""
        self.outcome  # noqa: B018  waits
        return self._judged

    def _check(self, docgraph: Docgraph, progress: Progress) -> CheckReport:
        report = docgraph.check(progress=progress)
        self.checked_at = datetime.now(UTC).isoformat()
        if report.says_something:
            self._last[docgraph.workspace_name] = report
        with suppress(Stopped):
            documents = stoppable(docgraph.documents.list(), progress.cancelled, step=1)
            hashes = {document.document_id: document.content_hash for document in documents}
            self._judged = judged(stoppable(docgraph.relationships.list(), progress.cancelled, step=1), hashes)
        return report


def checking_of(docgraph: Docgraph, version: str) -> Checking:
    """The check of this state, shared by all sessions; begun now when there is none, or when the last one failed."""
    name = f"{docgraph.workspace_name} {version}"
    return _checks().of(name, lambda: Checking(docgraph), anew=lambda last: last.failed)


def last_report(workspace: str) -> CheckReport | None:
    """What the checks said last, on whichever state of the workspace; None when they said nothing yet."""
    return _last_reports().get(workspace)


@st.cache_resource(max_entries=1, show_spinner=False)
def _last_reports() -> dict[str, CheckReport]:
    return {}


def forget_checks() -> None:
    """Begin anew for whoever asks next."""
    _checks().forget()


def _checks() -> Jobs[Checking]:
    return of_process("checks", limit=MAX_KEPT)


def report_version(docgraph: Docgraph) -> str:
    """What a report depends on, as one word: data, saved questions, rules and dismissals."""
    saved = [run.run_id for run in docgraph.runs.list(limit=1_000)]
    saved += [each.fingerprint for each in docgraph.query_sets.list()]
    dismissed = [[each.subject_id, each.at] for each in docgraph.rules.dismissals()]
    rules = {name: rule.model_dump(mode="json") for name, rule in docgraph.rules.get().items()}
    return fingerprint([docgraph.workspace.state, saved, dismissed, rules])[:32]


def stop_button(checking: Checking, *, key: str) -> None:
    """A button that ends the run with what is finished; nothing while it is not worth one."""
    if checking.takes_long:
        background.stop_button(checking, key=key, type="tertiary", help=background.IS_KEPT)


def again_button(*, key: str) -> None:
    """A button that runs all checks from the start."""
    st.button(ASK_AGAIN, key=key, on_click=state.refresh, type="tertiary")


def running_html(checking: Checking, *, lead: str) -> str:
    """``Checking the relationships: 5 of 18 checks, 12 s: Missing document``, announced to screen readers."""
    far = checking.how_far
    said = running_words(far.done, far.total, far.message, seconds=far.seconds)
    return f'<p class="rl-checking" role="status"><i></i><span>{lead}: {escape.html(said)}</span></p>'


def again_html(checking: Checking) -> str:
    """That a list is the last one, and how far the checks are that will replace it; announced to screen readers."""
    far = checking.how_far
    return (
        f'<p class="rl-checking" role="status"><i></i><span>{again_words(far.done, far.total)}.</span>'
        f'<span class="rl-bar rl-bar-small" aria-hidden="true"><i style="width:{far.share * 100:.1f}%"></i></span></p>'
    )


def bar_html(checking: Checking) -> str:
    """``5 of 18 checks`` with a bar."""
    far = checking.how_far
    said = steps_words(far.done, far.total)
    return (
        f'<div class="rl-progress"><span>{said}</span><span class="rl-bar" role="progressbar" aria-valuemin="0" '
        f'aria-valuemax="{far.total}" aria-valuenow="{far.done}" aria-label="Checking: {said}">'
        f'<i style="width:{far.share * 100:.1f}%"></i></span></div>'
    )
