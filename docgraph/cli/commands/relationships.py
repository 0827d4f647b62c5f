"""The command ``relationships``, which lists them, and those under it: export, import, matrix."""

from __future__ import annotations

import sys
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from docgraph.boundary.variables import account
from docgraph.cli.commands.documents import LimitOption, foot
from docgraph.cli.commands.edit import ReasonOption
from docgraph.cli.files import STANDARD, read_file, write_file
from docgraph.cli.run_options import ByOption
from docgraph.cli.session import JsonOption, WorkspaceOption, opened
from docgraph.cli.text.exchange import show_diff
from docgraph.cli.text.matrix import show_matrix
from docgraph.cli.text.output import count, line, one_line, write_json
from docgraph.cli.text.relationships import SectionStarts, relationship_json, show_relationships
from docgraph.orchestration.relationships.exchange import MAX_FILE
from docgraph.orchestration.relationships.traceability import MatrixKind

application = typer.Typer(help="List relationships by (from, type, to); export, import.")
DocumentOption = Annotated[
    str | None, typer.Option("--document", "-d", metavar="ID", help="Source or target of the relationship.")
]
TypeOption = Annotated[str | None, typer.Option("--type", metavar="TYPE", help="Only this type.")]


class Kind(StrEnum):
    """What an export is for."""

    CSV = "csv"
    JSONL = "jsonl"


@application.callback(invoke_without_command=True)
def relationships(
    context: typer.Context,
    workspace: WorkspaceOption = None,
    document: DocumentOption = None,
    relation_type: TypeOption = None,
    dangling: Annotated[
        bool | None, typer.Option("--dangling/--resolved", help="Only relationships whose target is missing / exists.")
    ] = None,
    limit: LimitOption = 200,
    json: JsonOption = False,
) -> None:
    """List relationships by (from, type, to); export, import."""
    asked = any(given is not None for given in (document, relation_type, dangling))
    if context.invoked_subcommand is not None:
        if asked or json or workspace is not None:
            raise typer.BadParameter(f"put options of {context.invoked_subcommand} after it, not before")
        return
    with opened(workspace) as docgraph:
        here = docgraph.workspace
        rows = docgraph.relationships.list(document_id=document, relation_type=relation_type, dangling=dangling)
        found = list(rows if json else islice(rows, limit))
        if json:
            starts = SectionStarts(docgraph.documents.chunks)
            write_json({"workspace": here.name, "relationships": [relationship_json(r, starts) for r in found]})
            return
    show_relationships(found)
    total = count(here.n_relationships, "relationship")
    foot(len(found), limit, f"of {total} in {here.name}{', filtered' if asked else ''}")


@application.command("export")
def export(
    kind: Annotated[Kind, typer.Option("--format", help="csv for spreadsheets; jsonl is complete.")] = Kind.CSV,
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="FILE", help="Output file (default: standard output).")
    ] = None,
    document: DocumentOption = None,
    relation_type: TypeOption = None,
    history: Annotated[bool, typer.Option("--history", help="Include the history of edits (jsonl).")] = False,
    workspace: WorkspaceOption = None,
) -> None:
    """Export relationships to a file. It can be edited and imported again."""
    with opened(workspace) as docgraph:
        pieces = docgraph.relationships.export(
            kind.value, document_id=document, relation_type=relation_type, history=history
        )
        if output is None or output == STANDARD:
            for piece in pieces:
                sys.stdout.buffer.write(piece)
            sys.stdout.flush()
            return
        path = write_file(output, pieces, instead=f"relationships.{kind.value}")
    line(f"Wrote {one_line(str(path))}", whole=True)


@application.command("matrix")
def matrix(
    workspace: WorkspaceOption = None,
    doc_type: Annotated[
        str | None, typer.Option("--doc-type", metavar="TYPE", help="Rows: only documents of this type.")
    ] = None,
    types: Annotated[
        str | None, typer.Option("--types", metavar="A,B", help="Columns: only these relationship types.")
    ] = None,
    holes: Annotated[bool, typer.Option("--holes", help="Only documents with a hole.")] = False,
    csv: Annotated[str | None, typer.Option("--csv", metavar="FILE", help="Write CSV; - = standard output.")] = None,
    xlsx: Annotated[str | None, typer.Option("--xlsx", metavar="FILE", help="Write an Excel file.")] = None,
    limit: LimitOption = 200,
    json: JsonOption = False,
) -> None:
    """Show the traceability matrix. Links from and to every document, by relationship type, with holes.

    A document has a hole in a column when it has no stored document there.
    """
    named = tuple(name.strip() for name in (types or "").split(",") if name.strip()) or None
    with opened(workspace) as docgraph:
        found = docgraph.relationships.matrix(doc_type=doc_type, relation_types=named)
        found = found.with_holes() if holes else found
        if csv == STANDARD:
            sys.stdout.buffer.write(docgraph.relationships.matrix_file(found, "csv"))
            sys.stdout.flush()
            return
        files: tuple[tuple[str | None, MatrixKind], ...] = ((csv, "csv"), (xlsx, "xlsx"))
        paths = [
            write_file(name, [docgraph.relationships.matrix_file(found, kind)], instead=f"matrix.{kind}")
            for name, kind in files
            if name is not None
        ]
    if json:
        write_json(found.model_dump(mode="json"))
        return
    if not paths:
        show_matrix(found, limit=limit, only_holes=holes)
    for path in paths:
        line(f"Wrote {one_line(str(path))}", whole=True)


@application.command("import")
def import_(
    file: Annotated[str, typer.Argument(metavar="FILE", help="An edited export; - = standard input.")],
    by: ByOption = None,
    reason: ReasonOption = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be done; write nothing.")] = False,
    new_types: Annotated[bool, typer.Option("--new-types", help="Allow types that are not used yet.")] = False,
    remove_missing: Annotated[
        bool,
        typer.Option(
            "--remove-missing", help="Delete relationships missing from the file; needs a complete, current export."
        ),
    ] = False,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Import an edited file in one transaction. Conflicting rows are skipped (exit code 1).

    Relationships missing from the file stay unchanged.
    """
    hint = "use a file written by docgraph relationships export"
    data = read_file(file, max_bytes=MAX_FILE, hint=hint)
    name = "standard input" if file == STANDARD else Path(file).name
    with opened(workspace) as docgraph:
        diff = docgraph.relationships.read_file(data, name=name, new_types=new_types, remove_missing=remove_missing)
        who = account() if by is None else by
        refused = bool(diff.errors)
        entries = () if refused else docgraph.relationships.import_file(diff, by=who, reason=reason, dry_run=dry_run)
    if json:
        made = [entry.model_dump(mode="json") for entry in entries]
        said = {"sentence": diff.sentence, **diff.model_dump(mode="json")}
        write_json({"workspace": diff.workspace, "dry_run": dry_run, "diff": said, "entries": made})
    else:
        show_diff(diff, entries, dry_run=dry_run)
    if refused or diff.n_conflicts:
        raise typer.Exit(1)
