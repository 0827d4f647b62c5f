"""The command ``relationships``, which lists them, and those under it: export, import, matrix."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import typer

from docgraph.boundary.variables import account
from docgraph.cli.commands.documents import LimitOption, foot
from docgraph.cli.commands.edit import ReasonOption
from docgraph.cli.files import STANDARD, read_file, write_file
from docgraph.cli.run_options import ByOption
from docgraph.cli.session import JsonOption, WorkspaceOption, opened
from docgraph.cli.text.exchange import show_diff
from docgraph.cli.text.output import console, count, line, one_line, table, write_json
from docgraph.domain.curation import MatrixEnd, MatrixRow, TraceabilityMatrix
from docgraph.domain.graph import Relationship, SectionRef, StoredChunk
from docgraph.domain.passages.beginnings import beginning_of
from docgraph.errors import NotFoundError
from docgraph.orchestration.relationships.exchange import MAX_FILE
from docgraph.orchestration.relationships.traceability import MatrixKind
from docgraph.views.words.sections import pointed_sections

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


BETWEEN = 3
"""Room between two columns."""


def show_matrix(matrix: TraceabilityMatrix, *, limit: int, only_holes: bool) -> None:
    """The rows, at most ``limit`` of them, then how many documents have something in every column.

    A matrix that is wider than the screen is told in lines, one for each cell and one for the holes of a document.
    """
    shown = matrix.rows[:limit]
    if matrix.columns and shown:
        names = ("document", *(column.name for column in matrix.columns))
        rows = [(row.document_id, *(_ends(cell) for cell in row.cells)) for row in shown]
        widths = [max(len(name), *(len(row[at]) for row in rows)) for at, name in enumerate(names)]
        if sum(widths) + BETWEEN * len(widths) <= console().width:
            table(names, rows)
        else:
            table(("document", "column", "documents"), list(_lines(shown, names[1:])), wrap=True)
        line("")
    for column in matrix.columns:
        line(column.sentence)
    if matrix.columns:
        line("")
    kind = f" of type {matrix.doc_type}" if matrix.doc_type else ""
    holes = " with a hole" if only_holes else ""
    cut = "; --limit shows more" if len(shown) < len(matrix.rows) else ""
    of = f"{count(len(matrix.rows), 'document')}{kind}{holes} in {matrix.workspace}"
    line((f"{len(shown):,} shown of {of}{cut}", "dim"))


def _lines(rows: Sequence[MatrixRow], names: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    for row in rows:
        for name, cell in zip(names, row.cells, strict=True):
            if cell:
                yield (row.document_id, name, _ends(cell))
        if row.holes:
            yield (row.document_id, "holes", ", ".join(names[at] for at in row.holes))


def _ends(cell: Sequence[MatrixEnd]) -> str:
    return "; ".join(map(str, cell))


MAX_KEPT = 64
"""Documents whose chunks are kept at hand while relationships to them are written."""


class SectionStarts:
    """Knows in which chunk a section of a document begins; ``chunks_of`` reads those of one document."""

    def __init__(self, chunks_of: Callable[[str], tuple[StoredChunk, ...]]) -> None:
        self._chunks_of = chunks_of
        self._kept: dict[str, tuple[StoredChunk, ...]] = {}

    def chunk_id(self, document_id: str, section: str) -> str | None:
        """The id of the chunk, or None where the document or the section is gone."""
        if document_id not in self._kept:
            if len(self._kept) >= MAX_KEPT:
                self._kept.clear()
            try:
                self._kept[document_id] = self._chunks_of(document_id)
            except NotFoundError:
                self._kept[document_id] = ()
        found = beginning_of(section, self._kept[document_id])
        return found.chunk_id if found is not None else None


def relationship_json(relationship: Relationship, starts: SectionStarts) -> dict[str, Any]:
    """The relationship as it is stored; with ``sections`` where it points to some, and the chunk each begins in."""
    said = relationship.model_dump(mode="json")
    if not relationship.sections:
        return said
    return {**said, "sections": [_section_json(relationship, each, starts) for each in relationship.sections]}


def _section_json(relationship: Relationship, section: SectionRef, starts: SectionStarts) -> dict[str, Any]:
    heading = section.heading
    chunk_id = None if heading is None else starts.chunk_id(relationship.to_document_id, heading)
    return {"anchor": section.anchor, "section": section.name or None, "heading": heading, "chunk_id": chunk_id}


def show_relationships(relationships: Sequence[Relationship]) -> None:
    """A table; with a column of sections where one of them points to any."""
    sections = [pointed_sections(each) for each in relationships]
    columns = ("from", "type", "to", *(("section",) if any(sections) else ()), "found by")
    rows = []
    for each, section in zip(relationships, sections, strict=True):
        ends = (each.from_document_id, each.relation_type, each.to_document_id)
        found_by = each.relationship_metadata.get("extractor", "--")
        rows.append((*ends, *((section or "--",) if any(sections) else ()), found_by))
    table(columns, rows)
