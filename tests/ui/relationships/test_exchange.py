"""Relationships as a file: what it would do is shown first, saved as one act, taken back as one act."""

from __future__ import annotations

import csv
import io

import pytest
from streamlit.testing.v1 import AppTest

from docgraph.domain.exchange import ExchangeProblem, ExchangeRow, RelationshipDiff
from docgraph.domain.graph import Relationship
from docgraph.orchestration.docgraph import Docgraph
from docgraph.views.relationships import exchange
from tests.ui.conftest import Open, edit_as, page_text, press

HOSTILE = "<script>alert(1)</script>"
SAVE, UNDO, FILE = "docgraph.exchange.save", "docgraph.exchange.undo", "docgraph.exchange.file.0"


@pytest.fixture
def three(harbor: Docgraph) -> Docgraph:
    """The two of the decision, and one from the queue."""
    harbor.relationships.add(
        Relationship(from_document_id="queue", relation_type="references", to_document_id="glossary")
    )
    return harbor


def edited(docgraph: Docgraph, **cells: dict[str, str]) -> bytes:
    """The export with these cells, by ``from_type``; ``new`` = a row more."""
    rows = list(csv.DictReader(io.StringIO(b"".join(docgraph.relationships.export("csv")).decode("utf-8-sig"))))
    for row in rows:
        row.update(cells.get(f"{row['from']}_{row['type']}".replace("-", ""), {}))
    if "new" in cells:
        rows.append(dict.fromkeys(rows[0], "") | cells["new"])
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]), lineterminator="\r\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode()


def upload(at: AppTest, data: bytes, name: str = "edges.csv") -> AppTest:
    at.file_uploader(key=FILE).upload(name, data, "text/csv").run()
    assert not at.exception
    return at


def edges(docgraph: Docgraph) -> list[tuple[str, str, str]]:
    return sorted(edge.key for edge in docgraph.relationships.list())


CHANGES = {
    "adr1_explains": {"decision": "accept"},
    "adr1_references": {"decision": "remove", "reason": "it is gone"},
    "queue_references": {"type": "explains"},
    "new": {"from": "glossary", "type": "explains", "to": "queue"},
}


def test_a_file_is_shown_saved_as_one_act_and_taken_back_as_one(three: Docgraph, open_page: Open) -> None:
    before = edges(three)
    at = upload(edit_as(open_page("relationships", tab="exchange")), edited(three, **CHANGES))
    text = page_text(at)
    for part in (
        "4 rows read",
        "it is gone",
        ">accept<",
        ">remove<",
        ">add<",
        "<b>1</b> change",
        "Effect of the whole",
    ):
        assert part in text, part
    assert edges(three) == before, "nothing is written before the person saves"
    press(at, SAVE)
    after = [("adr-1", "explains", "queue"), ("glossary", "explains", "queue"), ("queue", "explains", "glossary")]
    assert edges(three) == after
    assert len({entry.act for entry in three.relationships.history(limit=4)}) == 1
    assert "from edges.csv" in {entry.reason for entry in three.relationships.history()}
    press(at, UNDO)
    assert edges(three) == before


def test_a_file_with_an_error_names_line_and_column_and_is_not_saved(three: Docgraph, open_page: Open) -> None:
    data = edited(three, adr1_explains={"decision": "maybe"}, queue_references={"decision": "remove"})
    at = upload(edit_as(open_page("relationships", tab="exchange")), data)
    text = page_text(at)
    assert "&#x27;maybe&#x27; is not a decision" in text
    assert "<td>decision</td>" in text
    assert "nothing is saved from a file with errors" in text
    assert at.button(key=SAVE).disabled


def test_a_conflict_names_who_changed_what_and_is_left_out(three: Docgraph, open_page: Open) -> None:
    data = edited(three, adr1_explains={"type": "references"}, queue_references={"decision": "remove"})
    three.relationships.remove(("adr-1", "explains", "queue"), by="Ben", reason="no such text")
    at = upload(edit_as(open_page("relationships", tab="exchange")), data)
    text = page_text(at)
    assert "<b>1</b> conflict" in text
    assert "Ben" in text
    press(at, SAVE)
    assert edges(three) == [("adr-1", "references", "gone")]


def test_what_somebody_changed_after_the_file_was_read_stops_the_save(three: Docgraph, open_page: Open) -> None:
    at = upload(edit_as(open_page("relationships", tab="exchange")), edited(three, **CHANGES))
    three.relationships.remove(("queue", "references", "glossary"), by="Ben")
    press(at, SAVE)
    assert "Ben" in page_text(at)
    assert ("glossary", "explains", "queue") not in edges(three)
    press(at, "docgraph.exchange.again")
    assert "<b>1</b> conflict" in page_text(at)


def test_without_editing_the_file_is_only_looked_at_and_can_be_put_away(three: Docgraph, open_page: Open) -> None:
    at = upload(open_page("relationships", tab="exchange"), edited(three, **CHANGES))
    assert at.button(key=SAVE).disabled
    press(at, "docgraph.exchange.drop")
    assert "would do" not in page_text(at)


def test_an_unchanged_file_says_that_there_is_nothing_to_save(three: Docgraph, open_page: Open) -> None:
    at = upload(edit_as(open_page("relationships", tab="exchange")), edited(three))
    assert "The file matches the stored data" in page_text(at)
    assert at.button(key=SAVE).disabled


def test_hostile_files_are_shown_as_text(three: Docgraph, open_page: Open) -> None:
    new = {"from": f"glossary {HOSTILE}", "type": HOSTILE, "to": HOSTILE, "decision": HOSTILE}
    at = upload(open_page("relationships", tab="exchange"), edited(three, new=new), name=f"{HOSTILE}.csv")
    assert "<script>" not in page_text(at)
    upload_again = open_page("relationships", tab="exchange")
    assert "would do" in page_text(upload(upload_again, b"\x00\xff\xfe" * 50))


def test_errors_come_first_then_conflicts_then_what_will_be_done() -> None:
    key = ("a", "explains", "b")
    diff = RelationshipDiff(
        n_rows=9,
        n_added=700,
        n_conflicts=1,
        n_errors=1,
        n_unchanged=1,
        n_missing=1,
        rows=(ExchangeRow(line=3, kind="add", after=key),),
        conflicts=(ExchangeRow(line=2, kind="change", before=key, after=key, conflict="gone", hint="look again"),),
        errors=(ExchangeProblem(line=9, column="to", value="x", message="is no id"),),
    )
    rows = exchange.rows(diff)
    assert [row.kind for row in rows] == ["error", "conflict", "add"]
    assert rows[0].what == "'x' is no id"
    assert rows[1].note == "gone; look again"
    assert exchange.not_listed(diff, rows) == 699
    assert exchange.rest_words(diff) == "9 rows read; 1 unchanged; 1 relationship not in the file: it stays"
    assert exchange.save_words(diff) == "Save: 700 added"
    assert exchange.file_name("harbor", "81cadb87", "csv") == "harbor-relationships-81cadb.csv"
