"""Opens uploads: names are judged, zip archives are expanded within limits (no bombs, no links, no way out)."""

from __future__ import annotations

import io
import stat
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from docgraph.ingestion.names import safe_name, shown, suffix_of
from docgraph.ingestion.scanning import MAX_FILE_BYTES, Scan, Source

_BLOCK = 1 << 20
_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError, ValueError)


@dataclass(frozen=True)
class ArchiveLimits:
    """``max_ratio`` holds for an archive as a whole, once it has expanded to 10 MB."""

    max_entries: int = 20_000
    max_total_bytes: int = 500_000_000
    max_ratio: int = 200


def scan_uploads(files: Iterable[tuple[str, bytes]], limits: ArchiveLimits | None = None) -> Scan:
    """The uploaded files; a ``.zip`` stands for the files in it. A bad name or archive is refused, not an error."""
    scan = Scan()
    for name, data in files:
        try:
            clean = safe_name(name)
        except ValueError as error:
            scan.refuse(name, str(error))
            continue
        if suffix_of(clean) == ".zip":
            _expand(clean, io.BytesIO(data), len(data), scan, limits or ArchiveLimits())
        else:
            scan.add(Source(clean, partial(bytes, data)))
    return scan


def scan_archive(path: Path, limits: ArchiveLimits | None = None) -> Scan:
    """The files in a zip archive on disk, which is never held in memory as a whole."""
    scan = Scan()
    _expand(path.name, path, path.stat().st_size, scan, limits or ArchiveLimits())
    return scan


def _expand(archive: str, file: Path | io.BytesIO, n_bytes: int, scan: Scan, limits: ArchiveLimits) -> None:
    """Every entry is gone through once, to be measured and judged, and read when it is asked for."""
    try:
        opened = zipfile.ZipFile(file)  # open as long as a source of it is held
    except _DAMAGED as error:
        scan.refuse(archive, f"not a readable zip archive: {_line(error)}")
        return
    entries = [entry for entry in opened.infolist() if not entry.filename.endswith("/")]  # is_dir() needs a name
    if len(entries) > limits.max_entries:
        scan.refuse(archive, f"the archive has {len(entries):,} files; at most {limits.max_entries:,} are taken")
        return
    left = min(limits.max_total_bytes, max(10_000_000, n_bytes * limits.max_ratio))
    found: list[Source] = []
    for entry in entries:
        label = f"{archive}: {shown(entry.orig_filename)}"
        try:
            name = _entry_name(entry)
            if _is_hidden(name):
                continue
            size = sum(map(len, _blocks(opened, entry, min(left, MAX_FILE_BYTES))))
        except _TooMuch:
            reason = "the archive expands to more than is taken: a zip bomb?"
            scan.refuse(archive if left < MAX_FILE_BYTES else label, reason)
            return
        except _DAMAGED as error:
            scan.refuse(label, _line(error))
            continue
        left -= size
        found.append(Source(name, partial(_read_entry, opened, entry, size)))
    for source in _without_common_folder(found):
        scan.add(source)


class _TooMuch(Exception):
    """More bytes than are left."""


def _entry_name(entry: zipfile.ZipInfo) -> str:
    name = safe_name(entry.orig_filename)
    mode = entry.external_attr >> 16
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        raise ValueError("a symbolic link or device in an archive")
    if entry.flag_bits & 0x1:
        raise ValueError("the entry is encrypted")
    return name


def _blocks(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, limit: int) -> Iterator[bytes]:
    """The content, block by block; sizes in the archive's directory are not believed."""
    size = 0
    with archive.open(entry) as stream:
        while block := stream.read(_BLOCK):
            size += len(block)
            if size > limit:
                raise _TooMuch
            yield block


def _read_entry(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, size: int) -> bytes:
    """The content of an entry of a known size. Raises ValueError where the file has changed since."""
    try:
        return b"".join(_blocks(archive, entry, size))
    except (_TooMuch, *_DAMAGED) as error:
        raise ValueError(f"the archive changed while it was read: {_line(error)}") from error


def _is_hidden(name: str) -> bool:
    return any(part.startswith(".") or part == "__MACOSX" for part in name.split("/"))


def _without_common_folder(sources: list[Source]) -> list[Source]:
    """An archive of one folder is that folder: ``corpus/docs.jsonl`` becomes ``docs.jsonl``."""
    first = {source.name.split("/", 1)[0] for source in sources}
    if len(first) != 1 or not all("/" in source.name for source in sources):
        return sources
    return [Source(source.name.split("/", 1)[1], source.read) for source in sources]


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
