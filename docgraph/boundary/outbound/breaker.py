"""Leaves a source alone that keeps failing, and lets it in again when one trial call came back in time."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Literal, NamedTuple

TIMEOUTS_IN_A_ROW, FAILURES_IN_A_ROW = 3, 5
"""A hanging source costs everybody who asks the whole time that was agreed, a crashing one nothing."""
TIMEOUTS_OF_LATE, LATELY = 5, 20
"""So many time-outs among the last calls open it as well: one that is late every third time slows all questions."""
REST_SECONDS, LONGEST_REST_SECONDS = 10.0, 300.0
"""How long a source is left alone: twice as long after every trial that failed, up to the longest."""
TIMEOUT = "Timeout"

BreakerState = Literal["closed", "open", "half-open"]
"""*closed*: it is asked · *open*: it is left alone · *half-open*: it may be tried once."""


class Ticket(NamedTuple):
    """Which state of the breaker a call belongs to, and how many were admitted before it."""

    era: int
    number: int


class Breaker:
    """The circuit breaker (Nygard, *Release It!*) of one source. Thread-safe; it calls nobody and waits for nobody.

    A call begins with ``admit`` and its ticket comes back with ``succeeded`` or ``failed``. Whatever belongs to a state
    that is over changes nothing: a call that comes back late says nothing about now. Calls that were out together when
    one failed count once: a stall of the machine under many questions is one failure. ``clock`` = seconds that only
    grow.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock, self._lock = clock, threading.Lock()
        self._era = self._admitted = self._counted = 0
        self._failures = self._timeouts = 0
        self._why = ""
        self._lately: deque[bool] = deque(maxlen=LATELY)
        self._rest = REST_SECONDS
        self._closed = True
        self._opened_at = 0.0
        self._trial_ends: float | None = None

    @property
    def state(self) -> BreakerState:
        """What it is now; an open one becomes half-open by itself, and stays open while its trial call is out."""
        with self._lock:
            return self._state()

    @property
    def reason(self) -> str:
        """Why it is not closed; empty when it is."""
        with self._lock:
            return "" if self._closed else self._why

    @property
    def rest(self) -> tuple[float, float]:
        """(seconds since it opened, seconds after which it may be tried), both 0 when it is closed."""
        with self._lock:
            since = 0.0 if self._closed else self._clock() - self._opened_at
            return since, 0.0 if self._closed else max(0.0, self._rest - since)

    def admit(self, timeout: float) -> Ticket | None:
        """The ticket of a call that has ``timeout`` seconds, None when the source is left alone.

        Half-open it admits one call, the trial, and nobody else before that one is over.
        """
        with self._lock:
            state = self._state()
            if state == "open":
                return None
            if state == "half-open":
                self._era += 1
                self._trial_ends = self._clock() + timeout
            self._admitted += 1
            return Ticket(self._era, self._admitted)

    def succeeded(self, ticket: Ticket) -> None:
        """The call came back in time: failures are forgotten, and a trial closes the breaker."""
        with self._lock:
            self._end_late_trial()
            if ticket.era != self._era:
                return
            self._era += not self._closed
            self._failures = self._timeouts = 0
            self._lately.append(False)
            if not self._closed:
                self._lately.clear()
            self._closed, self._trial_ends, self._rest = True, None, REST_SECONDS

    def failed(self, ticket: Ticket, kind: str) -> None:
        """The call failed; ``kind`` = the kind of error, ``Timeout`` when nothing came back in time."""
        with self._lock:
            self._end_late_trial()
            if ticket.era == self._era and ticket.number > self._counted:
                self._fail(kind)

    def withdrawn(self, ticket: Ticket) -> None:
        """The call was not made after all: nothing is known, and a trial may be made by the next one."""
        with self._lock:
            if ticket.era == self._era and not self._closed:
                self._trial_ends = None

    def _state(self) -> BreakerState:
        self._end_late_trial()
        if self._closed:
            return "closed"
        resting = self._clock() < self._opened_at + self._rest
        return "open" if resting or self._trial_ends is not None else "half-open"

    def _end_late_trial(self) -> None:
        if self._trial_ends is not None and self._clock() > self._trial_ends:
            self._fail(TIMEOUT)

    def _fail(self, kind: str) -> None:
        self._failures += 1
        self._timeouts = self._timeouts + 1 if kind == TIMEOUT else 0
        self._counted = self._admitted
        self._lately.append(kind == TIMEOUT)
        row = self._timeouts >= TIMEOUTS_IN_A_ROW or self._failures >= FAILURES_IN_A_ROW
        late = sum(self._lately)
        if not self._closed:
            self._rest = min(2 * self._rest, LONGEST_REST_SECONDS)
        elif not row and late < TIMEOUTS_OF_LATE:
            return
        often = f"{late} time-outs among its last {len(self._lately)} calls"
        said = f"{self._failures} failures in a row, the last a {kind}" if row else often
        self._why = f"left alone after {said}"
        self._era += 1
        self._closed, self._trial_ends, self._opened_at = False, None, self._clock()


LOST, BUSY, BROKEN, UNTRUSTED = "lost connection", "busy answer", "broken answer", "bad certificate"
"""Kinds of failure, as a breaker names them. Of these ``LOST`` and ``BUSY`` are worth another try."""


class CallError(Exception):
    """A call failed. ``said`` continues a sentence that begins with the name of the service: ``cannot be reached``.

    It holds words of docgraph's own, numbers and the system's names of errors: nothing that came over the connection.
    """

    def __init__(self, kind: str, said: str) -> None:
        super().__init__(said)
        self.kind, self.said = kind, said


class Deadline:
    """So many seconds from now on for everything that waits, however slowly it comes; ``step`` = what is waited for."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.step = "was not reached"
        self._ends = time.monotonic() + seconds

    def left(self) -> float:
        """Seconds that are left, more than 0. Raises CallError when there are none."""
        left = self._ends - time.monotonic()
        if left <= 0:
            raise self.over()
        return left

    def over(self) -> CallError:
        """What is said when it has passed."""
        return CallError(TIMEOUT, f"{self.step} within {self.seconds:g} seconds")

    def extend(self, seconds: float) -> None:
        """A pause between two tries does not count."""
        self._ends += seconds
