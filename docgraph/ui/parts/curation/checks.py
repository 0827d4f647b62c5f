"""The checks of a workspace, run in the background and shared by all sessions."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime

import streamlit as st

from docgraph.domain.finding import CheckReport
from docgraph.domain.frozen import fingerprint
from docgraph.orchestration.docgraph import Docgraph
from docgraph.ports import Progress
from docgraph.ports.progress import Stopped, stoppable
from docgraph.ui.parts.background import Background, Jobs, of_process
from docgraph.views.relationships.findings.checks import Judged, judged

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
