"""The commands under ``suggestions``: relationships that nobody stated yet, accepted or rejected by a person."""

from __future__ import annotations

from typing import Annotated

import typer
from pydantic import ValidationError

from docgraph.boundary.variables import account
from docgraph.cli.commands.edit import ReasonOption
from docgraph.cli.run_options import ByOption
from docgraph.cli.session import JsonOption, WorkspaceOption, opened
from docgraph.cli.text.edits import show_entries
from docgraph.cli.text.output import heading, line, one_line, write_json
from docgraph.domain.edit import Edit
from docgraph.domain.suggestion import Suggestion, Suggestions
from docgraph.errors import NotFoundError, RequestError
from docgraph.views.relationships import suggestions
from docgraph.views.words.texts import excerpt

application = typer.Typer(help="List suggested relationships; accept or reject them.", no_args_is_help=False)
MIN_ID = 4
MAX_SENTENCE = 400
LimitOption = Annotated[
    int, typer.Option("--limit", "-n", metavar="N", min=1, max=1_000, help="Suggestions shown; --json returns all.")
]
SuggestionArgument = Annotated[
    str, typer.Argument(metavar="ID", help="Suggestion id; the first 4 characters are enough.", show_default=False)
]


@application.callback(invoke_without_command=True)
def default(
    context: typer.Context, limit: LimitOption = 20, workspace: WorkspaceOption = None, json: JsonOption = False
) -> None:
    """List suggested relationships; accept or reject them."""
    if context.invoked_subcommand is not None:
        return
    with opened(workspace) as docgraph:
        found = docgraph.relationships.suggestions()
    if json:
        write_json(found)
    else:
        show_suggestions(found, limit=limit)


@application.command()
def accept(
    suggestion_id: SuggestionArgument,
    relation_type: Annotated[
        str | None, typer.Option("--type", metavar="TYPE", help="Relationship type (default: the first one proposed).")
    ] = None,
    flip: Annotated[bool, typer.Option("--flip", help="Reverse its direction.")] = False,
    new_type: Annotated[bool, typer.Option("--new-type", help="Allow a type that is not used yet.")] = False,
    by: ByOption = None,
    reason: ReasonOption = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be written; write nothing.")] = False,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Accept a suggestion and add the relationship. Its origin and author are recorded."""
    with opened(workspace) as docgraph:
        suggestion = _named(docgraph.relationships.suggestions(), suggestion_id)
        change = _edit(suggestion, relation_type, flip=flip)
        who = account() if by is None else by
        entries = docgraph.relationships.edit([change], by=who, reason=reason, dry_run=dry_run, new_types=new_type)
        name = docgraph.workspace_name
    if json:
        said = [entry.model_dump(mode="json") for entry in entries]
        write_json({"workspace": name, "dry_run": dry_run, "entries": said})
    else:
        show_entries(entries, dry_run=dry_run)


@application.command()
def reject(
    suggestion_id: SuggestionArgument,
    by: ByOption = None,
    reason: ReasonOption = "",
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Reject a suggestion until one of the texts changes. docgraph withdraw ID reopens it."""
    with opened(workspace) as docgraph:
        suggestion = _named(docgraph.relationships.suggestions(), suggestion_id)
        who = account() if by is None else by
        made = docgraph.rules.dismiss([suggestion], by=who, reason=reason)
        name = docgraph.workspace_name
    if json:
        write_json({"workspace": name, "dismissals": [each.model_dump(mode="json") for each in made]})
    else:
        line((f"{suggestion.suggestion_id}  ", "dim"), f"rejected: {_sentence(suggestion)}")


def show_suggestions(found: Suggestions, *, limit: int) -> None:
    """Write what was looked at, and at most ``limit`` open suggestions with the words that speak for them."""
    if not found.suggestions:
        line(suggestions.nothing(found) if not found.rejected else f"{suggestions.looked_at(found)}.")
        return
    line((f"{suggestions.looked_at(found)}.", "bold"))
    for each in found.suggestions[:limit]:
        heading(_sentence(each), each.suggestion_id)
        if each.evidence:
            line((f"“{excerpt(one_line(each.evidence), MAX_SENTENCE)}”", "dim"), indent=2)
        if each.dismissal is not None:
            line(f"rejected by {one_line(each.dismissal.by)} before a text changed", indent=2)
        types = ", ".join(each.relation_types) or "none; give one with --type"
        line((f"proposed: {types} · {suggestions.strength(each)}", "dim"), indent=2)
    line("")
    shown = min(limit, len(found.suggestions))
    rest = f"{shown:,} of {found.n_found:,} shown; " if shown < found.n_found else ""
    line((f"{rest}docgraph suggestions accept ID [--type TYPE] [--flip], or reject ID", "dim"))


def _named(found: Suggestions, suggestion_id: str) -> Suggestion:
    """The one suggestion whose id begins so, an open one first. Raises NotFoundError, RequestError."""
    wanted = suggestion_id.strip().lower()
    there = [*found.suggestions, *found.rejected]
    named = [each for each in there if len(wanted) >= MIN_ID and each.suggestion_id.startswith(wanted)]
    if not named:
        raise NotFoundError(f"there is no suggestion {suggestion_id[:60]!r}", hint="list them: docgraph suggestions")
    if len(named) > 1:
        raise RequestError(
            f"{len(named)} suggestions begin with {suggestion_id[:60]!r}", hint="give more characters of the id"
        )
    return named[0]


def _edit(suggestion: Suggestion, relation_type: str | None, *, flip: bool) -> Edit:
    """The edit that accepts it. Raises RequestError without a type, and for one that cannot be a type."""
    if relation_type is None and not suggestion.relation_types:
        raise RequestError("no type is proposed: no relationship type exists yet", hint="give one: --type TYPE")
    via = suggestion.relation_types[0] if relation_type is None else relation_type.strip()
    if not via:
        raise RequestError("--type is empty", hint="give a type, or omit --type for the first proposed one")
    try:
        return suggestion.edit(via, flipped=flip)
    except ValidationError as error:
        raise RequestError(
            f"{via[:120]!r} cannot be a relation type", hint="1 to 100 characters, none of them a control character"
        ) from error


def _sentence(suggestion: Suggestion) -> str:
    return excerpt(one_line(suggestion.sentence), MAX_SENTENCE)
