"""What long work tells, and asks, while it runs."""

from __future__ import annotations

from typing import Protocol


class Stopped(Exception):
    """Raised inside long work once ``Progress.cancelled()`` said so; who owns the work keeps what is finished."""


class Progress(Protocol):
    """Told how far long work is; ``cancelled()`` is asked between batches."""

    def update(self, done: int, total: int, message: str) -> None:
        """``done`` of ``total`` sources are accounted for."""
        ...

    def cancelled(self) -> bool:
        """True to stop after the current batch; what is finished is kept."""
        ...
