"""A limit on how many threads work at once that is fair: who asked first goes first."""

from __future__ import annotations

import threading
from collections import deque


class Turns:
    """``n`` places, given to waiting threads in the order in which they asked.

    A pool of connections alone lets a thread that gives one back take it again at once, so that under constant work
    somebody who waits may never get one.
    """

    def __init__(self, n: int) -> None:
        self._lock, self._free = threading.Lock(), n
        self._waiting: deque[threading.Event] = deque()

    @property
    def n_waiting(self) -> int:
        """How many threads wait for a place."""
        return len(self._waiting)

    def take(self, timeout: float) -> bool:
        """One place, at most ``timeout`` seconds from now; False when there was none. ``give_back`` ends it."""
        with self._lock:
            if self._free:  # nobody waits then: a place is handed over, not freed, while somebody does
                self._free -= 1
                return True
            mine = threading.Event()
            self._waiting.append(mine)
        if mine.wait(timeout):
            return True
        with self._lock:
            if mine.is_set():  # handed over in the last moment
                return True
            self._waiting.remove(mine)
            return False

    def give_back(self) -> None:
        """Hand the place to who has waited longest."""
        with self._lock:
            if self._waiting:
                self._waiting.popleft().set()
            else:
                self._free += 1
