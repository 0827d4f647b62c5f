"""The command ``runs review``: the checklist, notes and approval of a saved run, and their history."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from docgraph.boundary.variables import account
from docgraph.cli.session import JsonOption, RunArgument, WorkspaceOption, opened
from docgraph.cli.text.output import heading, line, one_line, table, write_json
from docgraph.domain.saved_run import CHECKLIST, ReviewEntry, ReviewKind
from docgraph.errors import UserError
from docgraph.views.runs import history, standing
from docgraph.views.words.moments import moment

KEYS = tuple(key for key, _ in CHECKLIST)


def review(
    run_id: RunArgument,
    workspace: WorkspaceOption = None,
    approve: Annotated[bool, typer.Option("--approve", help="Approve the run.")] = False,
    withdraw: Annotated[bool, typer.Option("--withdraw", help="Withdraw the approval.")] = False,
    item: Annotated[
        str | None, typer.Option("--item", metavar="KEY", help=f"Checklist item: {', '.join(KEYS)}.")
    ] = None,
    checked: Annotated[bool | None, typer.Option("--checked/--unchecked", help="Tick the item, or not.")] = None,
    note: Annotated[
        str | None, typer.Option("--note", metavar="TEXT", help="A note, alone or with one of these.")
    ] = None,
    by: Annotated[str | None, typer.Option("--by", metavar="PERSON", help="Author (default: the system user).")] = None,
    json: JsonOption = False,
) -> None:
    """Review a saved run, or show its review.

    One action at a time: tick an item, add a note, approve or withdraw.
    """
    kind = _kind(approve=approve, withdraw=withdraw, item=item, checked=checked, note=note)
    with opened(workspace) as docgraph:
        if kind is not None:
            docgraph.runs.review(
                run_id,
                kind,
                by=account() if by is None else by,
                item=item or "",
                checked=checked,
                text=note or "",
            )
        entries = docgraph.runs.reviews(run_id)
        approved_by = standing(entries).approved_by
    if json:
        write_json({"approved_by": approved_by, "reviews": [entry.model_dump(mode="json") for entry in entries]})
    else:
        _show(entries)


def _kind(
    *, approve: bool, withdraw: bool, item: str | None, checked: bool | None, note: str | None
) -> ReviewKind | None:
    """What is said, None for nothing. Raises UserError for things that cannot be said in one line."""
    if approve + withdraw + (item is not None) > 1:
        raise UserError("only one action per review entry", hint="give --approve, --withdraw or --item KEY")
    if item is not None and item not in KEYS:
        raise UserError(f"the checklist has no item {item[:60]!r}", hint=f"items are: {', '.join(KEYS)}")
    if item is not None and checked is None and note is None:
        raise UserError(f"no change given for {item!r}", hint="give --checked, --unchecked or --note TEXT")
    if item is None and checked is not None:
        raise UserError("--checked and --unchecked need --item", hint="give --item KEY as well")
    if note is not None and not note.strip():
        raise UserError("the note is empty", hint="give --note TEXT")
    said: list[tuple[bool, ReviewKind]] = [
        (approve, "approved"),
        (withdraw, "withdrawn"),
        (item is not None, "item"),
        (note is not None, "note"),
    ]
    return next((kind for is_said, kind in said if is_said), None)


def _show(entries: Sequence[ReviewEntry]) -> None:
    now = standing(entries)
    approved = f"approved by {one_line(now.approved_by)}, {moment(now.approved_at)}" if now.approved_by else ""
    line((approved or "not approved", "bold"), f"; {now.n_checked} of {len(now.items)} ticked")
    rows = [("yes" if i.checked else "no", i.key, f"{i.sentence}{f': {i.text}' if i.text else ''}") for i in now.items]
    table(("ticked", "item", "sentence"), rows, wrap=True)
    if entries:
        heading("History")
        steps = [
            (moment(s.at), s.by, s.what, f"{s.before} → {s.after}" if s.before else s.after) for s in history(entries)
        ]
        table(("when", "by", "what", "said"), steps, wrap=True)
