"""The application: every command under its name, in the order in which one comes to use them."""

from __future__ import annotations

from typing import Annotated

import typer

import docgraph
from docgraph.cli import (
    asking,
    calibrate,
    checking,
    comparing,
    converse,
    dashboard,
    doctor,
    editing,
    holdings,
    ignoring,
    impact,
    ingesting,
    judging,
    mcp,
    memory,
    relationships,
    retrieving,
    rules,
    runs,
    schemas,
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


application.command()(ingesting.ingest)
application.command()(asking.plan)
application.command()(asking.run)
application.command()(asking.explain)
application.command()(asking.execute)
application.command()(retrieving.retrieve)
application.command()(converse.converse)
application.add_typer(memory.application, name="memory")
application.command()(calibrate.calibrate)
application.command()(comparing.compare)
application.command()(checking.check)
application.command()(ignoring.ignore)
application.command()(ignoring.withdraw)
application.add_typer(rules.application, name="rules")
application.command()(vocabulary.vocabulary)
application.add_typer(suggestions.application, name="suggestions")
application.command()(impact.impact)
application.command()(editing.edit)
application.command()(editing.history)
application.command()(editing.undo)
application.command()(judging.judge)
application.command()(judging.judgments)
application.add_typer(runs.application, name="runs")
application.add_typer(workspaces.application, name="workspaces")
application.command()(holdings.documents)
application.add_typer(relationships.application, name="relationships")
application.command()(dashboard.dashboard)
application.command()(mcp.mcp)
application.command()(doctor.doctor)
application.command()(schemas.schema)
