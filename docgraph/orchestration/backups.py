"""Backups: everything that a database keeps in one file, workspaces made from it, and the data examined."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from os import PathLike
from pathlib import Path
from typing import IO

from docgraph.boundary.files.regular import named_file, reason_of
from docgraph.domain.workspace import Workspace
from docgraph.errors import StoreError, UserError
from docgraph.orchestration.session import Namespace
from docgraph.ports import BacksUp, Backup, Database, Examination, Progress

File = str | PathLike[str] | IO[bytes]
"""A path, or a file that is open in binary; one that is read has to be searchable."""


class Backups(Namespace):
    """Backups of the whole database: written to a file, restored, verified."""

    def write(self, file: File, *, workspaces: Sequence[str] | None = None, progress: Progress | None = None) -> Backup:
        """Write workspaces (None = all, and every saved run) into a backup, as of one moment; returns its description.

        Contains documents, exact vectors, relationships, history, rules, judgments, dismissals, calibrations, memories
        and saved runs. A path is written atomically, readable by its owner only. Raises NotFoundError, UserError for a
        path that cannot be written, StoreError, Stopped.
        """
        return write_backup(able(self.session.database), file, workspaces=workspaces, progress=progress)

    def read(self, file: File) -> Backup:
        """The description of a backup; its tables are not read. Raises UserError for a file that is no backup."""
        return read_backup(able(self.session.database), file)

    def restore(
        self,
        file: File,
        *,
        names: Mapping[str, str] | None = None,
        replace: bool = False,
        progress: Progress | None = None,
    ) -> tuple[Workspace, ...]:
        """Create the workspaces of a backup; ``names``: name in it → name here, None = all under their own names.

        Every byte is checked first; each workspace is created in one transaction, which commits only when its revision
        and counts equal those of the backup. ``replace`` overwrites workspaces of the same names; saved runs that the
        backup lacks always stay. Raises ConflictError for an existing name, NotFoundError for one that the backup
        lacks, UserError for a damaged file or one of a newer docgraph, StoreError, and ``Stopped``.
        """
        database = able(self.session.database)
        made = restore_backup(database, file, names=names, replace=replace, progress=progress)
        if any(each.name == self.session.workspace for each in made):
            self.session.forget()
        return made

    def verify(self, workspace: str | None = None) -> tuple[Examination, ...]:
        """Recount the rows of a workspace (None = all of the database) and compare them with what is recorded.

        Every text, vector and metadata is compared with the fingerprint of its document or relationship. Raises
        NotFoundError, and StoreError when the database cannot be read.
        """
        return able(self.session.database).examine(workspace)


def able(database: Database) -> BacksUp:
    """The database as one that can be backed up. Raises StoreError."""
    if not isinstance(database, BacksUp):
        hint = "use DOCGRAPH_STORE=postgres"
        raise StoreError("this store can be neither written to a backup, restored nor examined", hint=hint)
    return database


def write_backup(
    database: BacksUp, file: File, *, workspaces: Sequence[str] | None = None, progress: Progress | None = None
) -> Backup:
    """See ``Backups.write``."""
    if not isinstance(file, str | PathLike):
        return database.back_up(file, workspaces=workspaces, progress=progress)
    target = Path(file)
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=".docgraph-")
        try:
            with os.fdopen(handle, "wb") as made:
                said = database.back_up(made, workspaces=workspaces, progress=progress)
                made.flush()
                os.fsync(made.fileno())
            Path(name).replace(target)
        except BaseException:  # also when Ctrl+C stops it: no half backup stays behind
            with suppress(OSError):
                Path(name).unlink()
            raise
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        raise _cannot("write", file, error, "name a file in a folder that exists and may be written") from error
    return said


def read_backup(database: BacksUp, file: File) -> Backup:
    """See ``Backups.read``."""
    with _opened(file) as source:
        return database.read_backup(source)


def restore_backup(
    database: BacksUp,
    file: File,
    *,
    names: Mapping[str, str] | None = None,
    replace: bool = False,
    progress: Progress | None = None,
) -> tuple[Workspace, ...]:
    """See ``Backups.restore``."""
    with _opened(file) as source:
        return database.restore_backup(source, names=names, replace=replace, progress=progress)


@contextmanager
def _opened(file: File) -> Iterator[IO[bytes]]:
    if not isinstance(file, str | PathLike):
        yield file
        return
    try:
        source = named_file(file)
    except (OSError, ValueError) as error:
        raise _cannot("read", file, error, "name a file that docgraph backup has written") from error
    with source:
        yield source


def _cannot(verb: str, file: str | PathLike[str], error: BaseException, hint: str) -> UserError:
    reason = reason_of(error)
    return UserError(f"cannot {verb} {str(file)[:200]!r}: {reason}", hint=hint)
