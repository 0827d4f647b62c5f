"""The application: every command under its name, in the order in which one comes to use them."""

from __future__ import annotations

from typing import Annotated

import typer

import docgraph
from docgraph.cli.commands import (
    calibrate,
    check,
    compare,
    converse,
    dashboard,
    doctor,
    documents,
    edit,
    ignore,
    impact,
    ingest,
    judge,
    mcp,
    memory,
    plan,
    relationships,
    retrieve,
    rules,
    runs,
    schema,
    suggestions,
    vocabulary,
    workspaces,
)

application = typer.Typer(
    name="docgraph",
    help="Plan retrieval over related documents, see why each one takes part, and execute the plan.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"docgraph {docgraph.__version__}")
        raise typer.Exit


@application.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Plan retrieval over related documents, see why each one takes part, and execute the plan."""


application.command()(ingest.ingest)
application.command()(plan.plan)
application.command()(plan.run)
application.command()(plan.explain)
application.command()(plan.execute)
application.command()(retrieve.retrieve)
application.command()(converse.converse)
application.add_typer(memory.application, name="memory")
application.command()(calibrate.calibrate)
application.command()(compare.compare)
application.command()(check.check)
application.command()(ignore.ignore)
application.command()(ignore.withdraw)
application.add_typer(rules.application, name="rules")
application.command()(vocabulary.vocabulary)
application.add_typer(suggestions.application, name="suggestions")
application.command()(impact.impact)
application.command()(edit.edit)
application.command()(edit.history)
application.command()(edit.undo)
application.command()(judge.judge)
application.command()(judge.judgments)
application.add_typer(runs.application, name="runs")
application.add_typer(workspaces.application, name="workspaces")
application.command()(documents.documents)
application.add_typer(relationships.application, name="relationships")
application.command()(dashboard.dashboard)
application.command()(mcp.mcp)
application.command()(doctor.doctor)
application.command()(schema.schema)
