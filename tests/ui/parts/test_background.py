"""Work in the background: it tells how far it is, is kept by name, and is stopped when nobody looks at it any more."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest

from docgraph.errors import StoreError
from docgraph.ports import Progress
from docgraph.ui.parts.background import Background, HowFar, Jobs, waited
from tests.ui.conftest import SECONDS

Begin = Callable[[], Background[str]]


@pytest.fixture
def begin() -> Iterator[Begin]:
    """Begins work that ends when it is stopped, and at the end of the test at the latest."""
    over = threading.Event()

    def work(progress: Progress) -> str:
        while not over.wait(0.005) and not progress.cancelled():
            pass
        return "stopped" if progress.cancelled() else "done"

    yield lambda: Background(work, what="nothing came of it")
    over.set()


def failing() -> Background[str]:
    def work(progress: Progress) -> str:
        raise StoreError("the database is away")

    job = Background(work, what="nothing came of it")
    assert job.wait(SECONDS)
    return job


def test_work_in_the_background_tells_how_far_it_is_in_one_piece_and_what_came_of_it() -> None:
    told, go_on = threading.Event(), threading.Event()

    def work(progress: Progress) -> str:
        progress.update(1, 3, "one")
        told.set()
        assert go_on.wait(SECONDS)
        return "done"

    job = Background(work, what="the work could not be done", total=3)
    assert told.wait(SECONDS)
    assert (job.how_far.counted, job.how_far.message, job.running, job.failed) == ("1 of 3", "one", True, False)
    go_on.set()
    assert job.outcome == "done"
    assert job.wait(SECONDS)
    assert job.seconds == job.seconds, "the clock stands still after the end"


def test_before_anything_is_counted_there_is_no_share_and_no_rate() -> None:
    assert (HowFar(0, 0, "", 0.0).share, HowFar(0, 0, "", 0.0).rate) == (0.0, 0.0)
    assert (HowFar(1_200, 6_000, "", 4.0).share, HowFar(1_200, 6_000, "", 4.0).rate) == (0.2, 300.0)
    assert HowFar(1_200, 6_000, "", 4.0).counted == "1,200 of 6,000"
    assert HowFar(7, 6, "", 4.0).share == 1.0


def test_the_same_work_is_begun_once_and_anew_only_when_it_is_said_so(begin: Begin) -> None:
    jobs: Jobs[Background[str]] = Jobs(4)
    first = jobs.of("a", begin)
    assert jobs.of("a", begin) is first
    failed = jobs.of("b", failing)
    assert jobs.of("b", begin) is failed
    assert jobs.of("b", begin, anew=lambda last: last.failed) is not failed


def test_the_work_asked_for_longest_ago_is_dropped_first_and_stopped(begin: Begin) -> None:
    jobs: Jobs[Background[str]] = Jobs(2)
    old, asked_again = jobs.of("old", begin), jobs.of("asked again", begin)
    jobs.of("asked again", begin)
    jobs.of("old", begin)
    jobs.of("new", begin)
    assert jobs.get("asked again") is None
    assert asked_again.outcome == "stopped"
    assert jobs.get("old") is old
    assert old.running
    assert not old.stopping


def test_work_that_all_sessions_share_goes_on_when_it_is_dropped(begin: Begin) -> None:
    jobs: Jobs[Background[str]] = Jobs(1, shared=True)
    old = jobs.of("old", begin)
    jobs.of("new", begin)
    assert jobs.get("old") is None
    assert old.running
    assert not old.cancelled()


def test_what_nobody_looks_at_any_more_is_stopped_and_begun_anew_for_whoever_asks(begin: Begin) -> None:
    jobs: Jobs[Background[str]] = Jobs(8)
    here, there, elsewhere = (jobs.of(name, begin) for name in ("here", "there", "elsewhere"))
    jobs.stop_others("here", among=lambda job: job is not elsewhere)
    assert there.outcome == "stopped"
    assert jobs.get("there") is None
    assert here.running
    assert elsewhere.running
    jobs.forget("here")
    assert jobs.get("here") is None
    assert jobs.get("elsewhere") is elsewhere
    jobs.forget()
    assert jobs.get("elsewhere") is None


def test_one_waits_for_work_that_is_quick_and_no_longer_for_work_that_is_not(begin: Begin) -> None:
    said: list[str] = []
    assert waited(failing(), lambda: said.append("no"), every=0.01, at_most=0.05)
    assert said == []
    job = begin()
    assert not waited(job, lambda: said.append("still"), every=0.01, at_most=0.05)
    assert set(said) == {"still"}
    assert job.running
