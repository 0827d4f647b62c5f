"""What is done by the clock: pages of sign-ins that have ended are closed, and uploads of pages that were left go."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread

from docgraph.errors import DocgraphError
from docgraph.ui.frame.quotas import held_uploads

if TYPE_CHECKING:
    from docgraph.ui.shell.edge import House, Recognises
    from docgraph.ui.shell.sockets import Socket

LOOK_SECONDS = 2.0
"""How often the database is asked for the sign-ins that have pages open here."""
LEFT_SECONDS = 40.0
"""So long a page may be gone, with its line or its laptop, and find its uploads again."""
SWEEP_SECONDS = 10.0
_log = logging.getLogger(__name__)


async def close_ended(house: House, look: Callable[[tuple[str, ...]], None]) -> None:
    """Close the pages of sign-ins that do not count any more, for ever; ``look`` asks for them anew, in a thread.

    While the database does not answer they stay: a page that is used asks it itself.
    """
    assert house.sign_ins is not None
    while True:
        await anyio.sleep(LOOK_SECONDS)
        ids = house.sockets.ids()
        if not ids:
            continue
        try:
            await anyio.to_thread.run_sync(look, ids)
            closed = house.sockets.close_unless(partial(_counts, house.sign_ins()))
        except DocgraphError as problem:
            _log.warning("the sign-ins of open pages cannot be looked up: %s", problem.message)
            continue
        if closed:
            _log.info("%d open pages were closed: their sign-in has ended", closed)


def _counts(known: Recognises, socket: Socket) -> bool:
    return known.person(socket.sign_in_id, socket.claims) is not None


class Sweeper:
    """Closes sessions that hold uploads and were left: the framework forgets them when it is used again, if ever."""

    def __init__(self, forget: Callable[[str], None], *, clock: Callable[[], float] = time.monotonic) -> None:
        self._forget, self._clock = forget, clock
        self._left: dict[str, float] = {}

    async def run(self) -> None:
        """Look every ten seconds, for ever, on the loop that the sessions live on."""
        while True:
            await anyio.sleep(SWEEP_SECONDS)
            try:
                self.sweep()
            except Exception:  # it must go on: whatever fails now is looked at again in ten seconds
                _log.exception("uploads of pages that were left could not be looked through")

    def sweep(self) -> tuple[str, ...]:
        """Close what was left for long enough; which sessions."""
        from streamlit.runtime import Runtime

        if not Runtime.exists():
            return ()
        runtime, now = Runtime.instance(), self._clock()
        holding = set(held_uploads())
        self._left = {
            session: self._left.get(session, now) for session in holding if not runtime.is_active_session(session)
        }
        gone = tuple(session for session, since in self._left.items() if now - since >= LEFT_SECONDS)
        for session in gone:
            runtime.close_session(session)  # with what its widgets still hold of the files
            runtime.uploaded_file_mgr.remove_session_files(session)
            self._forget(session)
        _expire(runtime)
        return gone


def _expire(runtime: Any) -> None:
    """Let go of the sessions that nobody may come back to any more: the framework does so only as others leave."""
    stored = getattr(getattr(getattr(runtime, "_session_mgr", None), "_session_storage", None), "_cache", None)
    if stored is not None:
        stored.expire()
