"""The command ``uninstall-data``: remove the embedded database's files for good."""

from __future__ import annotations

from typing import Annotated

import typer

from docgraph.bootstrap import build_server
from docgraph.cli.session import JsonOption
from docgraph.cli.text.output import line, one_line, write_json
from docgraph.errors import ConflictError
from docgraph.settings import read_settings


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
        _check(paths, n_bytes, yes=yes)
        paths = server.remove()
    if json:
        write_json({"removed": [] if dry_run else list(paths), "found": list(paths), "bytes": n_bytes})
    elif not paths:
        line("Nothing to remove: there are no data of docgraph here.")
    else:
        for path in paths:
            line(f"{'Would remove' if dry_run else 'Removed'} {one_line(path)}.", whole=True)
        line(f"{n_bytes / 1_000_000:,.1f} MB. To remove the program as well: pip uninstall docgraph")


def _check(paths: tuple[str, ...], n_bytes: int, *, yes: bool) -> None:
    what = f"{', '.join(map(one_line, paths))} with all workspaces ({n_bytes / 1_000_000:,.1f} MB)"
    if not yes and not typer.confirm(f"Remove {what} for good?", err=True):
        raise ConflictError("nothing was removed", hint="answer y, or give --yes; docgraph backup FILE keeps a copy")
