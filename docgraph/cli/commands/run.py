"""The commands that read what a plan allows, ``run`` and ``execute``, and ``explain``, which says why."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from docgraph.boundary.files.regular import named_file, reason_of
from docgraph.cli.request_options import with_request_options
from docgraph.cli.run_options import (
    ByOption,
    NoteOption,
    PinOption,
    SaveOption,
    check_save_options,
    save_run,
    saved_text,
)
from docgraph.cli.session import JsonOption, WorkspaceOption, asked, opened
from docgraph.cli.text import answers
from docgraph.cli.text.output import printable, write_json
from docgraph.domain.plan import MAX_PLAN_BYTES, parse_plan
from docgraph.domain.request import RetrievalRequest
from docgraph.errors import PlanError

TextOption = Annotated[bool, typer.Option("--text", help="Write only the assembled context, as sent to a model.")]
BudgetOption = Annotated[
    int, typer.Option("--token-budget", metavar="N", min=50, max=200_000, help="Token budget of the context.")
]


@with_request_options
def run(
    request: RetrievalRequest,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
    text: TextOption = False,
    save: SaveOption = None,
    note: NoteOption = None,
    by: ByOption = None,
    pin: PinOption = False,
) -> None:
    """Plan, then retrieve the passages for a question. --save stores the run."""
    if save is None:
        check_save_options(note=note, by=by, pin=pin)
    with asked(request, workspace) as docgraph:
        made = docgraph.run(request, verify="full")
        saved = None if save is None else save_run(docgraph, made, save, note=note, by=by, pin=pin)
    if json:
        write_json(saved or made)
    elif text:
        sys.stdout.write(printable(made.assembled.text) + "\n")
    else:
        answers.show_run(made)
    if saved is not None:  # beside an answer that a program reads, it stands on the standard error
        print(saved_text(saved), file=sys.stderr if json or text else sys.stdout)


@with_request_options
def explain(
    request: RetrievalRequest,
    document: Annotated[str, typer.Option("--document", "-d", metavar="ID", help="The document's id.")],
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Explain why a document is in a plan, or why not."""
    with asked(request, workspace) as docgraph:
        why = docgraph.explain(request, document)
    if json:
        write_json(why)
    else:
        answers.show_explanation(why)


def execute(
    plan_file: Annotated[str, typer.Argument(metavar="FILE", help="A plan as JSON; - = standard input.")],
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
    text: TextOption = False,
    token_budget: BudgetOption = 2000,
) -> None:
    """Execute a saved plan: read only the documents it allows."""
    read = parse_plan(_plan_bytes(plan_file))
    with opened(workspace or read.workspace) as docgraph:
        context = docgraph.execute(read)
        assembled = docgraph.assemble(context, token_budget=token_budget)
    if json:
        write_json({"context": context.model_dump(mode="json"), "assembled": assembled.model_dump(mode="json")})
    elif text:
        sys.stdout.write(printable(assembled.text) + "\n")
    else:
        answers.show_context(context)
        answers.show_tokens(assembled)


def _plan_bytes(name: str) -> bytes:
    """At most one byte more than a plan may have, so that a wrong file is never read whole."""
    try:
        if name == "-":
            return sys.stdin.buffer.read(MAX_PLAN_BYTES + 1)
        with named_file(name) as file:
            return file.read(MAX_PLAN_BYTES + 1)
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        reason = reason_of(error)
        raise PlanError(f"cannot read the plan {name[:200]!r}: {reason}", hint="name a file, or -") from error
