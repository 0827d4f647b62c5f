"""The traceability matrix: every relationship in exactly the cells of its two ends, holes without a stored end."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from docgraph.curation.traceability import traceability_matrix
from docgraph.domain.curation import TraceabilityMatrix
from docgraph.domain.graph import Relationship, StoredDocument

IDS, GONE, TYPES, KINDS = "abcd", "xy", ("traces_to", "verifies", "=off"), ("requirement", "test", "")
DOCUMENTS = [
    StoredDocument(document_id=each, title=each.upper(), doc_type=kind)
    for each, kind in zip("dbca", ("requirement", "test", "", "requirement"), strict=True)
]
EDGES = st.sets(st.tuples(st.sampled_from(IDS), st.sampled_from(TYPES), st.sampled_from(IDS + GONE)), max_size=30)


def made(edges: set[tuple[str, str, str]], **options: object) -> TraceabilityMatrix:
    relationships = [
        Relationship(from_document_id=start, relation_type=name, to_document_id=target)
        for start, name, target in sorted(edges, reverse=True)
    ]
    return traceability_matrix(DOCUMENTS, relationships, workspace="w", revision="r", **options)  # type: ignore[arg-type]


@given(EDGES, st.sampled_from([None, "requirement", "test"]), st.none() | st.sets(st.sampled_from(TYPES)))
def test_every_edge_stands_in_exactly_the_cells_of_its_two_ends(
    edges: set[tuple[str, str, str]], kind: str | None, types: set[str] | None
) -> None:
    off = frozenset({"=off"})
    matrix = made(edges, doc_type=kind, relation_types=None if types is None else sorted(types), off=off)
    wanted = set(TYPES) - off if types is None else types
    rows = [each.document_id for each in DOCUMENTS if kind in (None, each.doc_type)]
    assert [row.document_id for row in matrix.rows] == sorted(rows)
    found = [
        (row.document_id, column.relation_type, column.direction, end.document_id, end.stored)
        for row in matrix.rows
        for column, cell in zip(matrix.columns, row.cells, strict=True)
        for end in cell
    ]
    chosen = [edge for edge in edges if edge[1] in wanted]
    outgoing = [(a, via, "outgoing", b, b in IDS) for a, via, b in chosen if a in rows]
    incoming = [(b, via, "incoming", a, True) for a, via, b in chosen if b in rows]
    assert sorted(found) == sorted([*outgoing, *incoming])


@given(EDGES)
def test_holes_are_the_cells_without_a_stored_end_and_the_columns_count_them(
    edges: set[tuple[str, str, str]],
) -> None:
    matrix = made(edges)
    for at, column in enumerate(matrix.columns):
        empty = [row for row in matrix.rows if not any(end.stored for end in row.cells[at])]
        assert [row for row in matrix.rows if at in row.holes] == empty
        assert (column.n_holes, column.n_filled) == (len(empty), len(DOCUMENTS) - len(empty))
    assert matrix.n_with_holes == len(matrix.with_holes().rows) == sum(1 for row in matrix.rows if row.holes)
    keys = [(column.relation_type, column.direction == "incoming") for column in matrix.columns]
    assert keys == sorted(keys)


def test_a_target_that_is_not_stored_is_shown_and_fills_no_hole() -> None:
    matrix = made({("a", "verifies", "x"), ("b", "verifies", "x"), ("b", "verifies", "a")})
    outgoing, incoming = matrix.columns
    assert outgoing.sentence == "verifies →: 1 of 4 have one, 3 holes"
    assert incoming.sentence == "← verifies: 1 of 4 have one, 3 holes"
    assert [str(end) for end in matrix.rows[0].cells[0]] == ["x (not stored)"]
    assert matrix.rows[0].holes == (0,)
    assert [str(end) for end in matrix.rows[1].cells[0]] == ["a", "x (not stored)"]


def test_a_named_type_has_both_columns_also_where_every_document_has_a_hole() -> None:
    """What nothing verifies is what a matrix of one type is asked for: the column must not vanish."""
    matrix = made({("a", "verifies", "b")}, doc_type="requirement", relation_types=["verifies"])
    assert [column.name for column in matrix.columns] == ["verifies →", "← verifies"]
    assert [column.n_holes for column in matrix.columns] == [1, 2]
    assert [column.name for column in made({("a", "verifies", "b")}, doc_type="requirement").columns] == ["verifies →"]


def test_a_type_that_is_off_counts_only_when_it_is_named() -> None:
    edges = {("a", "=off", "b")}
    assert made(edges, off={"=off"}).columns == ()
    assert made(edges, off={"=off"}, relation_types=["=off"]).columns[0].n_filled == 1
