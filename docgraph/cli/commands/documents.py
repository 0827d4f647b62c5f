"""The command that lists documents, and what it shares with other lists."""

from __future__ import annotations

from itertools import islice
from typing import Annotated

import typer

from docgraph.cli.session import JsonOption, WorkspaceOption, opened
from docgraph.cli.text.output import count, line, table, write_json

LimitOption = Annotated[
    int, typer.Option("--limit", "-n", metavar="N", min=1, max=10_000_000, help="Rows shown; --json gives all.")
]


def documents(
    workspace: WorkspaceOption = None,
    text: Annotated[str | None, typer.Option("--text", metavar="PART", help="Part of a title or id.")] = None,
    doc_type: Annotated[str | None, typer.Option("--doc-type", metavar="TYPE", help="Only this type.")] = None,
    limit: LimitOption = 200,
    json: JsonOption = False,
) -> None:
    """List documents by id."""
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


def foot(shown: int, limit: int, of: str) -> None:
    """The line under a table: how many of how many rows it shows."""
    cut = "; --limit shows more" if shown == limit else ""
    line("")
    line((f"{shown:,} shown {of}{cut}", "dim"))
