"""The commands ``judge`` and ``judgments``: which documents help to answer which question."""

from __future__ import annotations

from itertools import groupby
from typing import Annotated

import typer
from rich.text import Text

from docgraph.boundary.variables import account
from docgraph.cli.run_options import ByOption
from docgraph.cli.session import JsonOption, WorkspaceOption, opened
from docgraph.cli.text.output import count, heading, line, one_line, table, write_json
from docgraph.domain.judgment import Judgment
from docgraph.errors import RequestError
from docgraph.views.words.moments import moment, person
from docgraph.views.words.texts import excerpt

MAX_QUERY = 80
SIGNS = {True: ("✓ relevant", "green"), False: ("✗ not relevant", "red")}

QueryArgument = Annotated[str, typer.Argument(metavar="QUESTION", help="The full question.", show_default=False)]
DocumentArgument = Annotated[
    str, typer.Argument(metavar="DOCUMENT_ID", help="As shown by docgraph documents.", show_default=False)
]


def judge(
    query: QueryArgument,
    document_id: DocumentArgument,
    relevant: Annotated[
        bool | None,
        typer.Option("--relevant/--not-relevant", help="Whether it helps to answer the question.", show_default=False),
    ] = None,
    withdraw: Annotated[bool, typer.Option("--withdraw", help="Withdraw the judgment.")] = False,
    by: ByOption = None,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Judge whether a document is relevant to a question. A new judgment replaces the old one."""
    if withdraw == (relevant is not None):
        raise RequestError("no judgment given", hint="use --relevant, --not-relevant or --withdraw")
    with opened(workspace) as docgraph:
        made = docgraph.judgments.judge(query, document_id, relevant, by=account() if by is None else by)
        name = docgraph.workspace_name
    if json:
        write_json({"workspace": name, "judgment": None if made is None else made.model_dump(mode="json")})
    elif made is None:
        line(f"{one_line(document_id)[:MAX_QUERY]}: judgment withdrawn for “{_short(query)}”")
    else:
        line(_sign(made), f"  {made.document_id}  for “{_short(made.query)}”, by {one_line(made.by)}")


def judgments(
    query: Annotated[
        str | None, typer.Argument(metavar="[QUESTION]", help="Only for this question.", show_default=False)
    ] = None,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """List relevance judgments by question and document."""
    with opened(workspace) as docgraph:
        given = docgraph.judgments.list(query)
        stored = docgraph.documents.by_id(sorted({each.document_id for each in given}))
        name = docgraph.workspace_name
    if json:
        write_json({"workspace": name, "judgments": [each.model_dump(mode="json") for each in given]})
        return
    n_questions, n_gone = len({each.query for each in given}), sum(each.document_id not in stored for each in given)
    line((f"{count(len(given), 'judgment')} of {count(n_questions, 'question')} in {name}", "bold"))
    if n_gone:
        line((f"{count(n_gone, 'judgment')} of documents that are not stored: ignored", "dim"))
    for asked, group in groupby(given, key=lambda each: each.query):
        heading(_short(asked))
        rows = [
            (_sign(each), _document(each, gone=each.document_id not in stored), person(each.by), moment(each.at))
            for each in group
        ]
        table(("judged", "document", "by", "at"), rows, wrap=True)


def _sign(judgment: Judgment) -> Text:
    return Text(*SIGNS[judgment.relevant])


def _document(judgment: Judgment, *, gone: bool) -> str:
    return f"{judgment.document_id} (not stored)" if gone else judgment.document_id


def _short(query: str) -> str:
    return excerpt(one_line(query), MAX_QUERY)
