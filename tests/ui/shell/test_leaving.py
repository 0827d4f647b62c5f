"""What is done by the clock: uploads of pages that were left go, and pages of sign-ins that ended are closed."""

from __future__ import annotations

import asyncio
import gc
import tracemalloc
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.runtime import Runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from docgraph.domain.person import Person
from docgraph.errors import StoreError
from docgraph.settings import Settings
from docgraph.ui.frame.quotas import Limits, Quotas, held_uploads
from docgraph.ui.shell import leaving
from docgraph.ui.shell.edge import House
from docgraph.ui.shell.leaving import LEFT_SECONDS, Sweeper, close_ended
from docgraph.ui.shell.sockets import Socket

MB = 1_000_000


class Sessions:
    """The framework's runtime, as far as it is asked: its own manager of uploads, and who is there."""

    def __init__(self) -> None:
        self.uploaded_file_mgr = MemoryUploadedFileManager("/_stcore/upload_file")
        self.there: set[str] = set()
        self.closed: list[str] = []
        self.n_expired = 0
        self._session_mgr = SimpleNamespace(_session_storage=SimpleNamespace(_cache=self))

    def is_active_session(self, session: str) -> bool:
        return session in self.there

    def close_session(self, session: str) -> None:
        self.closed.append(session)

    def expire(self) -> None:
        self.n_expired += 1

    def upload(self, session: str, name: str, n_bytes: int) -> None:
        self.uploaded_file_mgr.add_file(session, UploadedFileRec(name, name, "", b"x" * n_bytes))


@pytest.fixture
def sessions(monkeypatch: pytest.MonkeyPatch) -> Sessions:
    made = Sessions()
    monkeypatch.setattr(Runtime, "exists", classmethod(lambda cls: True))
    monkeypatch.setattr(Runtime, "instance", classmethod(lambda cls: made))
    return made


def test_the_memory_of_uploads_comes_back_after_their_page_was_left(sessions: Sessions) -> None:
    """The framework forgets them when others leave after them, if anybody does: on a quiet evening never."""
    now, forgotten = [0.0], list[str]()
    sweeper = Sweeper(forgotten.append, clock=lambda: now[0])
    sessions.there = {"left", "unchanged"}
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        for n in range(6):
            sessions.upload("left", f"f{n}", 10 * MB)
        sessions.upload("unchanged", "f", MB)
        assert held_uploads() == {"left": 60 * MB, "unchanged": MB}
        assert sweeper.sweep() == ()
        sessions.there.discard("left")
        assert sweeper.sweep() == ()
        now[0] += LEFT_SECONDS - 1
        assert sweeper.sweep() == ()
        now[0] += 1
        assert sweeper.sweep() == ("left",)
        gc.collect()
        assert tracemalloc.get_traced_memory()[0] - before < 2 * MB
    finally:
        tracemalloc.stop()
    assert held_uploads() == {"unchanged": MB}
    assert (sessions.closed, forgotten) == (["left"], ["left"])
    assert sessions.n_expired == 4, "sessions that nobody may come back to go as well"


def test_who_comes_back_in_time_finds_the_uploads_again(sessions: Sessions) -> None:
    now = [0.0]
    sweeper = Sweeper(lambda _: None, clock=lambda: now[0])
    sessions.upload("a", "f", 1)
    sweeper.sweep()
    now[0] += LEFT_SECONDS - 1
    sessions.there = {"a"}
    sweeper.sweep()
    sessions.there = set()
    now[0] += LEFT_SECONDS - 1
    assert sweeper.sweep() == ()
    assert held_uploads() == {"a": 1}


def test_an_upload_that_ends_after_its_page_was_left_goes_too(sessions: Sessions) -> None:
    now = [0.0]
    sweeper = Sweeper(lambda _: None, clock=lambda: now[0])
    sweeper.sweep()
    sessions.upload("gone", "late", 1)
    sweeper.sweep()
    now[0] += LEFT_SECONDS
    assert sweeper.sweep() == ("gone",)


def test_a_page_is_swept_within_a_minute() -> None:
    assert LEFT_SECONDS + 2 * leaving.SWEEP_SECONDS <= 60


def test_pages_of_ended_sign_ins_are_closed_within_seconds_and_stay_while_the_database_is_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(leaving, "LOOK_SECONDS", 0.01)

    class Known:
        def __init__(self) -> None:
            self.ended, self.is_down = set[str](), True

        def person(self, sign_in_id: str, claims: Any) -> Person | None:
            return None if sign_in_id in self.ended else Person(name="Ann")

        def look(self, ids: tuple[str, ...]) -> None:
            if self.is_down:
                raise StoreError("the database does not answer")
            asked.append(ids)

    known, asked = Known(), list[tuple[str, ...]]()
    house = House(Limits.of(Settings()), Quotas(dict), lambda: known)  # type: ignore[arg-type,return-value]

    async def watch() -> tuple[bool, bool, bool]:
        one, other = Socket("1", {}), Socket("2", {})
        house.sockets._open |= {one, other}
        watching = asyncio.create_task(close_ended(house, known.look))
        known.ended = {"1"}
        await asyncio.sleep(0.1)
        before = one.ended.is_set()
        known.is_down = False
        await asyncio.wait_for(one.ended.wait(), 5)
        watching.cancel()
        return before, one.ended.is_set(), other.ended.is_set()

    assert asyncio.run(watch()) == (False, True, False)
    assert set(asked[0]) == {"1", "2"}
