"""Checks in the background, one for each state of a workspace, shared by all sessions of the dashboard."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Sequence

from docgraph.domain.finding import CheckReport
from docgraph.domain.frozen import fingerprint
from docgraph.errors import DocgraphError
from docgraph.orchestrator import Docgraph
from docgraph.views.finding_progress import Judged, judged

MAX_KEPT = 6
"""Reports that are kept; an older one is made again when somebody asks for it."""

_log = logging.getLogger(__name__)


class Checking:
    """One run of all checks over one state of a workspace, begun at once in a thread."""

    def __init__(self, docgraph: Docgraph) -> None:
        self._docgraph = docgraph
        self._report: CheckReport | None = None
        self._judged = Judged(0, 0)
        self._error: DocgraphError | None = None
        self._started, self._ended = time.monotonic(), 0.0
        self._thread = threading.Thread(target=self._run, name="docgraph-check", daemon=True)
        self._thread.start()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the end, at most ``seconds``; True when it has ended."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    @property
    def done(self) -> bool:
        """Whether it has ended, well or not."""
        return not self._thread.is_alive()

    @property
    def failed(self) -> bool:
        """Whether it has ended with an error."""
        return self.done and self._error is not None

    @property
    def seconds(self) -> float:
        """How long it took, or has taken so far."""
        return (self._ended or time.monotonic()) - self._started

    @property
    def report(self) -> CheckReport:
        """The report; waits for it. Raises the DocgraphError that ended the check."""
        self._thread.join()
        if self._error is not None:
            raise self._error
        assert self._report is not None
        return self._report

    @property
    def judged(self) -> Judged:
        """How many relationships a person has judged; waits for the end."""
        self._thread.join()
        return self._judged

    def _run(self) -> None:
        try:
            self._report = self._docgraph.check()
            hashes = {document.document_id: document.content_hash for document in self._docgraph.documents()}
            self._judged = judged(self._docgraph.relationships(), hashes)
        except DocgraphError as error:
            self._error = error
        except Exception:  # the edge of a thread: nobody above could show it
            _log.exception("the checks ended by an unexpected error")
            self._error = DocgraphError(
                "the checks ended by an unexpected error", hint="the server's log has the details"
            )
        finally:
            self._ended = time.monotonic()


class Checks:
    """The checks of this process, by workspace and by what their report depends on."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: dict[tuple[str, str], Checking] = {}

    def of(self, docgraph: Docgraph, version: str) -> Checking:
        """The check of this state; begun now when there is none, or when the last one failed."""
        key = (docgraph.workspace_name, version)
        with self._lock:
            found = self._kept.pop(key, None)
            if found is None or found.failed:
                found = Checking(docgraph)
            self._kept[key] = found  # the one asked for last is dropped last
            for old in list(self._kept)[:-MAX_KEPT]:
                del self._kept[old]
            return found

    def forget(self) -> None:
        """Begin anew for whoever asks next."""
        with self._lock:
            self._kept.clear()

    @staticmethod
    def version(docgraph: Docgraph) -> str:
        """What a report depends on, as one word: data, saved questions, rules and dismissals."""
        runs = docgraph.saved_runs(limit=1_000)
        dismissed: Sequence[list[str]] = [
            [each.subject_id, each.at] for each in getattr(docgraph, "dismissals", tuple)()
        ]
        rules = {name: rule.model_dump(mode="json") for name, rule in docgraph.rules().items()}
        return fingerprint([docgraph.workspace.revision, [run.run_id for run in runs], dismissed, rules])[:32]
