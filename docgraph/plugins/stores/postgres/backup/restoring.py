"""Makes workspaces out of a backup: each in one transaction, at the migration it was written at, then brought on."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import IO

import psycopg
from psycopg import sql
from sqlalchemy import Connection as SchemaConnection
from sqlalchemy import text

from docgraph.domain.workspace import checked_workspace_name
from docgraph.errors import ConflictError, NotFoundError, StoreError, UserError
from docgraph.plugins.stores.postgres.backup.contents import (
    FIRST,
    OF_RUNS,
    OF_SETS,
    RUNS,
    Part,
    column_names,
    kept_parts,
)
from docgraph.plugins.stores.postgres.backup.examining import examine_workspace, put_sums
from docgraph.plugins.stores.postgres.backup.reading import opened_backup, pieces
from docgraph.plugins.stores.postgres.connections import Connector
from docgraph.plugins.stores.postgres.connections.naming import Connection
from docgraph.plugins.stores.postgres.migrating import bring_up_to_date, make_schema, remove_schema, unknown, upgrade
from docgraph.plugins.stores.postgres.postings import switch
from docgraph.plugins.stores.postgres.statements import family, placed
from docgraph.plugins.stores.postgres.workspaces import decisions_text
from docgraph.ports.backups import KeptWorkspace, TableFile
from docgraph.ports.progress import Progress, Stopped

_INSERT = """
INSERT INTO docgraph.workspaces
  (name, title, embedder_name, embedder_model, dimension, off_relation_types, type_decisions, made_with, vector_search,
   created_at)
VALUES (:name, :title, :embedder, :model, :dimension, :off, :decisions, :made_with, 'exact',
  COALESCE(NULLIF(:at, '')::timestamptz, now()))
ON CONFLICT (name) DO NOTHING"""
_TAKEN = "SELECT name FROM docgraph.workspaces WHERE name = ANY(:names) ORDER BY name"
_STAGE = "SELECT pg_advisory_xact_lock(hashtextextended('docgraph.restore', 20251))"


class Told:
    """Tells of the rows that are done, of all there are; asked to stop it raises Stopped."""

    def __init__(self, progress: Progress | None, total: int) -> None:
        self._progress, self._total, self._done = progress, total, 0

    def __call__(self, message: str, rows: int) -> None:
        """So many rows of what the message names are done."""
        if self._progress is None:
            return
        if self._progress.cancelled():
            raise Stopped
        self._done += rows
        self._progress.update(min(self._done, self._total), self._total, message)


def restore(
    connector: Connector,
    file: IO[bytes],
    *,
    names: Mapping[str, str] | None,
    replace: bool,
    progress: Progress | None,
    free_bytes: int | None,
) -> tuple[str, ...]:
    """See ``ports.BacksUp.restore_backup``; the names here of the workspaces that were made."""
    with opened_backup(file) as (backup, archive):
        chosen = _chosen(backup.workspaces, names)
        _refuse_what_is_taken(connector, [new for each, new in chosen if each.embedder], replace=replace)
        _check_room(chosen, free_bytes)
        told = Told(progress, 2 * sum(f.n_rows for each, _ in chosen for f in (*each.tables, *each.kept)))
        for each, _ in chosen:
            _read_through(archive, each, told)
        for each, new in chosen:
            with connector.schema_change(f"restore workspace {new!r}") as change:
                _Restoring(change, archive, each, new, replace=replace, told=told).do()
    return tuple(new for each, new in chosen if each.embedder)


def _chosen(there: Sequence[KeptWorkspace], names: Mapping[str, str] | None) -> list[tuple[KeptWorkspace, str]]:
    """What is to be made, with its name here."""
    found = {each.name: each for each in there}
    if names is None:
        return [(each, each.name) for each in there]
    for name in names:
        if name not in found:
            raise NotFoundError(
                f"the backup holds no workspace {name[:60]!r}", hint=f"it holds: {', '.join(found) or 'none'}"
            )
    new = [checked_workspace_name(name) for name in names.values()]
    if len(set(new)) != len(new):
        raise UserError("two workspaces of the backup would get the same name", hint="give each a name of its own")
    return [(found[name], names[name]) for name in sorted(names)]


def _refuse_what_is_taken(connector: Connector, names: Sequence[str], *, replace: bool) -> None:
    if replace or not names:
        return
    with connector.schema_change("look for workspaces") as change:
        taken = list(change.scalars(text(_TAKEN), {"names": list(names)}))
    if taken:
        raise _taken(taken[0])


def _taken(name: str) -> ConflictError:
    return ConflictError(
        f"workspace {name!r} exists already; nothing was changed",
        hint="--as NAME restores it beside that one, --replace puts the backup in its place",
    )


def _check_room(chosen: Sequence[tuple[KeptWorkspace, str]], free_bytes: int | None) -> None:
    needed = sum(f.n_bytes for each, _ in chosen for f in (*each.tables, *each.kept))
    if free_bytes is not None and needed > free_bytes:
        raise StoreError(
            f"the backup holds {needed / 1e9:,.1f} GB, the disk has {free_bytes / 1e9:,.1f} GB free",
            hint="free some space, or move DOCGRAPH_DATA_DIR; nothing was changed",
        )


def _read_through(archive: zipfile.ZipFile, each: KeptWorkspace, told: Told) -> None:
    """Check every byte before the first row is written. Raises UserError."""
    if each.embedder and (hint := unknown("workspace", each.schema_version)):
        raise UserError(
            f"workspace {each.name!r} of the backup is at version {each.schema_version!r}, unknown to this docgraph",
            hint=f"{hint}; nothing was changed",
        )
    for is_kept, files in ((False, each.tables), (True, each.kept)):
        if len({file.table for file in files}) != len(files):
            raise UserError(f"the manifest names a table of {each.name!r} twice", hint="nothing was changed")
        for file in files:
            for piece in pieces(archive, each, file, kept=is_kept):
                told(f"checks {each.name}: {file.table}", piece.count(b"\n"))


class _Restoring:
    """One workspace in one transaction."""

    def __init__(
        self,
        change: SchemaConnection,
        archive: zipfile.ZipFile,
        each: KeptWorkspace,
        new: str,
        *,
        replace: bool,
        told: Told,
    ) -> None:
        self._change, self._archive, self._each, self._new = change, archive, each, new
        raw = change.connection.driver_connection
        assert isinstance(raw, Connection)
        self._raw = raw
        self._replace, self._told, self._schema = replace, told, raw.naming.schema_of(new)

    def do(self) -> None:
        """Make it, or leave everything as it was."""
        self._raw.execute(_STAGE)
        if self._each.embedder:
            self._begin()
            self._fill_tables()
            self._bring_on()
        self._fill_kept()
        if self._each.embedder:
            self._check()

    def _begin(self) -> None:
        """The row and the empty schema, in the place of what was there where that is wanted."""
        each, embedder = self._each, self._each.embedder
        assert embedder is not None
        if self._replace:
            self._change.execute(text("DELETE FROM docgraph.workspaces WHERE name = :name"), {"name": self._new})
            remove_schema(self._change, self._schema)
        values = {
            "name": self._new,
            "title": each.title.replace("\x00", ""),
            "embedder": embedder.name,
            "model": embedder.model,
            "dimension": embedder.dimension,
            "off": list(each.off_relation_types),
            "decisions": decisions_text(each.type_decisions),
            "made_with": each.made_with,
            "at": each.created_at,
        }
        if self._change.execute(text(_INSERT), values).rowcount != 1:
            raise _taken(self._new)
        make_schema(self._change, self._schema)
        upgrade(self._change, "workspace", self._schema, dimension=embedder.dimension, revision=each.schema_version)

    def _fill_tables(self) -> None:
        files = sorted(self._each.tables, key=lambda file: (file.table != FIRST, file.table))
        for file in files:
            self._columns_of(self._schema, file)
            self._copy(Part(self._schema, file.table, file.columns), file, kept=False)

    def _bring_on(self) -> None:
        """To today's migration, with what follows from the texts and vectors."""
        embedder = self._each.embedder
        assert embedder is not None
        bring_up_to_date(self._change, "workspace", self._schema, dimension=embedder.dimension)
        self._raw.execute(placed(family("postings")["fill"], self._schema))
        mode, choice = self._each.vector_search, self._each.search_choice
        switch(self._raw, self._new, self._schema, mode=mode, choice=choice)

    def _fill_kept(self) -> None:
        """What the workbench keeps of it, through tables of this transaction: foreign rows are refused there."""
        files = {file.table: file for file in self._each.kept}
        known = {part.table: part for part in kept_parts(self._raw)}
        if strangers := sorted(files.keys() - known.keys()):
            raise _unknown_table(strangers[0])
        for part in known.values():
            if part.table in files:
                self._fill_kept_of(part, files[part.table])

    def _fill_kept_of(self, part: Part, file: TableFile) -> None:
        self._columns_of(part.schema, file)
        stage = Part("pg_temp", f"restored_{part.table}", file.columns, part.by)
        like = sql.SQL("CREATE TEMP TABLE {} (LIKE {} INCLUDING DEFAULTS) ON COMMIT DROP")
        self._raw.execute(like.format(sql.Identifier(stage.table), part.name))
        self._copy(stage, file, kept=True)
        self._refuse_foreign_rows(stage, part)
        if part.by == "workspace" and part.table not in OF_RUNS:
            self._raw.execute(sql.SQL("UPDATE {} SET workspace = %s").format(stage.name), (self._new,))
        if part.table in OF_SETS[:2] and self._replace:  # outcomes go with their evaluation
            column = sql.Identifier("name" if part.table == OF_SETS[0] else "evaluation_id")
            gone = sql.SQL("DELETE FROM {} WHERE workspace = %s AND {} IN (SELECT {} FROM {})")
            self._raw.execute(gone.format(part.name, column, column, stage.name), (self._new,))
        if part.table == RUNS and self._replace:
            put_away = (
                "DELETE FROM docgraph.saved_runs WHERE run_id IN (SELECT run_id FROM pg_temp.restored_saved_runs)"
            )
            self._raw.execute(put_away.encode())
        which = sql.SQL("")
        if part.table == RUNS:  # a run that is there keeps what was said of it since
            self._raw.execute(b"CREATE TEMP TABLE new_runs (run_id text PRIMARY KEY) ON COMMIT DROP")
            self._raw.execute(
                b"INSERT INTO new_runs SELECT run_id FROM pg_temp.restored_saved_runs r WHERE NOT EXISTS "
                b"(SELECT FROM docgraph.saved_runs s WHERE s.run_id = r.run_id)"
            )
        if part.table == RUNS or part.by == "run_id":
            which = sql.SQL(" WHERE run_id IN (SELECT run_id FROM pg_temp.new_runs)")
        put = sql.SQL("INSERT INTO {} ({}) SELECT {} FROM {}{} ON CONFLICT DO NOTHING")
        self._raw.execute(put.format(part.name, stage.listed, stage.listed, stage.name, which))

    def _refuse_foreign_rows(self, stage: Part, part: Part) -> None:
        """A row of another workspace, or of a run that is not in the backup, has no business in it."""
        if part.by == "workspace":
            foreign = sql.SQL("SELECT count(*) FROM {} WHERE workspace IS DISTINCT FROM {}").format(
                stage.name, sql.Literal(self._each.name)
            )
        else:
            foreign = sql.SQL(
                "SELECT count(*) FROM {} WHERE run_id IS NULL OR run_id NOT IN "
                "(SELECT run_id FROM pg_temp.restored_saved_runs)"
            ).format(stage.name)
        ((n_foreign,),) = self._raw.execute(foreign).fetchall()
        if n_foreign:
            raise UserError(
                f"the backup is forged or damaged: {part.table} of {self._each.name!r} holds rows of something else",
                hint="nothing was changed",
            )

    def _columns_of(self, schema: str, file: TableFile) -> None:
        there = column_names(self._raw, schema, file.table)
        if not there:
            raise _unknown_table(file.table)
        if strangers := [name for name in file.columns if name not in there]:
            raise UserError(
                f"the backup has a column {strangers[0][:60]!r} of {file.table} that this docgraph does not know",
                hint="upgrade this docgraph, then restore it; nothing was changed",
            )

    def _copy(self, part: Part, file: TableFile, *, kept: bool) -> None:
        statement = sql.SQL("COPY {} ({}) FROM STDIN (ENCODING 'UTF8')").format(part.name, part.listed)
        told: Callable[[str, int], None] = self._told
        given: Iterator[bytes] = pieces(self._archive, self._each, file, kept=kept)
        try:
            with self._raw.cursor() as cursor, cursor.copy(statement) as copy:
                for piece in given:
                    copy.write(piece)
                    told(f"{self._new}: {file.table}", piece.count(b"\n"))
        except (psycopg.DataError, psycopg.IntegrityError) as error:
            reason = str(error).splitlines()[0][:200]
            raise UserError(
                f"the backup is forged or damaged: {file.table} of {self._each.name!r}: {reason}",
                hint="nothing was changed",
            ) from error

    def _check(self) -> None:
        """The sums of the rows are what the backup states, and from now on what is recorded."""
        put_sums(self._raw, self._new)
        found = examine_workspace(self._raw, self._new)
        stated = (self._each.revision, self._each.n_documents, self._each.n_relationships, self._each.n_chunks)
        made = (found.revision, found.n_documents, found.n_relationships, found.n_chunks)
        if found.faults or made != stated:
            what = found.faults[0] if found.faults else f"revision and counts are {made}, it states {stated}"
            raise UserError(
                f"the backup does not hold what it states of {self._each.name!r}: {what}",
                hint="take another one; nothing was changed",
            )
        for part in self._each.tables:
            self._raw.execute(sql.SQL("ANALYZE {}").format(sql.Identifier(self._schema, part.table)))
        self._raw.execute(placed('ANALYZE :"schema".vector_postings', self._schema))


def _unknown_table(name: str) -> UserError:
    return UserError(
        f"the backup has a table {name!r} that this docgraph does not know",
        hint="upgrade this docgraph, then restore it; nothing was changed",
    )
