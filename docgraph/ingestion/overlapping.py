"""Three stages at the same time, one batch in each: while one is written, the next is embedded, the third is made."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Generic, TypeVar

Batch = TypeVar("Batch")
Ready = TypeVar("Ready")
Written = TypeVar("Written")


def overlapped(
    batches: Iterable[Batch], prepare: Callable[[Batch], Ready], write: Callable[[Ready], Written]
) -> Generator[tuple[Batch, Written], None, None]:
    """(batch, what ``write(prepare(batch))`` gave), in order.

    Batches are made by the caller's thread; each other stage has a thread of its own, so what runs first never depends
    on who is faster. A batch is written only after the one before was handed out: a caller that goes no further knows
    of all that is written. The first error of a batch is raised when its turn comes; where making batches fails, those
    that are made are finished before. A stage that runs when the caller leaves is waited for.
    """
    with (
        ThreadPoolExecutor(1, thread_name_prefix="docgraph-write") as writer,
        ThreadPoolExecutor(1, thread_name_prefix="docgraph-embed") as preparer,
    ):
        line = _Line(prepare, write, preparer, writer)
        try:
            made = iter(batches)
            while True:
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
            writer.shutdown(wait=False, cancel_futures=True)


class _Line(Generic[Batch, Ready, Written]):
    """What is being embedded and what is being written; at most one batch in each."""

    def __init__(
        self,
        prepare: Callable[[Batch], Ready],
        write: Callable[[Ready], Written],
        preparer: ThreadPoolExecutor,
        writer: ThreadPoolExecutor,
    ) -> None:
        self._prepare, self._write = prepare, write
        self._preparer, self._writer = preparer, writer
        self._embedding: tuple[Batch, Future[Ready]] | None = None
        self._writing: tuple[Batch, Future[Written]] | None = None

    def enter(self, batch: Batch) -> None:
        """Begin to embed one, after the line has moved on."""
        self._embedding = (batch, self._preparer.submit(self._prepare, batch))

    def moved_on(self) -> Iterator[tuple[Batch, Written]]:
        """Finish what is written, and begin to write what is embedded."""
        if self._writing is not None:
            batch, written = self._writing
            self._writing = None
            yield batch, written.result()
        if self._embedding is not None:
            batch, ready = self._embedding
            self._embedding = None
            self._writing = (batch, self._writer.submit(self._write, ready.result()))

    def rest(self) -> Iterator[tuple[Batch, Written]]:
        """Finish everything."""
        yield from self.moved_on()
        yield from self.moved_on()
