"""Opens uploads: names are judged, archives are expanded within limits (no bombs, no links, no way out)."""

from __future__ import annotations

import io
import stat
import weakref
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import IO

from docgraph.boundary.files.regular import check_method, named_file, size_of
from docgraph.ingestion.archive_rules import (
    BLOCK,
    BOMB,
    EMPTY,
    REPORTED_EVERY,
    ArchiveLimits,
    TooMuchError,
    is_archive,
    is_hidden,
    is_tar,
    one_line,
    too_many,
    without_common_folder,
)
from docgraph.ingestion.names import safe_name, shown
from docgraph.ingestion.scanning import MAX_FILE_BYTES, OnProgress, Scan, Source, unreadable, unreported
from docgraph.ingestion.tar_archives import expand_tar

_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError, ValueError)


def scan_uploads(
    files: Iterable[tuple[str, bytes]], limits: ArchiveLimits | None = None, *, report: OnProgress = unreported
) -> Scan:
    """The uploaded files; an archive stands for the files in it. A bad name or archive is refused, not an error.

    The bytes that are given are read where they are, and never copied as a whole.
    """
    scan = Scan()
    for name, data in files:
        try:
            clean = safe_name(name)
        except ValueError as error:
            scan.refuse(name, str(error))
            continue
        if is_archive(clean):
            _expand(clean, io.BytesIO(data), len(data), scan, limits or ArchiveLimits(), report)
        else:
            scan.add(Source(clean, partial(bytes, data)))
    return scan


def scan_archive(path: Path, limits: ArchiveLimits | None = None, *, report: OnProgress = unreported) -> Scan:
    """The files in an archive on disk, which is opened once and never held in memory as a whole.

    Raises IngestionError where it cannot be opened.
    """
    try:
        file = named_file(path)
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from error
    scan = Scan()
    _expand(path.name, file, size_of(file), scan, limits or ArchiveLimits(), report)
    return scan


def _expand(archive: str, file: IO[bytes], n_bytes: int, scan: Scan, limits: ArchiveLimits, report: OnProgress) -> None:
    expand = expand_tar if is_tar(archive) else _expand_zip
    for source in without_common_folder(expand(archive, file, n_bytes, scan, limits, report)):
        scan.add(source)


def _expand_zip(
    archive: str, file: IO[bytes], n_bytes: int, scan: Scan, limits: ArchiveLimits, report: OnProgress
) -> list[Source]:
    """Every entry is gone through once, to be measured and judged, and read when it is asked for."""
    try:
        opened = zipfile.ZipFile(file)
    except _DAMAGED as error:
        file.close()
        scan.refuse(archive, f"not a readable zip archive: {one_line(error)}")
        return []
    weakref.finalize(opened, file.close)  # open as long as a source of it is held
    entries = [entry for entry in opened.infolist() if not entry.filename.endswith("/")]  # is_dir() needs a name
    if not entries:
        scan.refuse(archive, EMPTY)
    if len(entries) > limits.max_entries:
        scan.refuse(archive, too_many(len(entries), limits))
        return []
    left = limits.room(n_bytes)
    found: list[Source] = []
    for done, entry in enumerate(entries):
        if done % REPORTED_EVERY == 0 and report(
            done, len(entries), f"opening {archive}: {shown(entry.orig_filename)}"
        ):
            scan.complete = False
            break
        try:
            name = _entry_name(entry)
            if is_hidden(name):
                continue
            size = sum(map(len, _blocks(opened, entry, min(left, MAX_FILE_BYTES))))
        except TooMuchError:
            scan.refuse(archive if left < MAX_FILE_BYTES else f"{archive}: {entry.orig_filename}", BOMB)
            return []
        except _DAMAGED as error:
            scan.refuse(entry.orig_filename, one_line(error), archive=archive)
            continue
        left -= size
        found.append(Source(name, partial(_read_entry, opened, entry, size)))
    return found


def _entry_name(entry: zipfile.ZipInfo) -> str:
    name = safe_name(entry.orig_filename)
    mode = entry.external_attr >> 16
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        raise ValueError("a symbolic link or device in an archive")
    if entry.flag_bits & 0x1:
        raise ValueError("the entry is encrypted")
    check_method(entry)
    return name


def _blocks(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, limit: int) -> Iterator[bytes]:
    """The content, block by block; sizes in the archive's directory are not believed."""
    size = 0
    with archive.open(entry) as stream:
        while block := stream.read(BLOCK):
            size += len(block)
            if size > limit:
                raise TooMuchError
            yield block


def _read_entry(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, size: int) -> bytes:
    """The content of an entry of a known size. Raises ValueError where the file has changed since."""
    try:
        return b"".join(_blocks(archive, entry, size))
    except (TooMuchError, *_DAMAGED) as error:
        raise ValueError(f"the archive changed while being read: {one_line(error)}") from error
