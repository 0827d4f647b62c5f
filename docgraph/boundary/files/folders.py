"""Folders opened once and read part by part: by descriptors, or by paths where a system has no open folders."""

from __future__ import annotations

import errno
import os
import stat
import sys
import threading
import weakref
from collections import deque
from collections.abc import Iterable, Sequence
from os import PathLike
from pathlib import Path, PurePath
from typing import IO, NamedTuple

from docgraph.boundary.files.regular import NO_LINK, READING, as_regular, read_within

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
        raise ValueError("the name leads out of the folder, or is invalid")


def _split(path: PurePath) -> tuple[str, tuple[str, ...]]:
    return path.anchor, path.parts[1:] if path.anchor else path.parts


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


_OPENED = "/proc/self/fd"
_JUNCTION = getattr(stat, "IO_REPARSE_TAG_MOUNT_POINT", -1)
"""A link between folders that Windows does not call one."""


class ByPath:
    """As ``ByDescriptor``. The path of an opened file is looked up, and a file outside the folder is not read.

    The names of a folder are listed by its path, which is checked not to be a link before and after; that is no proof.
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        if not stat.S_ISDIR(os.stat(path).st_mode):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        self._root = Path(os.path.realpath(path, strict=True))

    def entries(self, parts: tuple[str, ...]) -> list[Entry]:
        """What stands in a folder, in no order. Raises OSError."""
        self._check(parts)
        with os.scandir(self._path(parts)) as found:
            made = [entry_of(each) for each in found]
        self._check(parts)
        return made

    def opened(self, parts: tuple[str, ...]) -> int:
        """A descriptor that reads what stands there. Raises OSError, also for a link."""
        self._check(parts)
        descriptor = os.open(self._path(parts), READING | NO_LINK)
        try:
            if not self._is_inside(descriptor, parts):
                raise OSError(errno.ELOOP, LINKED)
        except BaseException:
            os.close(descriptor)
            raise
        return descriptor

    def stat(self, parts: tuple[str, ...]) -> os.stat_result:
        """What stands there, of a link the link itself. Raises OSError."""
        self._check(parts[:-1])
        return os.lstat(self._path(parts))

    def link(self, parts: tuple[str, ...]) -> str:
        """Where a link says that it leads. Raises OSError."""
        self._check(parts[:-1])
        return os.readlink(self._path(parts)).removeprefix("\\\\?\\")

    def _path(self, parts: tuple[str, ...]) -> Path:
        if any(os.path.basename(part) != part or os.path.splitdrive(part)[0] for part in parts):
            raise OSError(errno.EINVAL, "the name of a file has a separator in it")
        return self._root.joinpath(*parts)

    def _check(self, parts: tuple[str, ...]) -> None:
        path = self._root
        for part in parts:
            path = path / part
            found = os.lstat(path)
            if stat.S_ISLNK(found.st_mode) or getattr(found, "st_reparse_tag", 0) == _JUNCTION:
                raise OSError(errno.ELOOP, LINKED)

    def _is_inside(self, descriptor: int, parts: tuple[str, ...]) -> bool:
        lies = place_of(descriptor)
        if lies is not None:
            return Path(lies).is_relative_to(self._root)
        self._check(parts)
        return os.path.samestat(os.fstat(descriptor), os.lstat(self._path(parts)))


def place_of(descriptor: int) -> str | None:
    """Where an open file lies, as the system says of the file itself; None where it cannot be asked."""
    if sys.platform == "win32":
        return _windows_place(descriptor)
    try:
        return os.readlink(f"{_OPENED}/{descriptor}")
    except OSError:
        return None


if sys.platform == "win32":

    def _windows_place(descriptor: int) -> str | None:
        import ctypes
        import msvcrt

        room = ctypes.create_unicode_buffer(32_768)
        ask = ctypes.windll.kernel32.GetFinalPathNameByHandleW
        ask.argtypes = (ctypes.c_void_p, ctypes.c_wchar_p, ctypes.c_uint32, ctypes.c_uint32)
        n = ask(msvcrt.get_osfhandle(descriptor), room, len(room), 0)
        if not 0 < n < len(room):
            return None
        found = room.value.removeprefix("\\\\?\\")
        return "\\\\" + found.removeprefix("UNC\\") if found.startswith("UNC\\") else found
