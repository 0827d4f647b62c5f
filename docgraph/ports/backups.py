"""Backups: what one file says of itself, and the database that writes, restores and examines what it holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import IO, TYPE_CHECKING, Literal, Protocol, runtime_checkable

from pydantic import Field

from docgraph.domain.frozen import Frozen
from docgraph.domain.type_roles import TypeDecision
from docgraph.domain.workspace import (
    NOBODY,
    EmbedderInfo,
    Revision,
    SearchChoice,
    VectorSearch,
    Workspace,
    WorkspaceName,
)

if TYPE_CHECKING:
    from docgraph.ports.progress import Progress

Identifier = Field(pattern=r"^[a-z_][a-z0-9_]{0,62}$")


class TableFile(Frozen):
    """One table in the file: its columns, rows, and what its bytes have to be."""

    table: str = Identifier
    columns: tuple[str, ...] = Field(min_length=1, max_length=100)
    n_rows: int = Field(ge=0)
    n_bytes: int = Field(ge=0)
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")


class KeptWorkspace(Frozen):
    """A workspace as the file holds it, with its revision and counts.

    ``schema_version`` = the migration that its tables were at. One that was dropped has none, no embedder and no
    tables of its own: then the file holds the saved runs that outlived it.
    """

    name: WorkspaceName
    title: str = ""
    embedder: EmbedderInfo | None = None
    created_at: str = ""
    vector_search: VectorSearch = "exact"
    search_choice: SearchChoice = NOBODY
    off_relation_types: tuple[str, ...] = ()
    type_decisions: tuple[TypeDecision, ...] = ()
    made_with: str = Field(default="", max_length=1_000, pattern=r"^(|[^:\n]+:[^\n]*:[1-9][0-9]{0,4})$")
    schema_version: str = Field(default="", max_length=40)
    revision: Revision = "0" * 32
    places: Revision = "0" * 32
    n_documents: int = Field(default=0, ge=0)
    n_relationships: int = Field(default=0, ge=0)
    n_chunks: int = Field(default=0, ge=0)
    tables: tuple[TableFile, ...] = ()
    kept: tuple[TableFile, ...] = ()

    @property
    def n_runs(self) -> int:
        """Saved runs that were made in it."""
        return sum(each.n_rows for each in self.kept if each.table == "saved_runs")


class Backup(Frozen):
    """What a backup says of itself (``manifest.json``); ``made_at`` is ISO 8601 in UTC."""

    format: Literal["docgraph-backup"] = "docgraph-backup"
    version: int = Field(default=1, ge=1)
    docgraph: str = Field(max_length=60)
    made_at: str = Field(max_length=60)
    server: str = Field(default="", max_length=60)
    workbench_version: str = Field(default="", max_length=40)
    workspaces: tuple[KeptWorkspace, ...] = Field(max_length=10_000)

    @property
    def n_rows(self) -> int:
        """Rows of all tables in it."""
        return sum(file.n_rows for each in self.workspaces for file in (*each.tables, *each.kept))


class Examination(Frozen):
    """A workspace beside its own rows: what is recorded of it, and what is wrong; nothing wrong = ``ok``.

    ``workspace`` is empty for what belongs to none of them: saved runs, the history.
    """

    workspace: str
    revision: str = ""
    n_documents: int = 0
    n_relationships: int = 0
    n_chunks: int = 0
    faults: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether everything is as it was recorded."""
        return not self.faults


@runtime_checkable
class BacksUp(Protocol):
    """A ``Database`` that can be written to one file, and made from it."""

    def back_up(
        self, file: IO[bytes], *, workspaces: Sequence[str] | None = None, progress: Progress | None = None
    ) -> Backup:
        """Write workspaces (None = all, and every saved run) to ``file`` as they are at one moment, in flat memory.

        Others may write meanwhile. Raises NotFoundError, StoreError, and ``Stopped`` once ``progress`` says so.
        """
        ...

    def read_backup(self, file: IO[bytes]) -> Backup:
        """What a file that can be searched says of itself. Raises UserError for one that is no backup."""
        ...

    def restore_backup(
        self,
        file: IO[bytes],
        *,
        names: Mapping[str, str] | None = None,
        replace: bool = False,
        progress: Progress | None = None,
    ) -> tuple[Workspace, ...]:
        """Make the workspaces of a backup (``names``: name in it → name here; None = all, as they are called).

        The whole file is checked before anything is written, and each workspace is made in one transaction, which ends
        only where revision and counts are those of the file. Raises ConflictError for a name that is taken, unless
        ``replace`` puts the backup in its place; UserError for a file that is damaged or from a newer docgraph.
        """
        ...

    def examine(self, workspace: str | None = None) -> tuple[Examination, ...]:
        """Count and add up everything anew, and hold it against what is recorded. Raises NotFoundError, StoreError."""
        ...


class ManagesServer(Protocol):
    """The embedded server of a data folder, without a database being opened on it."""

    def stop(self, *, force: bool = False) -> bool:
        """Stop the server; False = none runs. Raises ConflictError while a program uses it, unless ``force``."""
        ...

    def files(self) -> tuple[tuple[str, ...], int]:
        """(paths, bytes) of what ``remove`` takes; no path = nothing is there.

        Raises UserError for a folder that holds anything that docgraph has not made.
        """
        ...

    def remove(self) -> tuple[str, ...]:
        """Stop the server and remove its data for good; the paths that were removed.

        Raises ConflictError while a program uses it, UserError as ``files`` does, and StoreError.
        """
        ...

    def upgrade(self, *, old_programs: str | None = None, progress: Progress | None = None) -> Upgrade | None:
        """Move the data to the major version of PostgreSQL that comes with docgraph; None = they are there already.

        ``old_programs`` = folder of the other version's programs, where they do not come with docgraph.
        Raises StoreError, ConflictError; the old data stay as they are.
        """
        ...


class Upgrade(Frozen):
    """What an upgrade did: major versions, the paths of the old data and of the backup, and the workspaces moved."""

    before: str
    after: str
    old_data: str
    backup: str
    workspaces: tuple[Workspace, ...]
