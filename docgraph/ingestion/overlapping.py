"""Three stages at the same time: while some batches are written, the next is embedded, the one after it is made."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from typing import Generic, TypeVar

Batch = TypeVar("Batch")
Ready = TypeVar("Ready")
Written = TypeVar("Written")
N_WRITING = 2
"""Batches that are written at a time: a database spends longer on one than making it takes, on one of its cores."""


def overlapped(
    batches: Iterable[Batch],
    prepare: Callable[[Batch], Ready],
    write: Callable[[Ready], Written],
    *,
    n_writing: int = N_WRITING,
    goes_on: Callable[[], bool] = lambda: True,
) -> Generator[tuple[Batch, Written], None, None]:
    """(batch, what ``write(prepare(batch))`` gave), in order.

    Batches are made by the caller's thread; they are embedded one after the other in another, and ``n_writing`` of them
    are written at a time, each in a thread of its own. A write begins only after the ``n_writing``th before it was
    handed out and ``goes_on`` said so: where it does not, what is being written is still handed out, so that a caller
    that stops so knows of all that is written. The first error of a batch is raised when its turn comes; where making
    batches fails, those that are made are finished before. What runs when the caller leaves is waited for.
    """
    with (
        ThreadPoolExecutor(n_writing, thread_name_prefix="docgraph-write") as writers,
        ThreadPoolExecutor(1, thread_name_prefix="docgraph-embed") as preparer,
    ):
        line = _Line(prepare, write, preparer, writers, n_writing=n_writing, goes_on=goes_on)
        try:
            made = iter(batches)
            while goes_on():
                try:
                    batch = next(made)
                except StopIteration:
                    break
                except Exception:  # whatever the source raises: what came before it is finished first
                    yield from line.rest()
                    raise
                yield from line.moved_on()
                line.enter(batch)
            yield from line.rest()
        finally:
            preparer.shutdown(wait=False, cancel_futures=True)
            writers.shutdown(wait=False)  # what was handed to them is written, whatever failed behind it


class _Line(Generic[Batch, Ready, Written]):
    """What is being embedded, one batch at most, and what is being written, in the order in which it was begun."""

    def __init__(
        self,
        prepare: Callable[[Batch], Ready],
        write: Callable[[Ready], Written],
        preparer: ThreadPoolExecutor,
        writers: ThreadPoolExecutor,
        *,
        n_writing: int,
        goes_on: Callable[[], bool],
    ) -> None:
        self._prepare, self._write = prepare, write
        self._preparer, self._writers = preparer, writers
        self._n_writing, self._goes_on = n_writing, goes_on
        self._embedding: tuple[Batch, Future[Ready]] | None = None
        self._writing: deque[tuple[Batch, Future[Written]]] = deque()

    def enter(self, batch: Batch) -> None:
        """Begin to embed one, after the line has moved on."""
        self._embedding = (batch, self._preparer.submit(copy_context().run, self._prepare, batch))

    def moved_on(self) -> Iterator[tuple[Batch, Written]]:
        """Begin to write what is embedded, after room was made for it."""
        if len(self._writing) == self._n_writing:
            yield self._oldest()
        if self._embedding is not None and self._goes_on():
            batch, ready = self._embedding
            self._embedding = None
            self._writing.append((batch, self._writers.submit(copy_context().run, self._write, ready.result())))

    def rest(self) -> Iterator[tuple[Batch, Written]]:
        """Finish everything."""
        yield from self.moved_on()
        while self._writing:
            yield self._oldest()

    def _oldest(self) -> tuple[Batch, Written]:
        batch, written = self._writing.popleft()
        return batch, written.result()
