"""The command ``ingest``: a folder or file into a workspace, with progress and a report that adds up."""

from __future__ import annotations

import sys
from typing import Annotated, Literal

import typer

from docgraph.boundary.imports.profile_toml import read_profile, write_profile
from docgraph.boundary.limits import MAX_RULES_BYTES
from docgraph.cli.files import STANDARD, read_file, write_file
from docgraph.cli.session import JsonOption, WorkspaceOption, opened
from docgraph.cli.text.imports import nothing_read, show_report
from docgraph.cli.text.output import line, printable, write_json
from docgraph.cli.text.progress import import_progress
from docgraph.domain.imports.profile import ImportProfile

NOTHING_READ, STOPPED = 1, 130
AUTO: Literal["auto"] = "auto"
PROFILE_FILE = "docgraph.toml"


def ingest(
    path: Annotated[str, typer.Argument(metavar="PATH", help="A folder or a file.", show_default=False)],
    workspace: WorkspaceOption = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Read everything, write nothing.")] = False,
    prune: Annotated[bool, typer.Option("--prune", help="Remove documents whose source is gone.")] = False,
    doc_type: Annotated[str | None, typer.Option("--doc-type", metavar="TYPE", help="Type of all documents.")] = None,
    profile: Annotated[
        str | None,
        typer.Option("--profile", metavar="auto|FILE", help="Read as a look proposes, or as a profile (TOML) says."),
    ] = None,
    profile_out: Annotated[
        str | None,
        typer.Option("--profile-out", metavar="FILE", help="Look first and write the profile; - prints it and ends."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Import documents and their relationships; unchanged documents are skipped, changed ones replaced whole."""
    read = _profile(profile)
    with opened(workspace) as docgraph, import_progress(quiet=json) as progress:
        if profile_out is not None:
            look = docgraph.documents.look(path, progress=progress)
            read = read if isinstance(read, ImportProfile) else look.profile
            text = write_profile(read, look if read == look.profile else None)
            if profile_out == STANDARD:
                sys.stdout.buffer.write(printable(text).encode())
                sys.stdout.flush()
                return
            written = write_file(profile_out, [text.encode()], instead=PROFILE_FILE)
            if not json:
                line(f"The profile is in {written}.")
        report = docgraph.ingest(path, prune=prune, dry_run=dry_run, doc_type=doc_type, profile=read, progress=progress)
    if json:
        write_json(report)
    else:
        show_report(report)
    if report.stopped:
        raise typer.Exit(STOPPED)
    if nothing_read(report):
        raise typer.Exit(NOTHING_READ)


def _profile(given: str | None) -> ImportProfile | Literal["auto"] | None:
    """What --profile says. Raises UserError for a file that is no profile."""
    if given is None or given == AUTO:
        return AUTO if given else None
    hint = "name a profile, or auto; --profile-out FILE writes one"
    return read_profile(read_file(given, max_bytes=MAX_RULES_BYTES, hint=hint), name=given[:200])
