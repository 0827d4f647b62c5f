"""Reads a tar archive from front to back, once: what is taken of it lies in a file without a name until it is read."""

from __future__ import annotations

import gzip
import io
import tarfile
import zlib
from collections.abc import Iterator
from functools import partial
from typing import IO, cast

from docgraph.ingestion.archive_rules import (
    BLOCK,
    BOMB,
    EMPTY,
    REPORTED_EVERY,
    ArchiveLimits,
    TooMuchError,
    is_hidden,
    one_line,
    too_many,
)
from docgraph.ingestion.names import safe_name, shown
from docgraph.ingestion.scanning import MAX_FILE_BYTES, OnProgress, Scan, Source
from docgraph.ingestion.spool import nameless_file

_DAMAGED = (tarfile.TarError, zlib.error, EOFError, OSError, ValueError, OverflowError)
_MAX_AT_ONCE = 2 * BLOCK
_GZIP = b"\x1f\x8b"
_FOLDERS = 10
"""Entries of whatever kind that are looked at, for each file that may be taken."""


class _Kept:
    """The bytes of an archive's files one after the other, as long as a source of one is held."""

    def __init__(self) -> None:
        self.file = nameless_file(self)
        self.size = 0

    def read(self, start: int, size: int) -> bytes:
        self.file.seek(start)
        return self.file.read(size)

    def write(self, block: bytes) -> None:
        self.file.write(block)
        self.size += len(block)

    def take_back(self, start: int) -> None:
        self.size = self.file.seek(start)


class _Forward(io.RawIOBase):
    """A stream that is read forwards, little at a time, and not beyond ``left`` bytes: headers are not believed."""

    def __init__(self, stream: IO[bytes], left: int) -> None:
        self._stream, self._left, self._at = stream, left, 0

    def read(self, size: int = -1) -> bytes:
        if not 0 <= size <= _MAX_AT_ONCE:
            raise TooMuchError
        data = self._stream.read(size)
        self._at += len(data)
        self._left -= len(data)
        if self._left < 0:
            raise TooMuchError
        return data

    def tell(self) -> int:
        return self._at

    def seek(self, place: int, whence: int = 0) -> int:
        if whence != 0 or place < self._at:
            raise tarfile.ReadError("it leads back into itself")
        while self._at < place:
            if not self.read(min(BLOCK, place - self._at)):
                raise tarfile.ReadError("unexpected end of data")
        return self._at


def expand_tar(
    archive: str, file: IO[bytes], n_bytes: int, scan: Scan, limits: ArchiveLimits, report: OnProgress
) -> list[Source]:
    """The regular files of a tar archive; everything else in it, and every name that leads out, is refused."""
    kept, found, n_files, is_empty = _Kept(), list[Source](), 0, True
    room = limits.room(n_bytes)
    with file:
        try:
            for done, member in enumerate(_members(file, room + BLOCK * 8)):
                if done % REPORTED_EVERY == 0 and report(done, 0, f"opening {archive}: {shown(member.name)}"):
                    scan.complete = is_empty = False
                    break
                if n_files > limits.max_entries or done >= limits.max_entries * _FOLDERS:
                    scan.refuse(archive, too_many(done, limits))
                    return []
                if not member.isdir():
                    is_empty = False
                    n_files += _take(archive, member, kept, found, scan, room)
        except TooMuchError:
            scan.refuse(archive, BOMB)
            return []
        except _DAMAGED as error:
            scan.refuse(archive, f"not a readable tar archive: {one_line(error)}")
            return []
    if n_files > limits.max_entries:
        scan.refuse(archive, too_many(n_files, limits))
        return []
    if is_empty:
        scan.refuse(archive, EMPTY)
    return found


class _Member:
    """One entry, and its content, which can be read until the next one is asked for."""

    def __init__(self, opened: tarfile.TarFile, info: tarfile.TarInfo) -> None:
        self._opened, self._info = opened, info
        self.name = info.name

    def isdir(self) -> bool:
        return self._info.isdir()

    def is_file(self) -> bool:
        return self._info.isreg() and not self._info.issparse()

    def blocks(self) -> Iterator[bytes]:
        stream = self._opened.extractfile(self._info)
        while stream is not None and (block := stream.read(BLOCK)):
            yield block


def _members(file: IO[bytes], left: int) -> Iterator[_Member]:
    """One after the other, none of them kept."""
    start = file.read(2)
    file.seek(0)
    plain: IO[bytes] = cast(IO[bytes], gzip.GzipFile(fileobj=file)) if start == _GZIP else file
    forward = _Forward(plain, left)
    with tarfile.open(fileobj=forward, mode="r:") as opened:
        while (info := opened.next()) is not None:
            opened.members = []  # type: ignore[attr-defined]
            yield _Member(opened, info)


def _take(archive: str, member: _Member, kept: _Kept, found: list[Source], scan: Scan, room: int) -> bool:
    """Whether the entry counts as a file of the archive, taken or refused; what a system added does not."""
    try:
        name = safe_name(member.name)
        if not member.is_file():
            raise ValueError("a symbolic link or device in an archive")
    except ValueError as error:
        scan.refuse(member.name, str(error), archive=archive)
        return True
    if is_hidden(name):
        return False
    start = kept.size
    for block in member.blocks():
        kept.write(block)
        if kept.size > room:
            raise TooMuchError
        if kept.size - start > MAX_FILE_BYTES:
            kept.take_back(start)
            scan.refuse(member.name, f"the file has more than {MAX_FILE_BYTES:,} bytes", archive=archive)
            return True
    found.append(Source(name, partial(kept.read, start, kept.size - start)))
    return True
