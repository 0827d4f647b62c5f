"""The commands under ``runs``: saved runs listed, shown frozen, described, pinned, run again, put away."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from docgraph.cli.commands.documents import LimitOption
from docgraph.cli.commands.questions import save_questions
from docgraph.cli.commands.review import review
from docgraph.cli.run_options import frozen_link, show_about
from docgraph.cli.session import JsonOption, RunArgument, WorkspaceOption, opened
from docgraph.cli.text import answers
from docgraph.cli.text.blocks import show_blocks
from docgraph.cli.text.output import line, printable, table, write_json
from docgraph.domain.saved_run import CorpusChanges, RunSummary
from docgraph.errors import ConflictError, UserError
from docgraph.views.report.of_comparisons import comparison_blocks
from docgraph.views.runs import standing
from docgraph.views.words import moments
from docgraph.views.words.staleness import ChangedRow, staleness

application = typer.Typer(help="List saved runs; show, rename, pin, rerun, review.", no_args_is_help=False)
ALL = 1_000_000
NameOption = Annotated[str | None, typer.Option("--name", metavar="NAME", help="The new name.")]
NoteOption = Annotated[str | None, typer.Option("--note", metavar="TEXT", help="The new note; empty removes it.")]
YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]


@application.callback(invoke_without_command=True)
def default(context: typer.Context, workspace: WorkspaceOption = None, json: JsonOption = False) -> None:
    """List saved runs; show, rename, pin, rerun, review."""
    if context.invoked_subcommand is None:
        list_runs(workspace, json=json)


@application.command("list")
def list_runs(
    workspace: WorkspaceOption = None,
    text: Annotated[str, typer.Option("--text", metavar="PART", help="Text in the name, note, question or id.")] = "",
    everywhere: Annotated[bool, typer.Option("--all", help="Runs of all workspaces.")] = False,
    deleted: Annotated[bool, typer.Option("--deleted", help="Deleted runs that can be restored.")] = False,
    limit: LimitOption = 200,
    json: JsonOption = False,
) -> None:
    """List saved runs: pinned ones first, then the newest."""
    with opened(workspace) as docgraph:
        found = docgraph.runs.list(text=text, everywhere=everywhere, deleted=deleted, limit=ALL if json else limit)
        here = "all workspaces" if everywhere else docgraph.workspace_name
    if json:
        write_json({"runs": [summary.model_dump(mode="json") for summary in found]})
        return
    if found:
        columns = ("run", "pin", "saved", "by", "documents", "chunks", "approved by", "name")
        table(columns, [_row(summary) for summary in found], right=("documents", "chunks"))
        line("")
    kind = "deleted" if deleted else "saved"
    plural = "run" if len(found) == 1 else "runs"
    line((f"{len(found):,} {kind} {plural} in {here}{', filtered' if text else ''}", "dim"))


def _row(summary: RunSummary) -> tuple[object, ...]:
    return (
        summary.run_id,
        "pinned" if summary.pinned else "",
        moments.moment(summary.saved_at),
        moments.person(summary.saved_by),
        moments.documents(summary),
        summary.n_chunks,
        summary.approved_by or None,
        moments.name_of(summary),
    )


@application.command()
def show(
    run_id: RunArgument,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
    text: Annotated[bool, typer.Option("--text", help="Write only the assembled context.")] = False,
) -> None:
    """Show a saved run as it was stored.

    Starts with what changed in the data since.
    """
    with opened(workspace) as docgraph:
        saved = docgraph.runs.get(run_id)
        if text and not json:
            sys.stdout.write(printable(saved.run.assembled.text) + "\n")
            return
        changes, reviews = docgraph.runs.changes_since(saved), docgraph.runs.reviews(saved.run_id)
        approved_by = standing(reviews).approved_by
    if json:
        write_json(
            {
                "saved": saved.model_dump(mode="json"),
                "changes": changes.model_dump(mode="json"),
                "reviews": [entry.model_dump(mode="json") for entry in reviews],
                "approved_by": approved_by,
                "link": frozen_link(saved.run_id),
            }
        )
        return
    show_about(saved, approved_by=approved_by)
    show_changes(changes)
    line("")
    answers.show_run(saved.run)


@application.command()
def describe(
    run_id: RunArgument,
    workspace: WorkspaceOption = None,
    name: NameOption = None,
    note: NoteOption = None,
    json: JsonOption = False,
) -> None:
    """Change the name or the note of a saved run."""
    if name is None and note is None:
        raise UserError("nothing to change", hint="give --name NAME or --note TEXT")
    with opened(workspace) as docgraph:
        _tell(docgraph.runs.describe(run_id, name=name, note=note), "described", json=json)


@application.command()
def rename(
    run_id: RunArgument,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The new name.", show_default=False)],
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Rename a saved run."""
    with opened(workspace) as docgraph:
        _tell(docgraph.runs.describe(run_id, name=name), "renamed", json=json)


@application.command()
def pin(run_id: RunArgument, workspace: WorkspaceOption = None, json: JsonOption = False) -> None:
    """Pin a saved run as a baseline; it is listed first."""
    with opened(workspace) as docgraph:
        _tell(docgraph.runs.describe(run_id, pinned=True), "pinned", json=json)


@application.command()
def unpin(run_id: RunArgument, workspace: WorkspaceOption = None, json: JsonOption = False) -> None:
    """Unpin a saved run."""
    with opened(workspace) as docgraph:
        _tell(docgraph.runs.describe(run_id, pinned=False), "unpinned", json=json)


@application.command()
def rerun(run_id: RunArgument, workspace: WorkspaceOption = None, json: JsonOption = False) -> None:
    """Run its question again on today's data.

    Shows what changed in the data, then what changed from the saved run to today's.
    """
    with opened(workspace) as docgraph:
        saved = docgraph.runs.get(run_id)
        changes, comparison = docgraph.runs.changes_since(saved), docgraph.runs.rerun(saved)
    if json:
        write_json({"changes": changes.model_dump(mode="json"), "comparison": comparison.model_dump(mode="json")})
        return
    show_changes(changes)
    line("")
    show_blocks(comparison_blocks(comparison))


application.command()(review)
application.command("save-questions")(save_questions)


@application.command()
def delete(
    run_id: RunArgument,
    workspace: WorkspaceOption = None,
    forever: Annotated[bool, typer.Option("--forever", help="Remove it permanently.")] = False,
    yes: YesOption = False,
    json: JsonOption = False,
) -> None:
    """Delete a saved run; it can be restored.

    --forever removes it together with its review.
    """
    with opened(workspace) as docgraph:
        if forever and not yes and not typer.confirm(f"Remove the saved run {run_id[:64]} permanently?", err=True):
            raise ConflictError(f"{run_id[:64]} was not removed", hint="answer y, or give --yes")
        done = "removed permanently" if forever else "deleted"
        _tell(docgraph.runs.delete(run_id, forever=forever), done, json=json, undo=not forever)


@application.command()
def restore(run_id: RunArgument, workspace: WorkspaceOption = None, json: JsonOption = False) -> None:
    """Restore a deleted run."""
    with opened(workspace) as docgraph:
        _tell(docgraph.runs.restore(run_id), "restored", json=json)


def _tell(summary: RunSummary, done: str, *, json: bool, undo: bool = False) -> None:
    if json:
        write_json(summary)
        return
    line(f"{done}: ", (moments.name_of(summary), "bold"), (f"  {summary.run_id}", "dim"))
    if undo:
        line((f"docgraph runs restore {summary.run_id} restores it", "dim"))


def show_changes(changes: CorpusChanges) -> None:
    """One line whether the data are still those of the run, then what changed in them, that of the run first."""
    found = staleness(changes)
    line((f"{found.sentence[:1].upper()}{found.sentence[1:]}.", "dim" if found.state == "fresh" else "yellow"))
    if found.remark:
        line((found.remark, "dim"))
    if found.rows:
        table(("", "name", "what"), [(row.kind, row.name, _what(row)) for row in found.rows], wrap=True)
    if found.counted:
        line((f"  {found.counted}: --json lists all", "dim"))


def _what(row: ChangedRow) -> str:
    return f"{row.what} (in this run)" if row.in_run else row.what
