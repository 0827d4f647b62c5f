"""The seconds that a call may take as a whole, and what is said of a call that came to nothing."""

from __future__ import annotations

import time

from docgraph.boundary.outbound.breaker import TIMEOUT

LOST, BUSY, BROKEN, UNTRUSTED = "lost connection", "busy answer", "broken answer", "bad certificate"
"""Kinds of failure, as a breaker names them. Of these ``LOST`` and ``BUSY`` are worth another try."""


class CallError(Exception):
    """A call came to nothing. ``said`` goes on from the name of who was asked: ``cannot be reached``.

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
