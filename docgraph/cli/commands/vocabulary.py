"""The command ``vocabulary``: the relation types of a workspace, and merging some of them into one."""

from __future__ import annotations

from typing import Annotated

import typer

from docgraph.boundary.variables import account
from docgraph.cli.commands.edit import ReasonOption
from docgraph.cli.run_options import ByOption
from docgraph.cli.session import JsonOption, WorkspaceOption, opened
from docgraph.cli.text.output import heading, line, table, write_json
from docgraph.domain.vocabulary import TypeUse, Vocabulary
from docgraph.errors import RequestError
from docgraph.views.relationships import vocabulary as rows

MAX_DIRECTIONS = 3
"""Directions of a type that the text names; the JSON has all."""


def vocabulary(
    merge: Annotated[
        list[str] | None,
        typer.Option("--merge", metavar="TYPE", help="Change its relationships to the type --into; repeatable."),
    ] = None,
    into: Annotated[str | None, typer.Option("--into", metavar="TYPE", help="The new type for --merge.")] = None,
    by: ByOption = None,
    reason: ReasonOption = "",
    new_type: Annotated[bool, typer.Option("--new-type", help="Allow an --into that is not used yet.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what --merge would do; write nothing.")] = False,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """List the relationship types, and which look alike.

    With counts and directions; --merge combines several types into one.

    A relationship that already exists under the new type is removed. Every change can be undone.
    """
    if not merge:
        if into is not None or dry_run or new_type:
            raise RequestError("nothing to merge", hint="docgraph vocabulary --merge OLD --into NEW")
        with opened(workspace) as docgraph:
            found = docgraph.relationships.vocabulary()
        write_json(found) if json else show_vocabulary(found)
        return
    if into is None:
        raise RequestError("--merge needs --into", hint="docgraph vocabulary --merge OLD --into NEW")
    with opened(workspace) as docgraph:
        edits = docgraph.relationships.merge_edits(merge, into)
        who = account() if by is None else by
        why = reason or rows.merge_reason(merge, into)
        entries = docgraph.relationships.edit(edits, by=who, reason=why, dry_run=dry_run, new_types=new_type)
        name = docgraph.workspace_name
    if json:
        said = [entry.model_dump(mode="json") for entry in entries]
        write_json({"workspace": name, "dry_run": dry_run, "entries": said})
        return
    line(rows.merge_preview(edits, into).sentence)
    if dry_run:
        line(("Nothing was written.", "dim"))
    elif entries:
        first, last = entries[0].entry_id, entries[-1].entry_id
        one = f"entry {first}" if first == last else f"entries {first} to {last}"
        line((f"{one} of the history; undo one with: docgraph undo ENTRY", "dim"))


def show_vocabulary(found: Vocabulary) -> None:
    """Write the denominators, a table of types, and what is to be looked at: look-alikes, unusual directions."""
    line((rows.headline(found), "bold"))
    if not found.types:
        return
    line("")
    columns = ("type", "relationships", "reviewed", "no target", "questions", "remarks")
    numbers = columns[1:5]
    table(columns, [_row(use, found) for use in found.types], right=numbers, wrap=True)
    heading("Directions")
    cells = [(use.relation_type, _directions(use)) for use in found.types if use.directions]
    table(("type", "from → to, how often"), cells, wrap=True)


def _row(use: TypeUse, found: Vocabulary) -> tuple[object, ...]:
    said = list(rows.marks(use))
    if use.look_alikes:
        said.append(f"looks like {', '.join(use.look_alikes)}")
    if use.inverses:
        said.append(f"inverse of {', '.join(use.inverses)}")
    asked = use.n_questions if found.n_questions else None
    return (use.relation_type, use.n, use.n_reviewed, use.n_dangling, asked, "; ".join(said))


def _directions(use: TypeUse) -> str:
    ways = rows.directions(use)
    more = f"; {len(ways) - MAX_DIRECTIONS:,} more" if len(ways) > MAX_DIRECTIONS else ""
    return "; ".join(way.text for way in ways[:MAX_DIRECTIONS]) + more
