"""Files of hostile formats read in a process of its own: walled in, bounded, started anew when it ends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Confined:
    """How a loader's files are read by a process of its own, which is bounded and can neither open nor reach anything.

    ``from_bytes`` = smaller files are read here; None = all are. ``imports`` are modules that are loaded before a
    file's bounds hold. ``program`` names the program that the loader runs; ValueError = it is not installed.
    ``memory`` = bytes that a file may take.
    """

    from_bytes: int | None = None
    imports: tuple[str, ...] = ()
    program: Callable[[], str] | None = None
    memory: int = 300_000_000


def said_by(loader: Any) -> Confined | None:
    """What a loader says of how it is read by; None where it says nothing."""
    said = getattr(loader, "confined", None)
    return said if isinstance(said, Confined) else None
