"""What long work tells, and asks, while it runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from itertools import islice
from typing import Any, Protocol, TypeVar

Item = TypeVar("Item")

STEP = 500
"""Items that are gone through before it is asked again whether to go on: some milliseconds of work."""


class Stopped(Exception):
    """Raised inside long work once ``Progress.cancelled()`` said so; the work keeps what is finished."""


def stoppable(items: Iterable[Item], cancelled: Callable[[], bool], *, step: int = STEP) -> Iterator[Item]:
    """The same items; ``cancelled`` is asked before every ``step`` of them. Raises Stopped once it says so."""
    rest = iter(items)
    while batch := tuple(islice(rest, step)):
        if cancelled():
            raise Stopped
        yield from batch


class Progress(Protocol):
    """Told how far long work is; ``cancelled()`` is asked between batches."""

    def update(self, done: int, total: int, message: str) -> None:
        """``done`` of ``total`` sources are accounted for."""
        ...

    def cancelled(self) -> bool:
        """True to stop after the current batch; what is finished is kept."""
        ...


Attributes = Mapping[str, Any]
Spans = Callable[[str, Attributes], AbstractContextManager[Callable[[Attributes], None]]]
"""Opens a span of a name with its first attributes; what it yields takes those that are known later."""


@contextmanager
def no_spans(name: str, attributes: Attributes) -> Iterator[Callable[[Attributes], None]]:
    """Nobody watches."""
    del name, attributes
    yield _ignored


def _ignored(attributes: Attributes) -> None:
    del attributes
