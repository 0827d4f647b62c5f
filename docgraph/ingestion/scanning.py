"""Finds the files of an import on disk: regular files inside the root that nothing leaves out, read with a bound."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from docgraph.boundary.imports.excluding import (
    GITIGNORE,
    IGNORED_FOLDERS,
    MAX_GITIGNORE,
    Excluded,
    Rules,
    excluded_by,
    excluded_within,
    rules_of,
)
from docgraph.errors import IngestionError
from docgraph.ingestion.names import safe_name, shown

MAX_SOURCES = 200_000
MAX_FILE_BYTES = 100_000_000
MAX_RECORD_FILE_BYTES = 1_000_000_000
RECORD_SUFFIXES = (".jsonl", ".ndjson")
_KINDS = (
    (stat.S_ISFIFO, "a FIFO"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


@dataclass(frozen=True)
class Source:
    """One file: its name relative to the root (``/`` between parts), and how to read it (OSError or ValueError).

    ``is_link`` = what stands there is a symbolic link to another file of the folder.
    """

    name: str
    read: Callable[[], bytes]
    is_link: bool = False


@dataclass
class Scan:
    """What a root holds. ``complete`` is False when a part of it could not be looked at."""

    sources: list[Source] = field(default_factory=list)
    refused: list[tuple[str, str]] = field(default_factory=list)
    complete: bool = True
    excluded: Excluded = field(default_factory=Excluded)

    def without(self, rules: Sequence[Rules]) -> Scan:
        """The same without the files that ``rules`` leave out."""
        if rules:
            kept = []
            for source in self.sources:
                if by := excluded_within(source.name, rules):
                    self.excluded.add(source.name, by)
                else:
                    kept.append(source)
            self.sources = kept
        return self

    def refuse(self, name: str, reason: str) -> None:
        """Note that ``name`` is not read, and why."""
        self.refused.append((shown(name), reason))

    def add(self, source: Source) -> None:
        """Raises IngestionError beyond 200,000 files."""
        if len(self.sources) + len(self.refused) >= MAX_SOURCES:
            raise IngestionError(f"there are more than {MAX_SOURCES:,} files", hint="import sub-folders one by one")
        self.sources.append(source)


def scan_path(path: Path, *, exclude: Sequence[Rules] = (), gitignore: bool = True) -> Scan:
    """The files under a folder, or the one file, without what ``exclude`` and the folder's ``.gitignore`` leave out.

    Raises IngestionError when ``path`` itself cannot be read."""
    try:
        root = path.resolve(strict=True)
        mode = root.stat().st_mode
    except (OSError, ValueError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise IngestionError(f"{shown(str(path))!r} cannot be read: {reason}", hint="check the path") from error
    scan = Scan()
    if stat.S_ISDIR(mode):
        _scan_folder(root, scan, exclude, gitignore=gitignore)
    elif stat.S_ISREG(mode):
        scan.add(Source(root.name, partial(_read, root)))
    else:
        raise IngestionError(f"{shown(str(path))!r} is {_kind(mode)}, not a file or a folder", hint="name a folder")
    return scan


def _scan_folder(root: Path, scan: Scan, exclude: Sequence[Rules], *, gitignore: bool) -> None:
    """Depth first, names sorted; hidden and ignored entries are no sources."""
    stack: list[tuple[Path, tuple[Rules, ...]]] = [(root, ())]
    while stack:
        folder, above = stack.pop()
        own = (*above, *(_gitignore(folder, root, scan) if gitignore else ()))
        rules = (*own, *exclude)
        folders = []
        for entry in _entries(folder, root, scan):
            name = os.path.relpath(entry.path, root).replace(os.sep, "/")
            is_folder = entry.is_dir(follow_symlinks=False)
            if rules and (by := excluded_by(name, rules, is_folder=is_folder)):
                if not (is_folder and entry.name in IGNORED_FOLDERS):
                    scan.excluded.add(f"{name}/" if is_folder else name, by)
            elif entry.is_symlink():
                _add_link(entry, root, name, scan)
            elif is_folder:
                if entry.name not in IGNORED_FOLDERS:
                    folders.append((Path(entry.path), own))
            elif entry.is_file(follow_symlinks=False):
                _add_file(Path(entry.path), name, scan)
            else:
                scan.refuse(name, f"{_kind(entry.stat(follow_symlinks=False).st_mode)}, not a file")
        stack += reversed(folders)
    scan.sources.sort(key=lambda source: source.name)


def _gitignore(folder: Path, root: Path, scan: Scan) -> tuple[Rules, ...]:
    """The rules of a folder's own ``.gitignore``; what of it cannot be used is told."""
    path = folder / GITIGNORE
    within = "" if folder == root else f"{folder.relative_to(root).as_posix()}/"
    try:
        data = _read(path)
    except FileNotFoundError:
        return ()
    except (OSError, ValueError) as error:
        scan.refuse(f"{within}{GITIGNORE}", f"it is not used: {getattr(error, 'strerror', None) or error}")
        return ()
    if len(data) > MAX_GITIGNORE:
        scan.refuse(f"{within}{GITIGNORE}", f"it is not used: it has {len(data):,} bytes, {MAX_GITIGNORE:,} are read")
        return ()
    rules, unused = rules_of(data, folder=within)
    if unused:
        scan.refuse(f"{within}{GITIGNORE}", f"{unused:,} of its lines are no patterns that are used")
    return (rules,) if rules.patterns else ()


def _entries(folder: Path, root: Path, scan: Scan) -> Iterator[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            found = sorted(entries, key=lambda entry: entry.name)
    except OSError as error:
        if folder == root:
            raise IngestionError(
                f"the folder cannot be read: {error.strerror}", hint="check its permissions"
            ) from error
        scan.refuse(f"{folder.relative_to(root)}/", f"the folder cannot be read: {error.strerror}")
        scan.complete = False
        return
    yield from (entry for entry in found if not entry.name.startswith("."))


def _add_link(entry: os.DirEntry[str], root: Path, name: str, scan: Scan) -> None:
    try:
        target = Path(entry.path).resolve(strict=True)
    except (OSError, RuntimeError):
        scan.refuse(name, "a symbolic link that leads nowhere")
        return
    if not target.is_relative_to(root):
        scan.refuse(name, "a symbolic link that leads out of the folder")
    elif not target.is_file():
        scan.refuse(name, "a symbolic link to a folder or device, which is not followed")
    else:
        _add_file(target, name, scan, is_link=True)


def _add_file(path: Path, name: str, scan: Scan, *, is_link: bool = False) -> None:
    try:
        scan.add(Source(safe_name(name), partial(_read, path), is_link))
    except ValueError as error:
        scan.refuse(name, str(error))


def _read(path: Path) -> bytes:
    """A regular file of at most 100 MB (1 GB for records), opened without following a link or waiting for a writer."""
    limit = MAX_RECORD_FILE_BYTES if path.suffix.lower() in RECORD_SUFFIXES else MAX_FILE_BYTES
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, flags)
    with os.fdopen(descriptor, "rb") as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise ValueError(f"{_kind(found.st_mode)}, not a file")
        if found.st_size > limit:
            raise ValueError(f"the file has {found.st_size:,} bytes; at most {limit:,} are read")
        data = file.read(limit + 1)
    if len(data) > limit:
        raise ValueError(f"the file has more than {limit:,} bytes")
    return data


def _kind(mode: int) -> str:
    return next((kind for is_kind, kind in _KINDS if is_kind(mode)), "neither file nor folder")
