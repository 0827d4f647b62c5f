"""Processes that read files, kept while an import goes on: one serves many files, a second thread gets a second one."""

from __future__ import annotations

import threading
import weakref
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from docgraph.boundary.confined.reading import FileReader


class Readers:
    """Of one module, by the arguments that they are started with; ended by ``rest``, or with this object."""

    def __init__(self, module: str) -> None:
        self._module = module
        self._lock = threading.Lock()
        self._idle: dict[tuple[str, ...], list[FileReader]] = defaultdict(list)
        weakref.finalize(self, _close, self._idle)

    @contextmanager
    def reader(self, arguments: Sequence[str] = (), *, new: bool = False) -> Iterator[FileReader]:
        """One that nobody else has meanwhile; ``new`` = just started. Raises ValueError where none can be started."""
        kind = tuple(arguments)
        with self._lock:
            idle = self._idle[kind]
            found = idle.pop() if idle and not new else None
        if found is not None and not found.alive:
            found.close()
            found = None
        reader = found or FileReader(self._module, kind)
        try:
            yield reader
        finally:
            with self._lock:
                if reader.usable:
                    self._idle[kind].append(reader)

    def rest(self) -> None:
        """End those that nobody uses now."""
        with self._lock:
            idle, waiting = dict(self._idle), self._idle
            waiting.clear()
        _close(idle)


def _close(idle: dict[tuple[str, ...], list[FileReader]]) -> None:
    for readers in idle.values():
        for reader in readers:
            reader.close()
