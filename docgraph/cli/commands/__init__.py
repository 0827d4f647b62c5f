"""The application: every command under its name, in the order in which one comes to use them; imported when used."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from functools import cache
from typing import Annotated

import typer

import docgraph

MODULES = {
    "ingest": "ingest",
    "imports": "ingest",
    "plan": "plan",
    "run": "run",
    "explain": "run",
    "execute": "run",
    "retrieve": "retrieve",
    "converse": "converse",
    "memory": "memory",
    "calibrate": "calibrate",
    "compare": "compare",
    "evaluate": "evaluate",
    "scoreboard": "evaluate",
    "check": "check",
    "ignore": "triage",
    "withdraw": "triage",
    "triage": "triage",
    "rules": "rules",
    "vocabulary": "vocabulary",
    "suggestions": "suggestions",
    "impact": "impact",
    "edit": "edit",
    "edits": "edit",
    "history": "edit",
    "undo": "edit",
    "judge": "judge",
    "judgments": "judge",
    "runs": "runs",
    "query-sets": "query_sets",
    "workspaces": "workspaces",
    "backup": "backup",
    "restore": "backup",
    "upgrade": "backup",
    "db": "db",
    "documents": "documents",
    "relationships": "relationships",
    "dashboard": "dashboard",
    "people": "people",
    "mcp": "mcp",
    "doctor": "doctor",
    "schema": "schema",
}
"""Command → the module of this folder that holds it: a function of its name, or an ``application`` of its own."""


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"docgraph {docgraph.__version__}")
        raise typer.Exit


def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Plan retrieval over related documents, see why each one takes part, and execute the plan."""


def application_for(arguments: Sequence[str]) -> typer.Typer:
    """What can run ``arguments``: their command alone where they begin with one, else all (for help, and for typos)."""
    first = arguments[0] if arguments else ""
    return application(first) if first in MODULES else application()


@cache
def application(*names: str) -> typer.Typer:
    """The commands ``names``, all when there are none, as one application."""
    app = typer.Typer(
        name="docgraph",
        help=_root.__doc__,
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_root)
    for name in names or MODULES:
        module = importlib.import_module(f"{__name__}.{MODULES[name]}")
        group = getattr(module, "application", getattr(module, name, None))
        if isinstance(group, typer.Typer):
            app.add_typer(group, name=name)
        else:
            app.command()(getattr(module, name))
    return app
