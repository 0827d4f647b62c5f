"""Workbooks: their sheets of requirements are read as the same table in CSV is."""

from __future__ import annotations

import builtins
import csv
import io
import zipfile
from datetime import date, datetime
from typing import Any

import pytest
import xlsxwriter

from docgraph import plugins
from docgraph.domain.graph import Document, Relationship
from docgraph.domain.report import Rejected
from docgraph.plugins.loaders.requirements import xlsx

pytest.importorskip("openpyxl", reason="the extra 'formats' is not installed")
TABLE = [
    ["ID", "Title", "Text", "Status", "Derived From"],
    ["R-1", "Bounded", "A queue is bounded.", "approved", ""],
    ["R-2", "Refusing", "A full queue refuses.", "draft", "R-1"],
    ["R-3", "Told", "Who is refused is told.", "draft", "R-1, R-2"],
]


def workbook(**sheets: list[list[Any]]) -> bytes:
    made = io.BytesIO()
    with xlsxwriter.Workbook(made, {"default_date_format": "dd.mm.yyyy", "remove_timezone": True}) as book:
        for name, rows in sheets.items():
            sheet = book.add_worksheet(name)
            for row, cells in enumerate(rows):
                for column, value in enumerate(cells):
                    sheet.write(row, column, value)
    return made.getvalue()


def as_csv(rows: list[list[Any]]) -> bytes:
    made = io.StringIO()
    csv.writer(made).writerows(rows)
    return made.getvalue().encode()


def load(name: str, data: bytes) -> list[Any]:
    return list(plugins.build("loaders", name).load(data, source=f"reqs/table.{name}"))


def said(items: list[Any]) -> list[Any]:
    """Documents and relationships without the file that they come from."""
    return [
        (item.document_id, item.title, item.text, {**item.metadata})
        if isinstance(item, Document)
        else (item.key, item.relationship_metadata.get("text", ""))
        for item in items
        if not isinstance(item, Rejected)
    ]


def test_a_sheet_is_read_as_the_same_table_in_csv() -> None:
    read = load("xlsx", workbook(Requirements=TABLE))
    assert said(read) == said(load("csv", as_csv(TABLE)))
    assert {each.key for each in read if isinstance(each, Relationship)} == {
        ("R-2", "derived_from", "R-1"),
        ("R-3", "derived_from", "R-1"),
        ("R-3", "derived_from", "R-2"),
    }


def test_a_header_stands_below_a_title_and_sheets_of_other_things_are_passed_over() -> None:
    below = [["Requirements of the dock"], [], ["made", date(2026, 1, 31)], *TABLE]
    more = [["Key", "Summary", "Status"], ["T-1", "Try it", "open"]]
    read = load("xlsx", workbook(Notes=[["just", "words"]], Requirements=below, Tests=more))
    assert [each.document_id for each in read if isinstance(each, Document)] == ["R-1", "R-2", "R-3", "T-1"]


def test_dates_numbers_and_formulas_are_read_as_a_person_sees_them() -> None:
    rows = [
        ["ID", "Text", "Due", "At", "Weight", "Share", "Open", "Sum"],
        ["R-1", "x", date(2026, 1, 31), datetime(2026, 1, 31, 14, 30), 3, 0.5, True, "=1+1"],
    ]
    (document,) = load("xlsx", workbook(A=rows))
    assert document.metadata["due"] == "2026-01-31"
    assert document.metadata["at"] == "2026-01-31 14:30"
    assert document.metadata["weight"] == "3"
    assert document.metadata["share"] == "0.5"
    assert document.metadata["open"] == "true"
    assert document.metadata.get("sum", "0") == "0"


def test_a_rejection_names_sheet_and_row() -> None:
    read = load("xlsx", workbook(A=[*TABLE, ["", "No id", "text", "", ""]]))
    (rejected,) = [each for each in read if isinstance(each, Rejected)]
    assert rejected.place == "sheet A, line 5"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"PK\x03\x04" + b"x" * 60, "not a workbook"),
        (b"words", "not a workbook"),
        (workbook(A=TABLE)[:-40], "not a workbook"),
        (workbook(A=[["just", "words"]]), "no sheet of the workbook is a table of requirements"),
        (workbook(A=[["ID", *[f"c{n}" for n in range(1_001)]]]), "more than 1,000 cells"),
    ],
)
def test_what_is_no_table_of_requirements_is_refused(data: bytes, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        load("xlsx", data)


def test_another_archive_is_refused_in_a_line() -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("xl/workbook.xml", "<oh")
    with pytest.raises(ValueError, match="cannot be read") as caught:
        load("xlsx", made.getvalue())
    assert "\n" not in str(caught.value)


def test_a_bomb_is_refused_before_it_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xlsx, "MAX_UNPACKED", 1_000)
    with pytest.raises(ValueError, match="a zip bomb"):
        load("xlsx", workbook(A=TABLE))
    monkeypatch.undo()
    monkeypatch.setattr(xlsx, "MAX_SHEET_ROWS", 3)
    with pytest.raises(ValueError, match="more than 3 rows"):
        load("xlsx", workbook(A=TABLE))


@pytest.mark.parametrize(("method", "name"), [(zipfile.ZIP_BZIP2, "bzip2"), (zipfile.ZIP_LZMA, "LZMA")])
def test_a_workbook_that_is_compressed_otherwise_is_refused_before_it_is_opened(method: int, name: str) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")
    with pytest.raises(ValueError, match=f"it is compressed by {name}"):
        load("xlsx", packed.getvalue())


def test_entities_of_a_hostile_sheet_are_no_text() -> None:
    whole = zipfile.ZipFile(io.BytesIO(workbook(A=TABLE)))
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for entry in whole.infolist():
            text = whole.read(entry)
            if entry.filename == "xl/sharedStrings.xml":
                text = text.replace(b"<sst", b'<!DOCTYPE sst [<!ENTITY x SYSTEM "file:///etc/hostname">]><sst', 1)
                text = text.replace(b"A queue is bounded.", b"A &x; queue")
            archive.writestr(entry, text)
    try:
        told = " ".join(each.text for each in load("xlsx", made.getvalue()) if isinstance(each, Document))
    except ValueError as error:
        told = str(error)
    with open("/etc/hostname", encoding="utf-8") as name:
        assert name.read().strip() not in told


def test_without_the_extra_the_reason_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *given: Any, **more: Any) -> Any:
        if name.startswith("openpyxl"):
            raise ImportError(name)
        return real(name, *given, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ValueError, match=r"docgraph\[formats\]"):
        load("xlsx", workbook(A=TABLE))
