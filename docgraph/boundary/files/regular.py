"""Regular files alone: opened without waiting for a writer, told from devices once open, read within bounds."""

from __future__ import annotations

import errno
import io
import os
import stat
import zipfile
from os import PathLike
from typing import IO

from docgraph.boundary.text import one_line

READING = (
    os.O_RDONLY
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_BINARY", 0)
)
"""How a file is opened: not handed on to other programs, not waited for, its bytes as they are."""
NO_LINK = getattr(os, "O_NOFOLLOW", 0)
"""A symbolic link is not followed where this is set, and where the system knows it."""
_KINDS = (
    (stat.S_ISFIFO, "a FIFO"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


class NotAFileError(ValueError):
    """What was opened is no regular file."""


def named_file(path: str | PathLike[str]) -> IO[bytes]:
    """The regular file that somebody named, open in binary; links are followed, for it is they who name it.

    Raises OSError, NotAFileError for a FIFO or a device, and ValueError for a name that no file can have.
    """
    return as_regular(os.open(path, READING))


def as_regular(descriptor: int) -> IO[bytes]:
    """The file behind a descriptor, which is closed with it. Raises NotAFileError for a FIFO or device, OSError."""
    try:
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not stat.S_ISREG(mode):
            raise NotAFileError(f"{kind_of(mode)}, not a file")
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def read_within(file: IO[bytes], max_bytes: int) -> bytes:
    """All of a file, which is closed. Raises ValueError where it has, or grows to, more than ``max_bytes``; OSError."""
    with file:
        n_bytes = size_of(file)
        if n_bytes > max_bytes:
            raise ValueError(f"the file has {n_bytes:,} bytes; at most {max_bytes:,} are read")
        data = file.read(max_bytes + 1)
    if len(data) > max_bytes:
        raise ValueError(f"the file has more than {max_bytes:,} bytes")
    return data


def size_of(file: IO[bytes]) -> int:
    """Bytes of an open file."""
    return os.fstat(file.fileno()).st_size


def kind_of(mode: int) -> str:
    """What something is that is neither file nor folder."""
    return next((kind for is_kind, kind in _KINDS if is_kind(mode)), "neither file nor folder")


def reason_of(error: BaseException) -> str:
    """Why a file cannot be read, without its path."""
    return getattr(error, "strerror", None) or str(error)


_READ = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""What programs write unless they are told otherwise; expanding bzip2 or LZMA takes ten times as long."""
_NAMES = {9: "deflate64", 12: "bzip2", 14: "LZMA", 20: "Zstandard", 93: "Zstandard", 95: "XZ", 98: "PPMd"}


def entries_of(data: bytes, max_expanded: int, *, name: str, fault: str) -> list[zipfile.ZipInfo]:
    """The entries of an archive, from its directory alone.

    Raises ValueError, ``fault`` and why, for what is no archive, and for one that says it expands to more bytes than
    ``max_expanded``; ``name`` = what is expanded, in words.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
    except (zipfile.BadZipFile, OSError, EOFError, ValueError, NotImplementedError, RuntimeError) as error:
        raise ValueError(f"{fault}: {one_line(str(error), 150)}") from None
    expanded = sum(entry.file_size for entry in entries)
    if expanded > max_expanded:
        raise ValueError(f"{name} expands to {expanded:,} bytes; at most {max_expanded:,} are read: a zip bomb?")
    return entries


def check_method(entry: zipfile.ZipInfo) -> None:
    """Raises ValueError for an entry that is neither stored nor deflated."""
    if entry.compress_type not in _READ:
        name = _NAMES.get(entry.compress_type, f"method {entry.compress_type}")
        raise ValueError(f"it is compressed by {name}, and only deflate is read: pack it anew, or unpack it")
