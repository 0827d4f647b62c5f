"""The matrix of a workspace, and its files: equal bytes, and no cell that a spreadsheet would compute."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest

from docgraph.domain.graph import Document, Relationship
from docgraph.errors import UserError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.relationships.traceability import MAX_CELL, Table, xlsx
from tests.unit.curation.exchange_worlds import opened

SPACE = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
HOSTILE = '=HYPERLINK("https://evil.example";"x")'


@pytest.fixture
def dg() -> Iterator[Docgraph]:
    with opened() as here:
        here.ingest_records(
            [
                Document(document_id="=1+1", title=HOSTILE, text="One.", doc_type="@kind"),
                Document(document_id="req-1", title="Stop", text="Two.", doc_type="requirement"),
            ],
            [
                Relationship(from_document_id="=1+1", relation_type="+verifies", to_document_id="req-1"),
                Relationship(from_document_id="=1+1", relation_type="+verifies", to_document_id="=gone"),
                Relationship(from_document_id="req-1", relation_type="+verifies", to_document_id="=1+1"),
            ],
        )
        yield here


def sheet(data: bytes, name: str = "sheet1") -> tuple[list[list[str]], str]:
    """The cells of a sheet row by row, and its XML."""
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        strings = [
            "".join(part.text or "" for part in each.iter(f"{SPACE}t"))
            for each in ElementTree.fromstring(file.read("xl/sharedStrings.xml"))
        ]
        text = file.read(f"xl/worksheets/{name}.xml").decode()
    rows = ElementTree.fromstring(text).iter(f"{SPACE}row")
    return [
        [strings[int(value.text or "")] if (value := cell.find(f"{SPACE}v")) is not None else "" for cell in row]
        for row in rows
    ], text


def test_numbers_are_those_of_the_list(dg: Docgraph) -> None:
    matrix = dg.relationships.matrix()
    ends = [
        end
        for row in matrix.rows
        for c, cell in zip(matrix.columns, row.cells, strict=True)
        for end in cell
        if c.direction == "outgoing"
    ]
    assert len(ends) == len(list(dg.relationships.list())) == dg.workspace.n_relationships
    assert sum(not end.stored for end in ends) == len(list(dg.relationships.list(dangling=True)))
    assert len(matrix.rows) == dg.workspace.n_documents
    assert matrix.corpus_revision == dg.workspace.revision


def test_a_csv_has_a_row_a_document_and_no_formula(dg: Docgraph) -> None:
    matrix = dg.relationships.matrix(relation_types=["+verifies"])
    data = dg.relationships.matrix_file(matrix)
    head, *rows = csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""))
    (first,) = (row for row in rows if row[0] == "'=1+1")
    assert head == ["document", "title", "document type", "'+verifies →", "← +verifies"]
    assert first == ["'=1+1", "'" + HOSTILE, "'@kind", "'=gone (not stored); req-1", "req-1"]
    assert len(rows) == len(matrix.rows)
    assert not [cell for row in (head, *rows) for cell in row if cell[:1] in tuple("=+-@")]
    assert data == dg.relationships.matrix_file(dg.relationships.matrix(relation_types=["+verifies"]), "csv")


def test_an_excel_file_holds_strings_as_they_are_and_no_formula(dg: Docgraph) -> None:
    matrix = dg.relationships.matrix(relation_types=["+verifies"])
    data = dg.relationships.matrix_file(matrix, "xlsx")
    (head, *rows), text = sheet(data)
    (first,) = (row for row in rows if row[0] == "=1+1")
    assert head == ["document", "title", "document type", "+verifies →", "← +verifies"]
    assert first == ["=1+1", HOSTILE, "@kind", "=gone (not stored); req-1", "req-1"]
    assert len(rows) == len(matrix.rows)
    assert "<f>" not in text
    assert "hyperlink" not in text
    n = len(matrix.rows)
    counts, _ = sheet(data, "sheet2")
    assert counts[1:] == [["+verifies →", "2", str(n - 2)], ["← +verifies", "2", str(n - 2)]]
    assert data == dg.relationships.matrix_file(matrix, "xlsx")


def test_a_cell_that_excel_has_no_place_for_is_cut_and_says_so() -> None:
    """The library leaves a longer string out without a word: the cell was empty, which is a hole here."""
    (_, [cell]), _ = sheet(xlsx([Table("Long", ["x"], [["y" * (MAX_CELL + 5)]])]))
    assert cell == "y" * (MAX_CELL - 1) + "…"
    with pytest.raises(UserError, match="cannot hold 16,385 columns"):
        xlsx([Table("Wide", ["x"] * 16_385, [])])


def test_types_that_are_off_are_left_out_until_they_are_named(dg: Docgraph) -> None:
    dg.relationships.set_off_types(["+verifies"])
    assert "+verifies" not in {column.relation_type for column in dg.relationships.matrix().columns}
    assert dg.relationships.matrix(relation_types=["+verifies"]).columns[0].n_filled == 2


def test_what_nothing_has_is_told_with_what_there_is(dg: Docgraph) -> None:
    with pytest.raises(UserError, match="no document has the type 'nope'") as refused:
        dg.relationships.matrix(doc_type="nope")
    assert "requirement" in str(refused.value.hint)
    with pytest.raises(UserError, match="no relationship has the type 'nope'"):
        dg.relationships.matrix(relation_types=["nope"])
    with pytest.raises(UserError, match="'pdf' is not a file format"):
        dg.relationships.matrix_file(dg.relationships.matrix(), "pdf")  # type: ignore[arg-type]
