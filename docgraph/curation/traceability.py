"""Makes a traceability matrix from documents and relationships."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from docgraph.domain.curation import (
    MatrixColumn,
    MatrixDirection,
    MatrixEnd,
    MatrixRow,
    TraceabilityMatrix,
)
from docgraph.domain.graph import Relationship, StoredDocument

Place = tuple[str, MatrixDirection]
Ends = dict[str, dict[Place, list[MatrixEnd]]]
DIRECTIONS: tuple[MatrixDirection, ...] = ("outgoing", "incoming")


def traceability_matrix(
    documents: Sequence[StoredDocument],
    relationships: Iterable[Relationship],
    *,
    workspace: str,
    revision: str,
    doc_type: str | None = None,
    relation_types: Sequence[str] | None = None,
    off: Collection[str] = (),
) -> TraceabilityMatrix:
    """The matrix of the stored ``documents``, all or those of one ``doc_type``; a relationship stands in the cells of
    both its ends, in each that is a row.

    Named ``relation_types`` have both their columns, also where every document has a hole, and whether they are off or
    not. With None every type that is not ``off`` has the columns in which at least one row has an end.
    """
    stored = {document.document_id for document in documents}
    rows = sorted(
        (each for each in documents if doc_type is None or each.doc_type == doc_type),
        key=lambda each: each.document_id,
    )
    ends: Ends = {each.document_id: {} for each in rows}
    for edge in relationships:
        wanted = edge.relation_type not in off if relation_types is None else edge.relation_type in relation_types
        if wanted:
            _put(edge, ends, stored)
    places = _places(ends, relation_types)
    made = tuple(_row(each, ends[each.document_id], places) for each in rows)
    return TraceabilityMatrix(
        workspace=workspace,
        corpus_revision=revision,
        doc_type=doc_type,
        columns=_columns(places, made),
        rows=made,
    )


def _put(edge: Relationship, ends: Ends, stored: Collection[str]) -> None:
    start, name, target = edge.key
    if start in ends:
        ends[start].setdefault((name, "outgoing"), []).append(MatrixEnd(document_id=target, stored=target in stored))
    if target in ends:
        ends[target].setdefault((name, "incoming"), []).append(MatrixEnd(document_id=start, stored=start in stored))


def _places(ends: Ends, relation_types: Sequence[str] | None) -> list[Place]:
    if relation_types is None:
        found = {place for cells in ends.values() for place in cells}
    else:
        found = {(name, direction) for name in relation_types for direction in DIRECTIONS}
    return sorted(found, key=lambda place: (place[0], DIRECTIONS.index(place[1])))


def _row(document: StoredDocument, ends: dict[Place, list[MatrixEnd]], places: Sequence[Place]) -> MatrixRow:
    cells = tuple(tuple(sorted(ends.get(place, ()), key=lambda end: end.document_id)) for place in places)
    return MatrixRow(
        document_id=document.document_id,
        title=document.title,
        doc_type=document.doc_type,
        cells=cells,
        holes=tuple(at for at, cell in enumerate(cells) if not any(end.stored for end in cell)),
    )


def _columns(places: Sequence[Place], rows: Sequence[MatrixRow]) -> tuple[MatrixColumn, ...]:
    holes = [0] * len(places)
    for row in rows:
        for at in row.holes:
            holes[at] += 1
    return tuple(
        MatrixColumn(relation_type=name, direction=direction, n_filled=len(rows) - n, n_holes=n)
        for (name, direction), n in zip(places, holes, strict=True)
    )
