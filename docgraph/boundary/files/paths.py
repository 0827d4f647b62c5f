"""The same where a system opens nothing relative to an open folder (Windows): by paths, held against where they led."""

from __future__ import annotations

import errno
import os
import stat
import sys
from os import PathLike
from pathlib import Path

from docgraph.boundary.files.descriptors import LINKED, Entry, entry_of
from docgraph.boundary.files.regular import NO_LINK, READING

_OPENED = "/proc/self/fd"
_JUNCTION = getattr(stat, "IO_REPARSE_TAG_MOUNT_POINT", -1)
"""A link between folders that Windows does not call one."""


class ByPath:
    """As ``ByDescriptor``. What was opened is asked where it lies, and is not read where that is outside.

    The names of a folder are listed by its path: it is held to be no link before and after, which is no proof.
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
