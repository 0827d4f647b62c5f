"""The commands ``rules …``: the rules of checks that are stored in a workspace."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Annotated

import typer

from docgraph.boundary.rules_toml import write_rules
from docgraph.cli.commands.check import rules_in
from docgraph.cli.session import JsonOption, WorkspaceOption, opened
from docgraph.cli.text.output import count, line, printable, write_json
from docgraph.domain.finding import Rule

application = typer.Typer(rich_markup_mode=None)


@application.callback(invoke_without_command=True)
def default(context: typer.Context, workspace: WorkspaceOption = None, json: JsonOption = False) -> None:
    """Show and change the rules for checks."""
    if context.invoked_subcommand is None:
        show(workspace, json)


@application.command()
def show(workspace: WorkspaceOption = None, json: JsonOption = False) -> None:
    """Write the stored rules as TOML, as set reads them."""
    with opened(workspace) as docgraph:
        _write(docgraph.rules.get(), docgraph.workspace_name, json=json)


@application.command("set")
def set_(
    file: Annotated[str, typer.Argument(metavar="FILE", help="Rules as TOML.", show_default=False)],
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Replace the stored rules with those of a file."""
    given = rules_in(file)
    with opened(workspace) as docgraph:
        docgraph.rules.set(given)
        if json:
            _write(docgraph.rules.get(), docgraph.workspace_name, json=True)
        else:
            line(f"{count(len(given), 'rule')} stored in {docgraph.workspace_name}.")


@application.command()
def reset(workspace: WorkspaceOption = None, json: JsonOption = False) -> None:
    """Delete the stored rules: every check runs with its defaults."""
    with opened(workspace) as docgraph:
        docgraph.rules.set({})
        if json:
            _write({}, docgraph.workspace_name, json=True)
        else:
            line(f"Every check of {docgraph.workspace_name} runs with its defaults.")


def _write(rules: Mapping[str, Rule], workspace: str, *, json: bool) -> None:
    if json:
        dumped = {check_id: rule.model_dump(mode="json") for check_id, rule in sorted(rules.items())}
        write_json({"workspace": workspace, "rules": dumped})
        return
    text = write_rules(rules) or f"# no rules stored in {workspace}: every check runs with its defaults\n"
    sys.stdout.buffer.write(printable(text).encode())
    sys.stdout.flush()
