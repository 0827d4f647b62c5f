"""The commands that list what a workspace holds: ``documents`` and ``relationships``."""

from __future__ import annotations

from itertools import islice
from typing import Annotated

import typer

from docgraph.cli.output import count, line, table, write_json
from docgraph.cli.session import JsonOption, WorkspaceOption, opened

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
        rows = docgraph.documents(doc_type=doc_type, text=text)
        found = list(rows if json else islice(rows, limit))
    if json:
        write_json({"workspace": here.name, "documents": [d.model_dump(mode="json") for d in found]})
        return
    columns = ("document", "type", "chunks", "tokens", "title")
    table(columns, [(d.document_id, d.doc_type or "--", d.n_chunks, d.n_tokens, d.title) for d in found],
          right=("chunks", "tokens"))  # fmt: skip
    asked = text is not None or doc_type is not None
    _foot(len(found), limit, f"of {count(here.n_documents, 'document')} in {here.name}{', filtered' if asked else ''}")


def relationships(
    workspace: WorkspaceOption = None,
    document: Annotated[str | None, typer.Option("--document", "-d", metavar="ID", help="At either end.")] = None,
    relation_type: Annotated[str | None, typer.Option("--type", metavar="TYPE", help="Only this type.")] = None,
    dangling: Annotated[
        bool | None, typer.Option("--dangling/--resolved", help="Only edges whose target is missing / exists.")
    ] = None,
    limit: LimitOption = 200,
    json: JsonOption = False,
) -> None:
    """List relationships by (from, type, to)."""
    with opened(workspace) as docgraph:
        here = docgraph.workspace
        rows = docgraph.relationships(document_id=document, relation_type=relation_type, dangling=dangling)
        found = list(rows if json else islice(rows, limit))
    if json:
        write_json({"workspace": here.name, "relationships": [r.model_dump(mode="json") for r in found]})
        return
    columns = ("from", "type", "to", "found by")
    table(columns, [(r.from_document_id, r.relation_type, r.to_document_id,
                     r.relationship_metadata.get("extractor", "--")) for r in found])  # fmt: skip
    asked = any(given is not None for given in (document, relation_type, dangling))
    total = count(here.n_relationships, "relationship")
    _foot(len(found), limit, f"of {total} in {here.name}{', filtered' if asked else ''}")


def _foot(shown: int, limit: int, of: str) -> None:
    cut = "; --limit shows more" if shown == limit else ""
    line("")
    line((f"{shown:,} shown {of}{cut}", "dim"))
