"""The command that lists documents, and what it shares with other lists."""

from __future__ import annotations

from itertools import groupby, islice
from typing import Annotated

import typer

from docgraph.boundary.text import one_line
from docgraph.cli.session import JsonOption, WorkspaceOption, opened
from docgraph.cli.text.output import count, line, table, write_json

LimitOption = Annotated[
    int, typer.Option("--limit", "-n", metavar="N", min=1, max=10_000_000, help="Rows shown; --json returns all.")
]


MAX_VALUES, SHOWN_VALUES = 20, 6
"""Values of a field that are read, and shown."""


def documents(
    workspace: WorkspaceOption = None,
    text: Annotated[str | None, typer.Option("--text", metavar="PART", help="Text in the title or id.")] = None,
    doc_type: Annotated[str | None, typer.Option("--doc-type", metavar="TYPE", help="Only this type.")] = None,
    fields: Annotated[
        bool, typer.Option("--fields", help="Metadata fields for --where, with their most frequent values.")
    ] = False,
    limit: LimitOption = 200,
    json: JsonOption = False,
) -> None:
    """List documents, or the fields of their metadata."""
    if fields:
        _show_fields(workspace, json=json)
        return
    with opened(workspace) as docgraph:
        here = docgraph.workspace
        rows = docgraph.documents.list(doc_type=doc_type, text=text)
        found = list(rows if json else islice(rows, limit))
    if json:
        write_json({"workspace": here.name, "documents": [d.model_dump(mode="json") for d in found]})
        return
    columns = ("document", "type", "chunks", "tokens", "title")
    table(
        columns,
        [(d.document_id, d.doc_type or "--", d.n_chunks, d.n_tokens, d.title) for d in found],
        right=("chunks", "tokens"),
    )
    asked = text is not None or doc_type is not None
    foot(len(found), limit, f"of {count(here.n_documents, 'document')} in {here.name}{', filtered' if asked else ''}")


def _show_fields(workspace: str | None, *, json: bool) -> None:
    with opened(workspace) as docgraph:
        here, found = docgraph.workspace, docgraph.documents.fields(limit=MAX_VALUES)
    if json:
        write_json({"workspace": here.name, "fields": [each._asdict() for each in found]})
        return
    rows = []
    for name, group in groupby(found, key=lambda each: each.field):
        values = list(group)
        said = [f"{one_line(each.value)} {each.n_documents:,}" for each in values if each.value]
        rows.append((name, values[0].n_having, values[0].n_values, ", ".join(said[:SHOWN_VALUES])))
    table(("field", "documents", "values", "most frequent"), rows, right=("documents", "values"))
    line("")
    line((f"{count(len(rows), 'field')} of {count(here.n_documents, 'document')} in {here.name}", "dim"))


def foot(shown: int, limit: int, of: str) -> None:
    """The line under a table: how many of how many rows it shows."""
    cut = "; --limit shows more" if shown == limit else ""
    line("")
    line((f"{shown:,} shown {of}{cut}", "dim"))
