"""The commands under ``query-sets``: kept sets of questions listed, shown, removed, and their evaluations."""

from __future__ import annotations

from typing import Annotated

import typer

from docgraph.cli.session import JsonOption, WorkspaceOption, opened
from docgraph.cli.text.output import count, line, table, write_json

application = typer.Typer(help="Kept query sets: list, show, remove, their runs.", no_args_is_help=False)
NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="The name of a kept query set.")]


@application.callback(invoke_without_command=True)
def default(context: typer.Context, workspace: WorkspaceOption = None, json: JsonOption = False) -> None:
    """Kept query sets: list, show, remove, their runs."""
    if context.invoked_subcommand is None:
        list_sets(workspace, json=json)


@application.command("list")
def list_sets(workspace: WorkspaceOption = None, json: JsonOption = False) -> None:
    """List kept query sets by name."""
    with opened(workspace) as docgraph:
        found = docgraph.query_sets.list()
    if json:
        write_json({"query_sets": [each.model_dump(mode="json") for each in found]})
        return
    if found:
        rows = [(each.name, str(each.n), str(each.n_judged), str(each.n_runs), each.at, each.by) for each in found]
        table(("name", "questions", "judged", "runs", "kept", "by"), rows, right=("questions", "judged", "runs"))
        line("")
    line(count(len(found), "query set"))


@application.command("show")
def show_set(name: NameArgument, workspace: WorkspaceOption = None, json: JsonOption = False) -> None:
    """Show the questions of a set, with how many documents are known to be relevant to each."""
    with opened(workspace) as docgraph:
        found = docgraph.query_sets.get(name)
    if json:
        write_json(found)
        return
    rows = [(q.query_id, q.kind, q.half, str(len(q.relevant)), q.query) for q in found.query_set.queries]
    table(("id", "kind", "half", "relevant", "question"), rows, right=("relevant",))


@application.command("remove")
def remove_set(name: NameArgument, workspace: WorkspaceOption = None) -> None:
    """Remove a set with its evaluations; what people judged stays."""
    with opened(workspace) as docgraph:
        docgraph.query_sets.remove(name)
    line(f"removed {name}")


@application.command("runs")
def list_evaluations(name: NameArgument, workspace: WorkspaceOption = None, json: JsonOption = False) -> None:
    """List the evaluations of a set, newest first."""
    with opened(workspace) as docgraph:
        found = docgraph.query_sets.runs(name)
    if json:
        write_json({"evaluations": [each.model_dump(mode="json") for each in found]})
        return
    if found:
        rows = [
            (e.evaluation_id, "pinned" if e.pinned else "", e.at, f"{e.n} of {e.n_asked}", e.by, e.note) for e in found
        ]
        table(("evaluation", "pin", "begun", "questions", "by", "note"), rows, right=("questions",))
        line("")
    line(count(len(found), "evaluation"))
