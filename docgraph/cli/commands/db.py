"""The commands under ``db``: what an administrator runs, tables spread over a cluster, the embedded server stopped."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict
from typing import Annotated

import typer

from docgraph.bootstrap import build_database, build_server, setup_sql
from docgraph.cli.session import JsonOption, WorkspaceOption
from docgraph.cli.text.output import line, table, write_json
from docgraph.errors import StoreError, UserError
from docgraph.ports import Database, Distributes, Distribution
from docgraph.settings import Settings, read_settings

application = typer.Typer(help="Distribute a workspace; stop the embedded server.")
DEFAULT_SHARDS = 32

AllOption = Annotated[bool, typer.Option("--all", help="All workspaces of the database.")]
DryRunOption = Annotated[bool, typer.Option("--dry-run", help="Check the servers and show what would be done.")]


@application.callback(invoke_without_command=True)
def default(context: typer.Context, workspace: WorkspaceOption = None, json: JsonOption = False) -> None:
    """Spread a workspace over the servers of a Citus cluster, or gather it; without a command it lists its servers.

    ``sql`` prints what an administrator of a database runs, ``stop`` ends the embedded server.
    """
    if context.invoked_subcommand is None:
        undistribute(workspace, dry_run=True, json=json)


@application.command()
def distribute(
    workspace: WorkspaceOption = None,
    every: AllOption = False,
    shards: Annotated[int, typer.Option("--shards", metavar="N", help="Shards per table.")] = DEFAULT_SHARDS,
    dry_run: DryRunOption = False,
    json: JsonOption = False,
) -> None:
    """Distribute the tables of a workspace over a Citus cluster."""
    settings = read_settings(workspace=workspace)
    with closing(build_database(settings)) as database:
        able, names = _able(database, settings), _names(database, settings, workspace, every=every)
        done = [
            able.distribute(name, n_shards=shards, dry_run=dry_run, told=_teller(name, json=json)) for name in names
        ]
    _report(done, dry_run=dry_run, json=json, verb="spread")


@application.command()
def undistribute(
    workspace: WorkspaceOption = None, every: AllOption = False, dry_run: DryRunOption = False, json: JsonOption = False
) -> None:
    """Move the tables of a workspace back to one server."""
    settings = read_settings(workspace=workspace)
    with closing(build_database(settings)) as database:
        able, names = _able(database, settings), _names(database, settings, workspace, every=every)
        done = [able.undistribute(name, dry_run=dry_run, told=_teller(name, json=json)) for name in names]
    _report(done, dry_run=dry_run, json=json, verb="gather")


@application.command()
def stop(
    force: Annotated[
        bool, typer.Option("--force", help="Stop it even while in use; programs restart it when needed.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Stop the embedded server; the next command starts it again."""
    stopped = build_server(read_settings()).stop(force=force)
    if json:
        write_json({"stopped": stopped})
    else:
        line("Stopped the embedded server." if stopped else "No embedded server is running.")


@application.command()
def sql(
    workspace: WorkspaceOption = None,
    role: Annotated[
        str | None,
        typer.Option("--role", metavar="NAME", help="The role (default: the one in DOCGRAPH_DATABASE_URL)."),
    ] = None,
    reader: Annotated[
        list[str] | None,
        typer.Option("--reader", metavar="NAME", help="A read-only role; repeatable."),
    ] = None,
    schema_prefix: Annotated[
        str | None,
        typer.Option(
            "--schema-prefix", metavar="TEXT", help="Prefix of schema names (default: DOCGRAPH_SCHEMA_PREFIX)."
        ),
    ] = None,
    tables: Annotated[
        bool, typer.Option("--tables", help="Also create the tables, for a role that may only change rows.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Print SQL for an administrator. For a role that may not create extensions or schemas."""
    settings = read_settings(workspace=workspace, schema_prefix=schema_prefix)
    written = setup_sql(settings, role=role, readers=tuple(reader or ()), with_tables=tables)
    if json:
        write_json({"sql": written})
    else:
        typer.echo(written, nl=False)


def _able(database: Database, settings: Settings) -> Distributes:
    if not isinstance(database, Distributes):
        raise StoreError(
            f"the store {settings.store_plugin!r} cannot be distributed", hint="use DOCGRAPH_STORE=postgres"
        )
    return database


def _names(database: Database, settings: Settings, workspace: str | None, *, every: bool) -> list[str]:
    if every and workspace is not None:
        raise UserError("--all and --workspace cannot be combined", hint="use one of them")
    return [each.name for each in database.workspaces()] if every else [settings.workspace]


def _teller(name: str, *, json: bool) -> Callable[[str], None]:
    """Says each table before it is moved, on the standard error; nothing to those who asked for JSON."""

    def told(moved: str) -> None:
        if not json:
            typer.echo(f"{name}: {moved} …", err=True)

    return told


def _report(done: list[Distribution], *, dry_run: bool, json: bool, verb: str) -> None:
    if json:
        write_json({"dry_run": dry_run, "workspaces": [asdict(each) for each in done]})
        return
    if not done:
        line("No workspaces.")
    for each in done:
        line((each.workspace, "bold"), f" on {', '.join(each.nodes)}")
        rows = [
            (t.table, t.column, f"{t.n_bytes:,}", t.n_shards or "–", _state(t.done, dry_run, verb)) for t in each.tables
        ]
        table(("table", "by", "bytes", "shards", "state"), rows, right=("bytes", "shards"))


def _state(done: bool, dry_run: bool, verb: str) -> str:
    return "done" if done else f"would {verb}" if dry_run else f"not {verb}"
