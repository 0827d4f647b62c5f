"""Reaches what lies in a folder part by part, each from the open folder above it: no path is looked up twice."""

from __future__ import annotations

import errno
import os
import stat
import threading
import weakref
from collections.abc import Sequence
from os import PathLike
from typing import NamedTuple

from docgraph.boundary.files.regular import NO_LINK, READING

KEPT = 32
"""Open folders that are kept at hand, the deepest of the last path: neighbours are reached from them."""
LINKED = "symbolic links in its path are not followed"
_FOLDER = (
    getattr(os, "O_PATH", getattr(os, "O_SEARCH", os.O_RDONLY))
    | getattr(os, "O_DIRECTORY", 0)
    | getattr(os, "O_CLOEXEC", 0)
)
"""To go through a folder takes no right to list it."""
_LISTED = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)


class Entry(NamedTuple):
    """What stands in a folder under a name; of links and folders by themselves, of anything else by its ``mode``."""

    name: str
    is_link: bool
    is_folder: bool
    is_file: bool
    mode: int = 0


class ByDescriptor:
    """A folder that was opened once, and what lies below it as tuples of names; a part that is a link is an OSError.

    The system looks up one name at a time, in a folder that is open already, and never follows a link; ``..`` is never
    asked for. So nothing that is done to the tree meanwhile leads out of it.
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        self._open = {0: os.open(path, _FOLDER)}
        self._at: tuple[str, ...] = ()
        self._lock = threading.Lock()
        weakref.finalize(self, _close, self._open)

    def entries(self, parts: tuple[str, ...]) -> list[Entry]:
        """What stands in a folder, in no order. Raises OSError."""
        with self._lock:
            listed = os.open(".", _LISTED, dir_fd=self._folder(parts))
        try:
            with os.scandir(listed) as found:
                return [entry_of(each) for each in found]
        finally:
            os.close(listed)

    def opened(self, parts: tuple[str, ...]) -> int:
        """A descriptor that reads what stands there. Raises OSError, also for a link."""
        with self._lock:
            folder = self._folder(parts[:-1])
            try:
                return os.open(parts[-1], READING | NO_LINK, dir_fd=folder)
            except OSError as error:
                raise _told(error, parts[-1], folder) from None

    def stat(self, parts: tuple[str, ...]) -> os.stat_result:
        """What stands there, of a link the link itself. Raises OSError."""
        with self._lock:
            return os.stat(parts[-1], dir_fd=self._folder(parts[:-1]), follow_symlinks=False)

    def link(self, parts: tuple[str, ...]) -> str:
        """Where a link says that it leads. Raises OSError."""
        with self._lock:
            return os.readlink(parts[-1], dir_fd=self._folder(parts[:-1]))

    def _folder(self, parts: Sequence[str]) -> int:
        """A folder's descriptor, which stays open until another place is asked for."""
        pairs = enumerate(zip(self._at, parts, strict=False))
        shared = next((depth for depth, (a, b) in pairs if a != b), min(len(self._at), len(parts)))
        for depth in [each for each in self._open if each > shared]:
            os.close(self._open.pop(depth))
        depth = max(self._open)
        self._at = tuple(parts[:depth])
        for part in parts[depth:]:
            here = self._open[depth]
            try:
                found = os.open(part, _FOLDER | NO_LINK, dir_fd=here)
            except OSError as error:
                raise _told(error, part, here) from None
            depth += 1
            self._open[depth] = found
            self._at = (*self._at, part)
            if depth - KEPT > 0 and depth - KEPT in self._open:
                os.close(self._open.pop(depth - KEPT))
        return self._open[depth]


def entry_of(found: os.DirEntry[str]) -> Entry:
    """The same as data, read while its folder is open. What is gone meanwhile is nothing of all."""
    if found.is_symlink():
        return Entry(found.name, True, False, False)
    if found.is_dir(follow_symlinks=False):
        return Entry(found.name, False, True, False)
    if found.is_file(follow_symlinks=False):
        return Entry(found.name, False, False, True)
    try:
        return Entry(found.name, False, False, False, found.stat(follow_symlinks=False).st_mode)
    except OSError:
        return Entry(found.name, False, False, False)


def _told(error: OSError, part: str, folder: int) -> OSError:
    """The error in words where a link was met: systems differ in the number that they give for it."""
    try:
        mode = os.stat(part, dir_fd=folder, follow_symlinks=False).st_mode
    except OSError:
        return error
    return OSError(errno.ELOOP, LINKED) if stat.S_ISLNK(mode) else error


def _close(descriptors: dict[int, int]) -> None:
    while descriptors:
        os.close(descriptors.popitem()[1])
