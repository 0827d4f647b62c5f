"""The commands ``backup``, ``restore`` and ``upgrade``: everything in one file, and back."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from docgraph.bootstrap import build_database, build_server
from docgraph.cli.commands.ingest import STOPPED
from docgraph.cli.files import STANDARD
from docgraph.cli.session import JsonOption
from docgraph.cli.text.output import count, line, one_line, table, write_json
from docgraph.cli.text.progress import ImportProgress, import_progress
from docgraph.domain.workspace import Workspace
from docgraph.errors import ConflictError, DocgraphError, UserError
from docgraph.orchestration.backups import able, read_backup, restore_backup, write_backup
from docgraph.ports import BacksUp, Backup
from docgraph.ports.progress import Stopped
from docgraph.settings import read_settings

NamesOption = Annotated[
    list[str] | None,
    typer.Option("--workspace", "-w", metavar="NAME", help="Only this workspace; repeatable. Else all of them."),
]
FileArgument = Annotated[str, typer.Argument(metavar="FILE", help="The backup file.", show_default=False)]


class _Interrupted(DocgraphError):
    """Ctrl+C stopped it."""

    exit_code = STOPPED

    def __init__(self, hint: str) -> None:
        super().__init__("stopped", hint=hint)


def backup(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The file to write; - = standard output.")],
    workspace: NamesOption = None,
    json: JsonOption = False,
) -> None:
    """Back up workspaces to a file. Everything stored in them is included.

    All workspaces are written in one consistent snapshot.
    """
    settings = read_settings()
    to_pipe = file == STANDARD
    with closing(build_database(settings)) as database, import_progress(quiet=json) as progress:
        try:
            said = write_backup(
                able(database), sys.stdout.buffer if to_pipe else file, workspaces=workspace, progress=progress
            )
        except Stopped:
            raise _Interrupted("nothing was written") from None
    if to_pipe:
        sys.stdout.flush()
    elif json:
        write_json(_stated(said) | {"file": file, "n_bytes": Path(file).stat().st_size})
    else:
        _show(said)
        line(f"Wrote {one_line(file)} ({Path(file).stat().st_size:,} bytes)", whole=True)


def restore(
    file: FileArgument,
    workspace: NamesOption = None,
    new_name: Annotated[
        str | None, typer.Option("--as", metavar="NAME", help="Restore the only workspace under this name.")
    ] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Replace existing workspaces of the same name.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what the backup contains; write nothing.")] = False,
    json: JsonOption = False,
) -> None:
    """Restore workspaces from a backup. Each one completely or not at all; the content is verified."""
    settings = read_settings()
    with closing(build_database(settings)) as database:
        able_database = able(database)
        said = read_backup(able_database, file)
        names = _names(said, workspace, new_name)
        made: tuple[Workspace, ...] = ()
        if not dry_run:
            with import_progress(quiet=json) as progress:
                made = _restored(able_database, file, names, replace=replace, progress=progress)
    if json:
        write_json(_stated(said) | {"restored": [each.model_dump(mode="json") for each in made]})
        return
    if dry_run:
        _show(said)
    for each in made:
        counted = f"{count(each.n_documents, 'document')}, {count(each.n_relationships, 'relationship')}"
        line(f"Restored {each.name}: {counted}, revision {each.revision[:12]}, as in the backup.")
    if not made and not dry_run:
        line("The backup contains no workspace; its saved runs are restored.")


def upgrade(
    old_programs: Annotated[
        str | None,
        typer.Option("--old-programs", metavar="FOLDER", help="The bin folder of the old version."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Move the embedded server's data to this PostgreSQL. The target is the version that comes with docgraph."""
    server = build_server(read_settings())
    with import_progress(quiet=json) as progress:
        try:
            done = server.upgrade(old_programs=old_programs, progress=progress)
        except Stopped:
            raise _Interrupted("the data are unchanged") from None
    if json:
        write_json({"upgrade": None if done is None else done.model_dump(mode="json")})
    elif done is None:
        line("Nothing to upgrade: the data already have this version, or there are none.")
    else:
        line(f"Upgraded {count(len(done.workspaces), 'workspace')} from PostgreSQL {done.before} to {done.after}.")
        line(f"The old data are in {one_line(done.old_data)}, a backup in {one_line(done.backup)}:", whole=True)
        line("delete both once everything works.")


def uninstall_data(
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would be removed.")] = False,
    json: JsonOption = False,
) -> None:
    """Remove all data of the embedded database. All workspaces are lost; stops its server first.

    A database that DOCGRAPH_DATABASE_URL names is never touched, and neither is a folder with other files in it.
    """
    server = build_server(read_settings())
    paths, n_bytes = server.files()
    if paths and not dry_run:
        _check_removal(paths, n_bytes, yes=yes)
        paths = server.remove()
    if json:
        write_json({"removed": [] if dry_run else list(paths), "found": list(paths), "bytes": n_bytes})
    elif not paths:
        line("Nothing to remove: there are no data of docgraph here.")
    else:
        for path in paths:
            line(f"{'Would remove' if dry_run else 'Removed'} {one_line(path)}.", whole=True)
        line(f"{n_bytes / 1_000_000:,.1f} MB. To remove the program as well: pip uninstall docgraph")


def _check_removal(paths: tuple[str, ...], n_bytes: int, *, yes: bool) -> None:
    what = f"{', '.join(map(one_line, paths))} with all workspaces ({n_bytes / 1_000_000:,.1f} MB)"
    if not yes and not typer.confirm(f"Remove {what} for good?", err=True):
        raise ConflictError("nothing was removed", hint="answer y, or give --yes; docgraph backup FILE keeps a copy")


def _restored(
    database: BacksUp, file: str, names: dict[str, str] | None, *, replace: bool, progress: ImportProgress
) -> tuple[Workspace, ...]:
    try:
        return restore_backup(database, file, names=names, replace=replace, progress=progress)
    except Stopped:
        raise _Interrupted("finished workspaces are restored, the current one is unchanged") from None


def _names(said: Backup, asked: list[str] | None, new_name: str | None) -> dict[str, str] | None:
    """Name in the backup → name here; None = all as they are called."""
    if new_name is None:
        return None if asked is None else {name: name for name in asked}
    there = asked or [each.name for each in said.workspaces if each.embedder]
    if len(there) != 1:
        raise UserError(
            f"--as needs a single workspace, the backup contains {len(there)}",
            hint="choose one: --workspace NAME --as NEW",
        )
    return {there[0]: new_name}


def _show(said: Backup) -> None:
    line(f"Backup of {said.made_at} by docgraph {said.docgraph}")
    columns = ("workspace", "documents", "relationships", "chunks", "saved runs", "revision", "embedder")
    rows = [
        (w.name, w.n_documents, w.n_relationships, w.n_chunks, w.n_runs, w.revision[:12], _embedder(w.embedder))
        for w in said.workspaces
    ]
    table(columns, rows, right=columns[1:5])


def _embedder(embedder: object) -> str:
    return str(getattr(embedder, "embedder_id", "-- (saved runs of a dropped workspace)"))


def _stated(said: Backup) -> dict[str, object]:
    """What a backup says of itself, without its list of tables."""
    stated = said.model_dump(mode="json", exclude={"workspaces"})
    each = [w.model_dump(mode="json", exclude={"tables", "kept"}) | {"n_runs": w.n_runs} for w in said.workspaces]
    return stated | {"workspaces": each}
