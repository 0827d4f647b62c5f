"""Reads a backup that may be damaged, cut or forged: nothing is taken from it that its manifest does not state."""

from __future__ import annotations

import hashlib
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

from pydantic import ValidationError

from docgraph.boundary.files.regular import check_method
from docgraph.errors import UserError
from docgraph.plugins.stores.postgres.backup.writing import MANIFEST, path_of
from docgraph.ports.backups import Backup, KeptWorkspace, TableFile

NEWEST = 1
"""The version of the format that is written and, with those before it, read."""
MAX_MANIFEST = 64 << 20
MAX_ENTRIES = 200_000
PIECE = 1 << 18
_HINT = "name a file that docgraph backup has written, as it was written"
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, KeyError, ValueError)


def read_backup(file: IO[bytes]) -> Backup:
    """See ``ports.BacksUp.read_backup``."""
    with _archive(file) as archive:
        return _manifest(archive)


@contextmanager
def opened_backup(file: IO[bytes]) -> Iterator[tuple[Backup, zipfile.ZipFile]]:
    """The manifest and the archive. Raises UserError, also for what goes wrong while it is read."""
    with _archive(file) as archive:
        yield _manifest(archive), archive


def pieces(archive: zipfile.ZipFile, workspace: KeptWorkspace, file: TableFile, *, kept: bool) -> Iterator[bytes]:
    """The bytes of a table, as many and the same as the manifest states. Raises UserError at the end where not."""
    path = path_of(workspace.name, file.table, kept=kept)
    seen, n_bytes, n_rows = hashlib.sha256(), 0, 0
    try:
        check_method(archive.getinfo(path))
        with archive.open(path) as source:
            while piece := source.read(PIECE):
                n_bytes += len(piece)
                if n_bytes > file.n_bytes:
                    raise _damaged(f"{path} holds more than its {file.n_bytes:,} bytes")
                n_rows += piece.count(b"\n")
                seen.update(piece)
                yield piece
    except _BROKEN as error:
        raise _damaged(f"{path} cannot be read ({str(error)[:100] or type(error).__name__})") from error
    if (n_bytes, n_rows, seen.hexdigest()) != (file.n_bytes, file.n_rows, file.sha256):
        raise _damaged(f"{path} is not what was written")


@contextmanager
def _archive(file: IO[bytes]) -> Iterator[zipfile.ZipFile]:
    try:
        archive = zipfile.ZipFile(file)
    except (*_BROKEN, OSError) as error:
        raise UserError("this file is no backup of docgraph, or not a whole one", hint=_HINT) from error
    with archive:
        yield archive


def _manifest(archive: zipfile.ZipFile) -> Backup:
    try:
        if len(archive.infolist()) > MAX_ENTRIES:
            raise ValueError("too many entries")
        check_method(archive.getinfo(MANIFEST))
        with archive.open(MANIFEST) as source:
            text = source.read(MAX_MANIFEST + 1)
        if len(text) > MAX_MANIFEST:
            raise ValueError("a manifest of this size")
    except _BROKEN as error:
        raise UserError("this file is no backup of docgraph: it has no manifest", hint=_HINT) from error
    try:
        found = Backup.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))[:100]
        if _newer(text):
            raise _too_new() from error
        raise UserError(
            f"the manifest of this backup is not valid: {where}: {first['msg'][:100]}", hint=_HINT
        ) from error
    if found.version > NEWEST:
        raise _too_new()
    if len({each.name for each in found.workspaces}) != len(found.workspaces):
        raise UserError("the manifest of this backup names a workspace twice", hint=_HINT)
    return found


def _newer(text: bytes) -> bool:
    """Whether a manifest that is not understood is one of a later format, which may have other fields."""
    import json

    try:
        given = json.loads(text)
        return isinstance(given, dict) and given.get("format") == "docgraph-backup" and int(given["version"]) > NEWEST
    except (ValueError, KeyError, TypeError, RecursionError):
        return False


def _too_new() -> UserError:
    return UserError(
        "this backup was written by a newer docgraph",
        hint="upgrade this docgraph, then restore it; nothing was changed",
    )


def _damaged(what: str) -> UserError:
    return UserError(f"the backup is damaged: {what}", hint="take another copy of it; nothing was changed")
