"""A folder that somebody named, opened once: whatever is read in it lies in it, whatever is done to it meanwhile."""

from __future__ import annotations

import errno
import os
import stat
from collections import deque
from collections.abc import Iterable, Sequence
from os import PathLike
from pathlib import Path, PurePath
from typing import IO

from docgraph.boundary.files.descriptors import ByDescriptor, Entry
from docgraph.boundary.files.paths import ByPath
from docgraph.boundary.files.regular import as_regular, read_within

MAX_HOPS = 40
"""Links that are followed for one name: as many as Linux follows."""
BY_DESCRIPTOR = {os.open, os.stat, os.readlink} <= os.supports_dir_fd and os.scandir in os.supports_fd


class LeadsOutError(ValueError):
    """A link that leads out of the folder."""


class RootedFolder:
    """A folder and what lies in it. Names are relative, ``/`` between their parts, as the file system spells them.

    Links in the path of the folder itself are followed: they are part of what was named. Below it a name that has a
    link among its parts is never read or listed; ``target`` says where such a name leads within the folder. Raises
    OSError where it is no folder, or cannot be opened, and ValueError for a path that no folder can have.
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        self._way = ByDescriptor(path) if BY_DESCRIPTOR else ByPath(path)
        self.path = Path(os.path.realpath(path))
        self._called = {_split(self.path), _split(Path(os.path.abspath(path)))}

    def entries(self, folder: str = "") -> list[Entry]:
        """What stands in a folder, by name. Raises OSError and ValueError."""
        return sorted(self._way.entries(parts_of(folder)))

    def open(self, name: str) -> IO[bytes]:
        """A regular file, open in binary. Raises OSError, also for a link, and ValueError for what is no file."""
        return as_regular(self._way.opened(_of_file(name)))

    def read(self, name: str, max_bytes: int) -> bytes:
        """A regular file of at most ``max_bytes``. Raises OSError and ValueError."""
        return read_within(self.open(name), max_bytes)

    def stat(self, name: str) -> os.stat_result:
        """What stands there, of a link the link itself. Raises OSError and ValueError."""
        return self._way.stat(_of_file(name))

    def target(self, name: str) -> str:
        """The name, without a link in it, of what ``name`` leads to. Nothing outside of the folder is looked at.

        Raises LeadsOutError for a link that leads out, OSError for one that leads nowhere or in a circle.
        """
        left, walked, n_hops = deque(parts_of(name)), list[str](), 0
        while left:
            part = left.popleft()
            if part == os.pardir:
                if walked:
                    walked.pop()
                else:
                    left = self._inside(self.path.anchor, [*_split(self.path)[1][:-1], *left])
                continue
            walked.append(part)
            if not stat.S_ISLNK(self._way.stat(tuple(walked)).st_mode):
                continue
            if (n_hops := n_hops + 1) > MAX_HOPS:
                raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
            led = PurePath(self._way.link(tuple(walked)))
            walked.pop()
            if led.anchor:
                walked, left = [], self._inside(led.anchor, [*led.parts[1:], *left])
            else:
                left.extendleft(reversed(led.parts))
        return "/".join(walked)

    def _inside(self, anchor: str, parts: Sequence[str]) -> deque[str]:
        """What is left of an absolute path below the folder. Raises LeadsOutError."""
        for known, root in self._called:
            at: list[str] = []
            for done, part in enumerate((*parts, "")):
                if known == anchor and tuple(at) == root:
                    return deque(parts[done:])
                if part == os.pardir:
                    del at[-1:]
                else:
                    at.append(part)
                if tuple(at) != root[: len(at)]:
                    break
        raise LeadsOutError("it leads out of the folder")


def parts_of(name: str) -> tuple[str, ...]:
    """The parts of a relative name; none for an empty one. Raises ValueError for a name that leads elsewhere."""
    parts = tuple(name.split("/")) if name else ()
    _check(parts)
    return parts


def _of_file(name: str) -> tuple[str, ...]:
    if not name:
        raise ValueError("the name of a file is empty")
    return parts_of(name)


def _check(parts: Iterable[str]) -> None:
    if any(part in ("", os.curdir, os.pardir) for part in parts):
        raise ValueError("the name leads out of the folder, or is none")


def _split(path: PurePath) -> tuple[str, tuple[str, ...]]:
    return path.anchor, path.parts[1:] if path.anchor else path.parts
