"""The traceability matrix of a workspace, and the matrix as a file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from docgraph.curation.exchange.matrix import DOCUMENT_COLUMNS, cells, counts, matrix_csv, names
from docgraph.curation.traceability import traceability_matrix
from docgraph.domain.curators.traceability import TraceabilityMatrix
from docgraph.errors import UserError
from docgraph.orchestration.relationships.spreadsheet import Table, xlsx
from docgraph.orchestration.session import HasSession

MatrixKind = Literal["csv", "xlsx"]
KINDS: tuple[MatrixKind, ...] = ("csv", "xlsx")
MAX_NAMED = 12


def matrix(
    self: HasSession, doc_type: str | None = None, relation_types: Sequence[str] | None = None
) -> TraceabilityMatrix:
    """Documents (all, or of one type) against the documents they link to and are linked from, on one snapshot.

    ``relation_types`` None = every enabled type, with the columns that have an entry; named types have both columns,
    enabled or not. A target that is not stored fills no gap. Raises UserError for a type that no document or no
    relationship has.
    """
    with self.session.reading() as snapshot:
        documents, known = tuple(snapshot.documents()), snapshot.relation_types()
        if doc_type is not None:
            _check("document", doc_type, sorted({each.doc_type for each in documents if each.doc_type}))
        for name in () if relation_types is None else relation_types:
            _check("relationship", name, sorted(known))
        here = snapshot.workspace
        return traceability_matrix(
            documents,
            snapshot.relationships(),
            workspace=here.name,
            revision=here.revision,
            doc_type=doc_type,
            relation_types=relation_types,
            off=here.off_relation_types,
        )


def matrix_file(self: HasSession, matrix: TraceabilityMatrix, kind: MatrixKind = "csv") -> bytes:
    """A matrix as a file for spreadsheets, one row a document; equal matrices give equal bytes.

    ``xlsx`` has the counts of the columns on a second sheet. Raises UserError for another format, and for a matrix
    larger than Excel's limits.
    """
    del self  # one of the names of a workspace, as the others are
    if kind not in KINDS:
        raise UserError(f"{str(kind)[:40]!r} is no kind of file", hint=f"there are: {', '.join(KINDS)}")
    if kind == "csv":
        return b"".join(matrix_csv(matrix))
    return xlsx(
        (
            Table("Matrix", names(matrix), tuple(cells(matrix)), marked=len(DOCUMENT_COLUMNS)),
            Table("Counts", ("column", "documents with one", "holes"), counts(matrix)),
        )
    )


def _check(what: str, name: str, known: Sequence[str]) -> None:
    """Raises UserError for a type that none has."""
    if name not in known:
        more = f" and {len(known) - MAX_NAMED:,} more" if len(known) > MAX_NAMED else ""
        there = f"there are: {', '.join(known[:MAX_NAMED])}{more}" if known else "there are none"
        raise UserError(f"no {what} has the type {str(name)[:80]!r}", hint=there)
