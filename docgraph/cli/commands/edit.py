"""The commands that change relationships: ``edit``, ``edits``, ``history`` and ``undo``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, Any

import typer
from pydantic import ValidationError

from docgraph.boundary.variables import account
from docgraph.cli.commands.ingest import ExcludeOption, NoGitignoreOption
from docgraph.cli.files import STANDARD, write_file
from docgraph.cli.run_options import ByOption
from docgraph.cli.session import JsonOption, WorkspaceOption, opened
from docgraph.cli.text.edits import show_entries, show_history, show_patch
from docgraph.cli.text.output import write_json
from docgraph.cli.text.progress import import_progress
from docgraph.domain.edit import Edit
from docgraph.domain.history import HistoryEntry
from docgraph.errors import RequestError, UserError

edits = typer.Typer(help="Export edits as a patch for the authors.", no_args_is_help=True)
ReasonOption = Annotated[str, typer.Option("--reason", metavar="TEXT", help="Reason, stored in the history.")]


class Doing(StrEnum):
    """What can be done to a relationship."""

    ACCEPT = "accept"
    REMOVE = "remove"
    RETYPE = "retype"
    FLIP = "flip"
    RETARGET = "retarget"
    ADD = "add"


def edit(
    action: Annotated[Doing, typer.Argument(help="What to do.", show_default=False)],
    start: Annotated[str, typer.Argument(metavar="FROM", help="Source document.", show_default=False)],
    relation_type: Annotated[str, typer.Argument(metavar="TYPE", help="Relationship type.", show_default=False)],
    target: Annotated[str, typer.Argument(metavar="TO", help="Target document.", show_default=False)],
    new: Annotated[
        str | None,
        typer.Argument(metavar="[NEW]", help="New type (retype, flip) or target (retarget).", show_default=False),
    ] = None,
    by: ByOption = None,
    reason: ReasonOption = "",
    new_type: Annotated[bool, typer.Option("--new-type", help="Allow a type that is not used yet.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be written; write nothing.")] = False,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Change a relationship; author and reason are recorded. Every change can be undone.

    accept records that it was reviewed and is right; flip reverses it, and NEW names the inverse type.
    """
    change = _edit(action, (start, relation_type, target), new)
    with opened(workspace) as docgraph:
        who = account() if by is None else by
        entries = docgraph.relationships.edit([change], by=who, reason=reason, dry_run=dry_run, new_types=new_type)
        name = docgraph.workspace_name
    if json:
        _write(entries, workspace=name, dry_run=dry_run)
    else:
        show_entries(entries, dry_run=dry_run)


@edits.command("export")
def export_edits(
    folder: Annotated[str, typer.Argument(metavar="FOLDER", help="The folder that was imported.", show_default=False)],
    patch: Annotated[bool, typer.Option("--patch", help="As a unified diff for git apply in the folder.")] = False,
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="FILE", help="Output file (default: standard output).")
    ] = None,
    by_owner: Annotated[
        bool, typer.Option("--by-owner", help="A patch for each owner, FILE-1, FILE-2 …; needs --output.")
    ] = False,
    owner: Annotated[
        list[str] | None,
        typer.Option("--owner-field", metavar="FIELD", help="Metadata field that names the owner; repeatable."),
    ] = None,
    profile: Annotated[
        str | None, typer.Option("--profile", metavar="auto|FILE", help="The profile of the import.")
    ] = None,
    exclude: ExcludeOption = None,
    no_gitignore: NoGitignoreOption = False,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Write decisions into the files' metadata as a patch. What cannot be written there is listed.

    The patch contains lines of the files. Only the patch is written.
    """
    if not patch:
        raise UserError("no output format given", hint="docgraph edits export FOLDER --patch")
    if by_owner and (output is None or output == STANDARD):
        raise UserError("--by-owner needs --output", hint="--output corrections.patch")
    more: dict[str, Any] = {"owner_fields": owner} if owner else {}
    more |= {"exclude": exclude or (), "gitignore": not no_gitignore}
    with opened(workspace) as docgraph, import_progress(quiet=json or output is None) as progress:
        made = docgraph.relationships.patch(folder, profile=profile, progress=progress, **more)
    written: dict[str, str] = {}
    if output is not None and output != STANDARD:
        pieces = made.by_owner() if by_owner else {"": made.data}
        for number, (who, data) in enumerate(pieces.items(), start=1):
            name = f"{output.removesuffix('.patch')}-{number}.patch" if by_owner else output
            written[str(write_file(name, [data], instead="corrections.patch"))] = who
    elif not json:
        sys.stdout.buffer.write(made.data)
        sys.stdout.flush()
    if json:
        write_json(made)
    else:
        show_patch(made, written)


def history(
    document: Annotated[
        str | None, typer.Option("--document", "-d", metavar="ID", help="Source or target of the relationship.")
    ] = None,
    limit: Annotated[
        int, typer.Option("--limit", "-n", metavar="N", min=1, max=1_000_000, help="Entries shown, newest first.")
    ] = 50,
    before: Annotated[
        int | None, typer.Option("--before", metavar="ENTRY", min=1, help="Only entries before this one.")
    ] = None,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """List who changed which relationship, when and why. Newest first."""
    with opened(workspace) as docgraph:
        entries = docgraph.relationships.history(document_id=document, limit=limit, before=before)
        name = docgraph.workspace_name
    if json:
        _write(entries, workspace=name)
    else:
        show_history(entries, limit=limit, workspace=name)


def undo(
    entry: Annotated[
        int | None, typer.Argument(metavar="[ENTRY]", help="Its number in the history.", show_default=False)
    ] = None,
    act: Annotated[
        int | None,
        typer.Option("--act", metavar="ACT", min=1, help="All changes of one call, named by its first entry."),
    ] = None,
    by: ByOption = None,
    reason: ReasonOption = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be written; write nothing.")] = False,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Undo one change, or all changes of one call. Refused when later changes depend on it."""
    if (entry is None) == (act is None):
        raise UserError(
            "nothing to undo was named" if entry is None else f"entry {entry} and act {act} cannot be combined",
            hint="docgraph undo ENTRY, or docgraph undo --act ACT; docgraph history lists them",
        )
    who = account() if by is None else by
    with opened(workspace) as docgraph:
        if act is not None:
            done = docgraph.relationships.undo_act(str(act), by=who, reason=reason, dry_run=dry_run)
        else:
            assert entry is not None
            done = (docgraph.relationships.undo(entry, by=who, reason=reason, dry_run=dry_run),)
        name = docgraph.workspace_name
    if json:
        _write(done, workspace=name, dry_run=dry_run)
    else:
        show_entries(done, dry_run=dry_run)


def _edit(action: Doing, key: tuple[str, str, str], new: str | None) -> Edit:
    """The edit. Raises RequestError for a NEW too many or too few, and for ids and types that cannot be."""
    words = f"{action.value} {' '.join(repr(part[:80]) for part in key)}"
    if new is None and action in (Doing.RETYPE, Doing.RETARGET):
        what = "the new type" if action is Doing.RETYPE else "the new target"
        raise RequestError(f"{words} lacks {what}", hint=f"docgraph edit {action.value} FROM TYPE TO NEW")
    if new is not None and action in (Doing.ACCEPT, Doing.REMOVE, Doing.ADD):
        raise RequestError(f"{words} does not take {new[:80]!r}", hint=f"docgraph edit {action.value} FROM TYPE TO")
    field = "to_document_id" if action is Doing.RETARGET else "relation_type"
    try:
        return Edit.model_validate({"action": action.value, "key": key, field: new})
    except ValidationError as error:
        reason = error.errors(include_url=False, include_input=False)[0]["msg"]
        raise RequestError(
            f"{words}{'' if new is None else f' {new[:80]!r}'}: {reason}",
            hint="ids have 1 to 512 characters, types 1 to 100, none of them a control character",
        ) from error


def _write(entries: Sequence[HistoryEntry], **more: Any) -> None:
    write_json({**more, "entries": [entry.model_dump(mode="json") for entry in entries]})
