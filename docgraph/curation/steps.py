"""Tells how far a run of the checks is, and asks whether it is to go on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from docgraph.ports import Progress
from docgraph.ports.progress import Stopped

Item = TypeVar("Item")

READ_STEP = 500
"""Rows that are read before the progress is told and asked again."""


class Steps:
    """``done`` of ``total`` checks, with what is being done now as the message; without a progress it costs nothing."""

    def __init__(self, progress: Progress | None, total: int) -> None:
        self._progress, self._total, self._done = progress, total, 0

    def begin(self, doing: str) -> None:
        """Say what is done next. Raises Stopped once somebody asked to stop."""
        if self._progress is None:
            return
        if self._progress.cancelled():
            raise Stopped
        self._progress.update(self._done, self._total, doing)

    def finish(self) -> None:
        """One more check has run."""
        self._done += 1
        if self._progress is not None and self._done == self._total:
            self._progress.update(self._done, self._total, "")

    def each(self, items: Iterable[Item], doing: str, *, of: int = 0, step: int = READ_STEP) -> Iterator[Item]:
        """The items, read or made as they are asked for; says ``doing: n of N`` (``of`` = 0: ``doing: n``) on the way.

        Raises Stopped once somebody asked to stop.
        """
        if self._progress is None:
            yield from items
            return
        for n, item in enumerate(items):
            if n % step == 0:
                self.begin(f"{doing}: {n:,} of {of:,}" if of else f"{doing}: {n:,}" if n else doing)
            yield item
