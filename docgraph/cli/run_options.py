"""What the commands that save and show runs share: who saves, the options of ``run --save``, and how a run is named."""

from __future__ import annotations

from typing import Annotated

import typer

from docgraph.boundary.variables import account
from docgraph.cli.text.output import line, one_line
from docgraph.domain.run import Run
from docgraph.domain.saved_run import RunSummary, SavedRun
from docgraph.errors import UserError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.views.words.moments import moment, name_of, person

SaveOption = Annotated[str | None, typer.Option("--save", metavar="NAME", help="Save the run under a name.")]
NoteOption = Annotated[str | None, typer.Option("--note", metavar="TEXT", help="A note on the saved run.")]
ByOption = Annotated[str | None, typer.Option("--by", metavar="PERSON", help="Author (default: the system user).")]
PinOption = Annotated[bool, typer.Option("--pin", help="Pin the saved run as a baseline.")]


def save_run(
    docgraph: Docgraph, run: Run, name: str, *, note: str | None = None, by: str | None = None, pin: bool = False
) -> SavedRun:
    """Keep a run as ``by``, or as the user of the system."""
    return docgraph.runs.save(run, name=name, note=note or "", by=account() if by is None else by, pinned=pin)


def check_save_options(*, note: str | None, by: str | None, pin: bool) -> None:
    """Raises UserError when one of them was given without ``--save``."""
    given = {"--note": note is not None, "--by": by is not None, "--pin": pin}
    if stray := next((flag for flag, there in given.items() if there), None):
        raise UserError(f"{stray} needs --save", hint="give --save NAME as well")


def frozen_link(run_id: str) -> str:
    """The path of a saved run below the address of the dashboard."""
    return f"/plan?run={run_id}"


def saved_text(saved: SavedRun | RunSummary) -> str:
    """``saved as 3f2a… "Name": /plan?run=3f2a…`` on one line."""
    return f"saved as {saved.run_id} “{one_line(name_of(saved))}”: {frozen_link(saved.run_id)}"


def show_about(saved: SavedRun, *, approved_by: str) -> None:
    """Name, id, when, by whom, note, and the link of a saved run."""
    pinned = "  pinned" if saved.pinned else ""
    line((one_line(name_of(saved)), "bold"), (f"  {saved.run_id}{pinned}", "dim"))
    if saved.note:
        line(one_line(saved.note))
    line((f"saved {moment(saved.saved_at)} by {one_line(person(saved.saved_by))} in {saved.workspace}", "dim"))
    line(f"approved by {one_line(approved_by)}" if approved_by else ("not approved", "dim"))
    line(("link  ", "dim"), frozen_link(saved.run_id))
