"""Finds the files of an import on disk: regular files inside the root that nothing leaves out, read with a bound."""

from __future__ import annotations

import stat
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from docgraph.boundary.files.folders import Entry, LeadsOutError, RootedFolder
from docgraph.boundary.files.regular import kind_of, reason_of
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
from docgraph.boundary.limits import MAX_REFUSED
from docgraph.errors import IngestionError
from docgraph.ingestion.names import MAX_NAME, safe_name, shown, suffix_of

MAX_SOURCES = 200_000
MAX_REFUSED_ENTRIES = 1_000
"""Entries of archives that are refused one by one; the others are counted by their reasons."""
MAX_REASONS = 20
"""Reasons by which they are counted."""
MAX_FILE_BYTES = 100_000_000
MAX_RECORD_FILE_BYTES = 1_000_000_000
RECORD_SUFFIXES = (".jsonl", ".ndjson")
OnProgress = Callable[[int, int, str], bool]
"""(done, total or 0, what is done) from time to time; True stops."""


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
    """What a root holds. ``complete`` is False when a part of it could not be looked at.

    ``refused`` = (name, reason) of the first that are not read, ``beyond`` = (archive or "", reason) → how many more.
    """

    sources: list[Source] = field(default_factory=list)
    refused: list[tuple[str, str]] = field(default_factory=list)
    complete: bool = True
    excluded: Excluded = field(default_factory=Excluded)
    beyond: Counter[tuple[str, str]] = field(default_factory=Counter)

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

    def refuse(self, name: str, reason: str, *, archive: str = "") -> None:
        """Note that ``name`` is not read, and why. Beyond 10,000 files, or 1,000 entries of archives, they are counted.

        What is not named might be what an earlier import took, so that nothing counts as gone then.
        """
        if len(self.refused) < (MAX_REFUSED_ENTRIES if archive else MAX_REFUSED):
            self.refused.append((f"{archive}: {shown(name)}" if archive else shown(name), reason))
            return
        self.complete = False
        key = (archive, reason)
        self.beyond[key if key in self.beyond or len(self.beyond) < MAX_REASONS else ("", "other reasons")] += 1

    @property
    def refusals(self) -> Iterator[tuple[str, str]]:
        """(name, reason) of what is not read; of what is not named one by one, how many for each reason."""
        yield from self.refused
        for (archive, reason), n in self.beyond.items():
            yield f"{archive}: {n:,} more entries" if archive else f"{n:,} more files", reason

    def add(self, source: Source) -> None:
        """Raises IngestionError beyond 200,000 files."""
        if len(self.sources) + len(self.refused) >= MAX_SOURCES:
            raise IngestionError(f"there are more than {MAX_SOURCES:,} files", hint="import sub-folders one by one")
        self.sources.append(source)


def scan_path(path: Path, *, exclude: Sequence[Rules] = (), gitignore: bool = True) -> Scan:
    """The files under a folder, or the one file, without what ``exclude`` and the folder's ``.gitignore`` leave out.

    Their sources read out of the folder as it was opened here. Raises IngestionError when ``path`` itself cannot be
    read."""
    scan = Scan()
    try:
        root = RootedFolder(path)
    except NotADirectoryError:
        _scan_file(path, scan)
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from error
    else:
        _scan_folder(root, scan, exclude, gitignore=gitignore)
    return scan


def unreadable(path: Path, error: BaseException) -> IngestionError:
    """The error of a path that was named and cannot be read."""
    return IngestionError(f"{shown(str(path))!r} cannot be read: {reason_of(error)}", hint="check the path")


def _scan_file(path: Path, scan: Scan) -> None:
    """A file by itself: its folder is opened, and it is read there."""
    try:
        real = path.resolve(strict=True)
        mode = real.stat().st_mode
        folder = RootedFolder(real.parent)
    except (OSError, ValueError, RuntimeError) as error:
        raise unreadable(path, error) from error
    if not stat.S_ISREG(mode):
        raise IngestionError(f"{shown(str(path))!r} is {kind_of(mode)}, not a file or a folder", hint="name a folder")
    scan.add(Source(real.name, partial(_read, folder, real.name)))


def _scan_folder(root: RootedFolder, scan: Scan, exclude: Sequence[Rules], *, gitignore: bool) -> None:
    """Depth first, names sorted; hidden and ignored entries are no sources."""
    stack: list[tuple[str, tuple[Rules, ...]]] = [("", ())]
    while stack:
        within, above = stack.pop()
        own = (*above, *(_gitignore(root, within, scan) if gitignore else ()))
        rules = (*own, *exclude)
        folders = []
        for entry in _entries(root, within, scan):
            name = f"{within}{entry.name}"
            if rules and (by := excluded_by(name, rules, is_folder=entry.is_folder)):
                if not (entry.is_folder and entry.name in IGNORED_FOLDERS):
                    scan.excluded.add(f"{name}/" if entry.is_folder else name, by)
            elif entry.is_link:
                _add_link(root, name, scan)
            elif entry.is_file:
                _add_file(root, name, name, scan)
            elif not entry.is_folder:
                scan.refuse(name, f"{kind_of(entry.mode)}, not a file")
            elif entry.name in IGNORED_FOLDERS:
                continue
            elif len(name) > MAX_NAME:
                scan.refuse(f"{name}/", f"the path of the folder is too long: up to {MAX_NAME:,} characters")
            else:
                folders.append((f"{name}/", own))
        stack += reversed(folders)
    scan.sources.sort(key=lambda source: source.name)


def _gitignore(root: RootedFolder, within: str, scan: Scan) -> tuple[Rules, ...]:
    """The rules of a folder's own ``.gitignore``; what of it cannot be used is told."""
    name = f"{within}{GITIGNORE}"
    try:
        data = root.read(name, MAX_GITIGNORE)
    except FileNotFoundError:
        return ()
    except (OSError, ValueError) as error:
        scan.refuse(name, f"it is not used: {reason_of(error)}")
        return ()
    rules, unused = rules_of(data, folder=within)
    if unused:
        scan.refuse(name, f"{unused:,} of its lines are not usable patterns")
    return (rules,) if rules.patterns else ()


def _entries(root: RootedFolder, within: str, scan: Scan) -> Iterator[Entry]:
    try:
        found = root.entries(within.removesuffix("/"))
    except OSError as error:
        if not within:
            raise IngestionError(
                f"the folder cannot be read: {reason_of(error)}", hint="check its permissions"
            ) from error
        scan.refuse(within, f"the folder cannot be read: {reason_of(error)}")
        scan.complete = False
        return
    yield from (entry for entry in found if not entry.name.startswith("."))


def _add_link(root: RootedFolder, name: str, scan: Scan) -> None:
    """What a link leads to within the folder is read there, by its own name: the link is not followed again."""
    try:
        target = root.target(name)
        is_file = bool(target) and stat.S_ISREG(root.stat(target).st_mode)
    except LeadsOutError:
        scan.refuse(name, "a symbolic link that leads out of the folder")
    except (OSError, ValueError):
        scan.refuse(name, "a symbolic link that leads nowhere")
    else:
        if is_file:
            _add_file(root, target, name, scan, is_link=True)
        else:
            scan.refuse(name, "a symbolic link to a folder or device, which is not followed")


def _add_file(root: RootedFolder, there: str, name: str, scan: Scan, *, is_link: bool = False) -> None:
    try:
        scan.add(Source(safe_name(name), partial(_read, root, there), is_link))
    except ValueError as error:
        scan.refuse(name, str(error))


def _read(root: RootedFolder, name: str) -> bytes:
    """A regular file of at most 100 MB, of records 1 GB."""
    return root.read(name, MAX_RECORD_FILE_BYTES if suffix_of(name) in RECORD_SUFFIXES else MAX_FILE_BYTES)


def unreported(done: int, total: int, what: str) -> bool:
    """An ``OnProgress`` that nobody reads."""
    return False
