"""Places for those who use a pool of connections: given in order, and fewer while the server opens no more."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from docgraph.errors import StoreError
from docgraph.plugins.stores.postgres.connections.patience import FIRST_NAP, LONGEST_NAP, PATIENCE, is_full
from docgraph.plugins.stores.postgres.connections.turns import Turns

T = TypeVar("T")
_REST = 60.0
"""Seconds after which a pool that found the server full tries again to open more connections."""


class Places:
    """The places of a pool, given in the order in which threads ask; fewer while the server opens no more connections.

    Who meets a full server keeps their place back, and waits for that of another: it comes with an open connection.
    """

    def __init__(self, n: int) -> None:
        self._turns, self._lock, self._n = Turns(n), threading.Lock(), n
        self._n_out = self._n_kept_back = 0
        self._since = 0.0

    @contextmanager
    def turn(self, action: str, timeout: float) -> Iterator[Place]:
        """One place. Raises StoreError where there is none for ``timeout`` seconds."""
        self._open_up()
        self.wait(action, timeout)
        place = Place(self, action)
        try:
            yield place
        finally:
            if place.is_in_use:
                self.count(-1)
            self._turns.give_back()

    def wait(self, action: str, timeout: float) -> None:
        """A place, in order. Raises StoreError."""
        if not self._turns.take(timeout):
            n = self._n - self._n_kept_back
            raise StoreError(
                f"cannot {action}: all {n} connections were in use for {timeout:.0f} seconds",
                hint="ask again, or let fewer work at the same time",
            )

    def count(self, step: int) -> None:
        """One connection more or fewer is in use."""
        with self._lock:
            self._n_out += step

    def is_any_out(self) -> bool:
        """Whether somebody holds a connection that could be waited for."""
        return self._n_out > 0

    def exchange(self, action: str, timeout: float) -> None:
        """Keep one place back for a while, and wait for that of another. Raises StoreError."""
        with self._lock:
            self._n_kept_back += 1
            self._since = time.monotonic()
        try:
            self.wait(action, timeout)
        except BaseException:
            with self._lock:
                self._n_kept_back -= 1  # the place that was kept back is given back as the one that was asked for
            raise

    def _open_up(self) -> None:
        """Try as many as before, once the server may have room again."""
        with self._lock:
            if not self._n_kept_back or time.monotonic() - self._since < _REST:
                return
            n, self._n_kept_back = self._n_kept_back, 0
        for _ in range(n):
            self._turns.give_back()


class Place:
    """One place of ``Places`` in the hands of a thread."""

    def __init__(self, of: Places, action: str) -> None:
        self._of, self._action = of, action
        self.is_in_use = False

    def opened(self, opened: Callable[[], T]) -> T:
        """What ``opened`` opens; while the server is full, it is asked again with each place that is handed over."""
        deadline, nap = time.monotonic() + PATIENCE, FIRST_NAP
        while True:
            try:
                found = opened()
                break
            except Exception as error:
                if not is_full(error) or time.monotonic() > deadline:
                    raise
            if self._of.is_any_out():
                self._of.exchange(self._action, max(0.0, deadline - time.monotonic()))
            else:
                time.sleep(nap)
                nap = min(2 * nap, LONGEST_NAP)
        self.is_in_use = True
        self._of.count(1)
        return found
