"""While the checks run, every page says how far they are and offers to stop; stopped, what is finished is shown."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from docgraph import plugins
from docgraph.domain.finding import CheckReport
from docgraph.errors import StoreError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.ports import Progress
from docgraph.ui.parts.curation import checks, state
from docgraph.ui.parts.curation.checks import Checking
from docgraph.views.words.counts import UNKNOWN
from tests.ui.conftest import SECONDS, Open, page_text

N = len(plugins.available("checks")) - 1  # one is off
BEFORE = 2
"""Updates before the first check: documents and relationships are read."""


class StopDuring:
    """Passes everything on, and stops the job when the check with this number begins."""

    def __init__(self, job: Checking, number: int) -> None:
        self._job, self._left = job, BEFORE + number

    def update(self, done: int, total: int, message: str) -> None:
        self._job.update(done, total, message)
        self._left -= 1
        if not self._left:
            self._job.stop()

    def cancelled(self) -> bool:
        return self._job.cancelled()


@pytest.fixture
def stop_during(checked: Docgraph, monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """The next run of the checks is stopped while its check with this number runs; those after it are not."""
    check = checked.check

    def prepare(number: int) -> None:
        numbers = iter([number])

        def stopping(*, progress: Any) -> CheckReport:
            stop_at = next(numbers, None)
            return check(progress=StopDuring(progress, stop_at) if stop_at else progress)

        monkeypatch.setattr(checked, "check", stopping)

    return prepare


@pytest.fixture
def held(checked: Docgraph, monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """The checks stand at 5 of 18 until this is set, or until somebody stops them."""
    check, may_end = checked.check, threading.Event()

    def holding(*, progress: Progress) -> CheckReport:
        progress.update(5, 18, "Link to itself")
        while not may_end.wait(0.01) and not progress.cancelled():
            pass
        return check(progress=progress)

    monkeypatch.setattr(checked, "check", holding)
    monkeypatch.setattr(checks, "WORTH_STOPPING", 0.0)
    yield may_end
    may_end.set()
    assert state.checking("harbor").wait(SECONDS)


def test_while_they_run_the_head_says_how_far_they_are_and_stops_them(held: threading.Event, open_page: Open) -> None:
    at = open_page("relationships", tab="history")
    assert "5 of 18 checks" in page_text(at)
    checking = state.checking("harbor")
    assert checking.running
    at.button(key="docgraph.relationships.head.stop").click().run()
    assert checking.wait(SECONDS)
    at.run()
    assert not checking.report.complete
    assert f"<b>--</b> open, stopped: 0 of {N} checks" in page_text(at), "nothing was looked at, so nothing is counted"
    assert not held.is_set()


def test_while_they_run_the_findings_say_how_far_they_are_and_there_is_one_button_to_stop_them(
    held: threading.Event, open_page: Open
) -> None:
    at = open_page("relationships", tab="review")
    assert "Checking relationships: 5 of 18 checks" in page_text(at)
    assert "Link to itself" in page_text(at)
    assert [button.key for button in at.button if button.label == "Stop"] == ["docgraph.relationships.stop"]
    at.button(key="docgraph.relationships.stop").click().run()
    assert state.checking("harbor").wait(SECONDS)
    at.run()
    assert f"Stopped: 0 of {N} checks. Nothing was checked yet." in page_text(at)
    assert not held.is_set()


def test_while_they_run_again_the_last_report_stands_whoever_asked_for_it(
    held: threading.Event, open_page: Open, checked: Docgraph
) -> None:
    """A session that came while the checks ran saw a blank page, although the last report was known to the process."""
    held.set()
    assert state.checking("harbor").wait(SECONDS)
    held.clear()
    checked.ingest_files([("late.md", b"# Late\n\nText.\n")])
    at = open_page("relationships", tab="review")
    text = page_text(at)
    assert state.checking("harbor").running
    assert "Checking again, 5 of 18. This list is from the last check." in text
    assert "there is no document gone" in text
    assert "To review :gray[2]" in [link.proto.label for link in at.get("page_link")]
    at.button(key="docgraph.relationships.stop").click().run()
    assert state.checking("harbor").wait(SECONDS)


def test_while_they_run_home_says_so_and_stops_them(held: threading.Event, open_page: Open) -> None:
    at = open_page()
    assert "Checking: 5 of 18 checks" in page_text(at)
    at.button(key="docgraph.home.stop").click().run()
    assert state.checking("harbor").wait(SECONDS)
    at.run()
    assert f"Last check (stopped: 0 of {N} checks)" in page_text(at)
    assert not any("errors" in link.proto.label for link in at.get("page_link"))


@pytest.mark.usefixtures("checked")
def test_stopped_the_findings_that_are_finished_are_shown_with_what_is_not_known(
    stop_during: Callable[[int], None], open_page: Open
) -> None:
    stop_during(2)
    at = open_page("relationships")
    text = page_text(at)
    assert f"Stopped: 1 of {N} checks. The results of the other {N - 1} are not known." in text
    assert f"<b>0 of 1</b> decided, stopped: 1 of {N} checks" in text
    assert "there is no document gone" in text
    assert "Document without relationships" not in text
    assert f"{UNKNOWN} of the relationships reviewed" in text
    at.button(key="docgraph.relationships.anew").click().run()
    text = page_text(at)
    assert "<b>0 of 2</b> decided" in text
    assert "Document without relationships" in text
    assert "topped" not in text


@pytest.mark.usefixtures("checked")
def test_stopped_without_a_finding_nothing_is_said_to_be_fine(
    stop_during: Callable[[int], None], open_page: Open
) -> None:
    stop_during(1)
    text = page_text(open_page("relationships"))
    assert f"Stopped: 0 of {N} checks. Nothing was checked yet." in text
    assert "stopped before it started" in text
    assert "nothing found" not in text


@pytest.mark.usefixtures("checked")
def test_stopped_home_counts_what_is_finished_and_runs_them_anew(
    stop_during: Callable[[int], None], open_page: Open
) -> None:
    stop_during(2)
    state.checking("harbor").wait(SECONDS)
    at = open_page()
    assert f"Last check (stopped: 1 of {N} checks):" in page_text(at)
    labels = [link.proto.label for link in at.get("page_link")]
    assert {"1 error to review", "no warnings yet"} <= set(labels)
    at.button(key="docgraph.home.again").click().run()
    assert state.checking("harbor").report.complete


@pytest.mark.usefixtures("checked")
def test_stopped_the_table_of_relationships_knows_no_questions_and_no_findings(
    stop_during: Callable[[int], None], open_page: Open
) -> None:
    stop_during(2)
    state.checking("harbor").wait(SECONDS)
    at = open_page("relationships", tab="all")
    assert "The checks were stopped, so questions and findings are not known (--)." in page_text(at)
    at.button(key="docgraph.relationships.head.again").click().run()
    assert state.checking("harbor").report.complete


def test_a_run_that_fails_says_so_to_whoever_waits_for_its_report(
    harbor: Docgraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*, progress: Progress) -> CheckReport:
        raise StoreError("the database is away")

    monkeypatch.setattr(harbor, "check", away)
    checking = Checking(harbor)
    with pytest.raises(StoreError, match="is away"):
        _ = checking.report
    assert checking.failed
