"""The application: every command under its name, in the order in which one comes to use them; imported when used."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from functools import cache
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

import docgraph

PANELS = {
    "Ask": {
        "plan": "plan",
        "run": "run",
        "compare": "compare",
        "converse": "converse",
        "explain": "run",
        "retrieve": "retrieve",
        "execute": "run",
        "runs": "runs",
        "memory": "memory",
    },
    "Relationships": {
        "relationships": "relationships",
        "check": "check",
        "ignore": "triage",
        "withdraw": "triage",
        "triage": "triage",
        "suggestions": "suggestions",
        "impact": "impact",
        "edit": "edit",
        "edits": "edit",
        "history": "edit",
        "undo": "edit",
        "vocabulary": "vocabulary",
        "rules": "rules",
    },
    "Evaluate": {
        "gate": "gate",
        "query-sets": "query_sets",
        "evaluate": "evaluate",
        "scoreboard": "evaluate",
        "judge": "judge",
        "judgments": "judge",
        "calibrate": "calibrate",
    },
    "Data": {
        "ingest": "ingest",
        "imports": "ingest",
        "documents": "documents",
        "workspaces": "workspaces",
        "backup": "backup",
        "restore": "backup",
    },
    "Operate": {
        "dashboard": "dashboard",
        "doctor": "doctor",
        "mcp": "mcp",
        "serve": "serve",
        "people": "people",
        "db": "db",
        "upgrade": "backup",
        "schema": "schema",
        "uninstall-data": "backup",
    },
}
"""Panel of the help → command → the module of this folder that holds it: a function of its name, or a group of its own.

Panels and commands stand in the order in which the help and docs/cli.md list them.
"""
MODULES = {name: module for commands in PANELS.values() for name, module in commands.items()}
WIDEST = max(map(len, MODULES))
PANEL_OF = {name: panel for panel, commands in PANELS.items() for name in commands}
FIRST = {
    "dashboard": "Ask, compare and curate in the browser.",
    "ingest FOLDER": "Import your own documents.",
    'plan "QUESTION"': "See which documents would be read, and why.",
    'compare "QUESTION"': "See what relationships change in the answer.",
    "doctor": "Check the installation.",
}
"""The five command lines that a newcomer needs first → what for; they stand above the panels."""


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"docgraph {docgraph.__version__}")
        raise typer.Exit


def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Plan retrieval over related documents, see why each one is read, and execute the plan."""


class PanelGroup(TyperGroup):
    """Lists the commands by panel, below those that a newcomer needs first, as plain text."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write a section for each panel. Typer publishes the types of neither argument."""
        with formatter.section("Start with"):
            formatter.write_dl([(f"docgraph {typed}", purpose) for typed, purpose in FIRST.items()])
        room = formatter.width - 4 - WIDEST
        for panel in PANELS:
            names = [name for name in PANELS[panel] if name in self.commands]
            if names:
                rows = [(name.ljust(WIDEST), self.commands[name].get_short_help_str(room)) for name in names]
                with formatter.section(panel):
                    formatter.write_dl(rows)


def application_for(arguments: Sequence[str]) -> typer.Typer:
    """What can run ``arguments``: their command alone where they begin with one, else all (for help, and for typos)."""
    first = arguments[0] if arguments else ""
    return application(first) if first in MODULES else application()


@cache
def application(*names: str) -> typer.Typer:
    """The commands ``names``, all when there are none, as one application."""
    app = typer.Typer(
        name="docgraph",
        cls=PanelGroup,
        help=_root.__doc__,
        no_args_is_help=True,
        add_completion=not names,  # its options belong to the whole, and an installed completion asks for all of it
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_root)
    for name in names or MODULES:
        module = importlib.import_module(f"{__name__}.{MODULES[name]}")
        group = getattr(module, "application", getattr(module, name.replace("-", "_"), None))
        if isinstance(group, typer.Typer):
            app.add_typer(group, name=name, rich_help_panel=PANEL_OF[name])
        else:
            app.command(name, rich_help_panel=PANEL_OF[name])(getattr(module, name.replace("-", "_")))
    return app
