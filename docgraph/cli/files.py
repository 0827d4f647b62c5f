"""Files that commands write and read: whole or not at all, and every failure a line that says what to do."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from docgraph.boundary.files.regular import NotAFileError, named_file, reason_of
from docgraph.boundary.judgments.trec import MAX_TREC_BYTES, read_run
from docgraph.domain.report import Rejected
from docgraph.errors import UserError

Read = TypeVar("Read", str, bytes)

STANDARD = "-"
"""The name that stands for the standard input."""


def write_file(name: str, pieces: Iterable[bytes], *, instead: str) -> Path:
    """Write a file whole or not at all; an old one is replaced, and in a folder it is called ``instead``.

    Raises UserError, and whatever making the ``pieces`` raises.
    """
    try:
        if not name:
            raise ValueError("a file's name is empty")
        target = Path(name) / instead if Path(name).is_dir() else Path(name)
        file = tempfile.NamedTemporaryFile(dir=target.parent, prefix=".docgraph-", delete=False)  # noqa: SIM115
        try:
            with file:
                for piece in pieces:
                    file.write(piece)
            Path(file.name).chmod(0o666 & ~_umask())
            Path(file.name).replace(target)
        except BaseException:  # also when Ctrl+C stops it: no half file stays behind
            with suppress(OSError):
                Path(file.name).unlink()
            raise
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        reason = reason_of(error)
        raise UserError(f"cannot write {name[:200]!r}: {reason}", hint="name a file in a folder that exists") from error
    return target


def write_files(folder: str, files: Iterable[tuple[str, bytes]]) -> list[Path]:
    """Write (name, content) into a folder, a file each, and make the folder where it is missing. Raises UserError.

    A name loses what no file's name should have; of two that become one the second gets a number.
    """
    target = Path(folder)
    try:
        target.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:  # ValueError: a name that no folder can have
        reason = "it is a file" if isinstance(error, FileExistsError) else reason_of(error)
        raise UserError(f"cannot write into {folder[:200]!r}: {reason}", hint="name a folder") from error
    written: dict[str, Path] = {}
    for name, content in files:
        stem, dot, suffix = name.rpartition(".")
        plain = "".join(c if c.isalnum() or c in "-_" else "-" for c in stem)[:100]
        called, number = f"{plain}{dot}{suffix}", 1
        while called.casefold() in written:  # many file systems take capitals for the same
            number += 1
            called = f"{plain}-{number}{dot}{suffix}"
        written[called.casefold()] = write_file(str(target), [content], instead=called)
    return list(written.values())


def read_file(name: str, *, max_bytes: int, hint: str) -> bytes:
    """A file, or the standard input for ``-``; one byte more than ``max_bytes`` at most. Raises UserError."""
    if name == STANDARD:
        return standard_input(lambda: sys.stdin.buffer.read(max_bytes + 1))
    try:
        with named_file(name) as file:
            return file.read(max_bytes + 1)
    except NotAFileError as error:
        hint = "pipe it in: - is standard input"
        raise UserError(f"cannot read {name[:200]!r}: it is {error}", hint=hint) from error
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        reason = reason_of(error)
        raise UserError(f"cannot read {name[:200]!r}: {reason}", hint=hint) from error


def standard_input(read: Callable[[], Read]) -> Read:
    """What ``read`` reads of the standard input. Raises UserError where it cannot be read."""
    try:
        return read()
    except (OSError, ValueError) as error:
        reason = reason_of(error)
        raise UserError(f"the standard input cannot be read: {reason}", hint="pipe text or a file into it") from error


def _umask() -> int:
    """The mask of the process; it can only be read by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def is_run(name: str) -> bool:
    """Whether a name is that of a TREC run, by its ending."""
    return "://" not in name and name.lower().endswith((".trec", ".run", ".txt"))


def rankings_of(name: str) -> tuple[dict[str, tuple[str, ...]], tuple[Rejected, ...]]:
    """The rankings of a TREC run by the questions' ids, and its lines that are not read. Raises UserError."""
    try:
        rankings, rejected = read_run(read_file(name, max_bytes=MAX_TREC_BYTES, hint="name a TREC run file"))
    except ValueError as error:
        raise UserError(f"the run {name[:80]!r} cannot be read: {error}", hint="is it a TREC run?") from error
    if not rankings:
        said = f": {rejected[0].reason}" if rejected else ""
        raise UserError(f"the run {name[:80]!r} contains no ranking{said}", hint="is it a TREC run?")
    base = Path(name).name
    return rankings, tuple(
        Rejected(reason=f"{base}: {each.reason}", place=f"{base}, {each.place}") for each in rejected
    )
