"""Loaders as an import uses them: those of hostile formats read by a process of its own, the others as they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from docgraph.boundary.confined import Confined, said_by
from docgraph.boundary.confined.process import ReaderEnded, Readers
from docgraph.boundary.confined.wire import Asked, Bounds, Item
from docgraph.boundary.limits import CONFINED_BYTES, CONFINED_SECONDS
from docgraph.ports import FolderLoader, Loader

MODULE = "docgraph.plugins._reader"
_TRIES = 3


def confined(loaders: Sequence[Loader]) -> tuple[Loader, ...]:
    """The loaders, those that are to be confined wrapped; ``rest`` of any of these ends what reads for all of them."""
    readers = Readers(MODULE)
    return tuple(wrapped(loader, readers) for loader in loaders)


def wrapped(loader: Loader, readers: Readers) -> Loader:
    """The loader itself where it says nothing of being confined."""
    said = said_by(loader)
    if said is None:
        return loader
    kind = _ConfinedFolderLoader if isinstance(loader, FolderLoader) else _ConfinedLoader
    return kind(loader, said, readers)


class _ConfinedLoader:
    """Reads what the loader reads, and has what it has beside."""

    def __init__(self, loader: Any, said: Confined, readers: Readers) -> None:
        self._loader, self._said, self._readers = loader, said, readers
        self.name: str = loader.name
        self.suffixes: tuple[str, ...] = loader.suffixes
        self.holds_many = bool(getattr(loader, "holds_many", False))

    def load(self, data: bytes, *, source: str) -> Iterator[Item]:
        """What is in the file, all of it or nothing. Raises ValueError with a one-line reason."""
        if self._said.from_bytes is not None and len(data) < self._said.from_bytes:
            return iter(self._loader.load(data, source=source))
        asked = Asked(loader=self.name, source=source, n_bytes=len(data), bounds=self._bounds(len(data)))
        return self._read(asked, data, _nothing_else)

    def rest(self) -> None:
        """End the processes that read, until the next file."""
        self._readers.rest()

    def _read(self, asked: Asked, data: bytes, give: Callable[[str], tuple[bytes, Bounds]]) -> Iterator[Item]:
        """A process that had left off is replaced; then nothing of the file was read yet."""
        arguments = (self.name,) if self._said.program else ()
        for tried in range(_TRIES):
            try:
                with self._readers.reader(arguments, new=tried > 0) as reader:
                    yield from reader.read(asked, data, give)
                return
            except ReaderEnded:
                continue
        raise ValueError(
            "the process that reads such files cannot be started: it ends at once; is docgraph installed whole?"
        )

    def _bounds(self, n_bytes: int) -> Bounds:
        """In proportion to a file's size from a certain size on."""
        share = max(1.0, n_bytes / CONFINED_BYTES)
        return Bounds(seconds=CONFINED_SECONDS * share, memory=int(self._said.memory * share))


class _ConfinedFolderLoader(_ConfinedLoader):
    """The same where several files are read as one."""

    def groups(self, names: Sequence[str]) -> Iterator[tuple[str, ...]]:
        """Files that are read as one, told by their names."""
        found: Iterator[tuple[str, ...]] = self._loader.groups(names)
        return found

    def load_group(self, read: Callable[[str], bytes], names: Sequence[str]) -> Iterator[Item]:
        """What such files hold. Raises ValueError with a one-line reason, and OSError."""
        n_bytes = 0

        def give(name: str) -> tuple[bytes, Bounds]:
            nonlocal n_bytes
            data = read(name)
            n_bytes += len(data)
            return data, self._bounds(n_bytes)

        asked = Asked(loader=self.name, source=names[0], names=tuple(names), n_bytes=0, bounds=self._bounds(0))
        return self._read(asked, b"", give)


def _nothing_else(name: str) -> tuple[bytes, Bounds]:
    raise ValueError(f"no file beside this one is read: {name!r}")
