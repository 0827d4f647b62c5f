"""What the commands that keep evaluations share: a file's questions kept under a name, run, and what is told of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

from docgraph.boundary.text import one_line as single_line
from docgraph.boundary.variables import account
from docgraph.cli.text.output import line, one_line
from docgraph.domain.evaluation import KeptEvaluation
from docgraph.domain.query_set import MAX_SET_NAME, QuerySet
from docgraph.errors import RequestError, UserError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.ports import Progress

SaveOption = Annotated[
    str | None,
    typer.Option(
        "--save", metavar="NAME", help="Store questions and evaluation under a name.", rich_help_panel="Kept sets"
    ),
]
NoteOption = Annotated[
    str, typer.Option("--note", metavar="TEXT", help="A note on the evaluation.", rich_help_panel="Kept sets")
]
ByOption = Annotated[
    str | None,
    typer.Option("--by", metavar="PERSON", help="Author (default: the system user).", rich_help_panel="Kept sets"),
]


def check_save_options(*, save: str | None, keep: str | None, note: str, by: str | None) -> None:
    """Raises UserError for what belongs to kept evaluations only, or keeps the same outcomes twice."""
    if save is None and (note or by is not None):
        raise UserError(f"{'--note' if note else '--by'} needs --save", hint="give --save NAME as well")
    if save is not None and keep is not None:
        raise RequestError(
            "--save and --keep cannot be combined",
            hint="--save stores results in the database, --keep in a file",
        )


def kept_run(
    docgraph: Docgraph,
    name: str,
    *,
    queries: QuerySet | None,
    configurations: Mapping[str, Any],
    measures: Sequence[str] | None,
    request: Mapping[str, Any],
    workers: int,
    note: str,
    by: str | None,
    progress: Progress,
) -> KeptEvaluation:
    """Keep questions under a name where they are not kept so already, and run the set; None = those that are kept."""
    who, called = account() if by is None else by, single_line(name, MAX_SET_NAME)
    if queries is not None:
        there = {each.name: each.fingerprint for each in docgraph.query_sets.list()}
        if there.get(called) != queries.fingerprint:  # an equal one keeps its note and its date
            called = docgraph.query_sets.keep(queries, name=name, by=who).name
    return docgraph.query_sets.run(
        called,
        configurations,
        measures=measures,
        request=request,
        workers=workers,
        note=note,
        by=who,
        progress=progress,
    )


def tell_kept(kept: KeptEvaluation) -> None:
    """``kept as 3f2a… in the set "Name"``, and how to go on with one that was stopped."""
    line("")
    line((f"stored as {kept.evaluation_id} in the set “{one_line(kept.query_set)}”", "dim"))
    if not kept.whole:
        line(
            (f"{kept.n:,} of {kept.n_asked:,} questions are done; resume with: ", "yellow"),
            go_on_command(kept),
        )


def go_on_command(kept: KeptEvaluation) -> str:
    """What to type to go on with it."""
    name = one_line(kept.query_set).replace('"', '\\"')
    return f'docgraph query-sets run "{name}" --go-on {kept.evaluation_id}'
