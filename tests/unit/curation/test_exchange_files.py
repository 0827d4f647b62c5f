"""Files of relationships as programs save them, and everything that can be wrong with one."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from docgraph.curation.exchange import reading as exchange_reading
from docgraph.curation.exchange import records as exchange_records
from docgraph.domain.curation import triage_of
from docgraph.domain.finding import Decision
from docgraph.errors import UserError
from docgraph.orchestration.docgraph import Docgraph
from tests.unit.curation.exchange_worlds import KEYS, exported, opened, saved, table, with_changes


@pytest.fixture
def dg() -> Iterator[Docgraph]:
    with opened() as docgraph:
        yield docgraph


def test_an_export_is_sorted_marked_as_utf8_and_equal_for_equal_data(dg: Docgraph) -> None:
    data = exported(dg)
    header, rows = table(data)
    assert data.startswith(b"\xef\xbb\xbfedge,state,texts,from,")
    assert [row["edge"] for row in rows][1] == "'=1+1|-uses|%7Cp%257C"
    assert header[-1] == f"whole export of revision {dg.workspace.revision}"
    with opened() as other:
        assert exported(other) == data
        assert exported(other, "jsonl") == exported(dg, "jsonl")


def test_no_cell_of_an_export_is_a_formula(dg: Docgraph) -> None:
    _, rows = table(exported(dg))
    cells = [cell for row in rows for cell in row.values()]
    assert not [cell for cell in cells if cell.lstrip()[:1] in set("=+-@") or cell == "007"]


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_an_export_read_back_changes_nothing(dg: Docgraph, kind: str) -> None:
    diff = dg.relationships.read_file(exported(dg, kind), name="x")
    assert (diff.n_rows, diff.n_unchanged, diff.n_missing, diff.whole) == (len(KEYS), len(KEYS), 0, True)
    assert (diff.edits, diff.conflicts, diff.errors) == ((), (), ())
    assert diff.sentence == f"nothing to change; {len(KEYS)} unchanged"
    assert dg.relationships.import_file(diff, by="Ann") == dg.relationships.history() == ()


@pytest.mark.parametrize(
    "dialect",
    [
        {"separator": ";", "end": "\r\n", "encoding": "utf-8-sig"},
        {"separator": "\t", "encoding": "utf-16"},
        {"separator": ",", "end": "\r\n"},
    ],
)
def test_files_of_all_spreadsheets_are_read(dg: Docgraph, dialect: dict[str, str]) -> None:
    """Other separators, ends of lines and encodings, columns in different order, with more of them, and empty rows."""
    header, rows = table(exported(dg))
    rows[0] |= {"decision": " Accept "}
    rows.append({})
    rows.append({"from": "b", "type": " explains ", "to": "c", "notes": "mine"})
    data = saved([*reversed(header), "notes", "", ""], rows, **dialect)
    diff = dg.relationships.read_file(data)
    assert diff.sentence == f"1 to add, 1 to accept; {len(KEYS) - 1} unchanged"
    assert [(row.line, row.kind, row.after) for row in diff.rows][1][2] == ("b", "explains", "c")
    assert diff.ignored_columns == ("notes",)


def test_cells_that_a_spreadsheet_trimmed_or_an_old_mac_saved_are_no_changes(dg: Docgraph) -> None:
    header, rows = table(exported(dg))
    trimmed = [{name: cell.strip() if name != "text" else "" for name, cell in row.items()} for row in rows]
    assert dg.relationships.read_file(saved(header, trimmed, end="\r")).n_unchanged == len(KEYS)


def test_columns_that_say_nothing_new_may_be_left_out(dg: Docgraph) -> None:
    _, rows = table(exported(dg))
    rows[0] |= {"decision": "remove"}
    assert dg.relationships.read_file(saved(["edge", "state", "decision"], rows)).n_removed == 1
    new = saved(["From", "Type", "To"], [{"From": "b", "Type": "explains", "To": "c"}])
    assert dg.relationships.read_file(new).sentence == f"1 to add; 0 unchanged; {len(KEYS)} not in the file, kept"


HEADER = "edge,state,from,type,to,decision,reason\n"
GOOD = "a|explains|b,00,a,explains,b,accept,\n"
BAD = [
    (b"", 0, "", "the file is empty"),
    (b"a,b\n1,2\n", 1, "", "the header has to name from, type and to"),
    (b"edge,from,type,to\n", 1, "", "the header has to name"),
    (b"from,type,to,To\n", 1, "To", "names a column twice"),
    (b"from,type,to\na,\xe4x,b\n", 2, "", "is not UTF-8: byte 0xe4 at position 15"),
    (b'from,type,to\na,"b,c\n', 2, "", "the row cannot be read"),
    (b'from,type,to\na,"b"x,c\n', 2, "", "the row cannot be read"),
    (b"from,type,to\na,explains,b,c\n", 2, "", "the row has 4 cells, the header 3"),
    (b"from,type,to\n\n,explains,b\n", 3, "from", "is empty"),
    (b"from,type,to\na,b\x00,c\n", 2, "type", "cannot be stored"),
    ((HEADER + GOOD.replace("accept", "yes")).encode(), 2, "decision", "is not a decision"),
    ((HEADER + GOOD + GOOD).encode(), 3, "edge", "is already in line 2"),
    ((HEADER + "a|b,0,a,b,c,,\n").encode(), 2, "edge", "does not name a relationship"),
    ((HEADER + "a|explains|b,,a,explains,b,accept,\n").encode(), 2, "state", "is empty, but edge is not"),
    ((HEADER + "a|explains|b,00,a,refines,b,remove,\n").encode(), 2, "type", "is changed in a row that is to be"),
    ((HEADER + ",,a,explains,b,remove,\n").encode(), 2, "decision", "has no relationship to remove"),
    ((HEADER + ",,b,explains,c,,\n" * 2).encode(), 3, "to", "line 2 makes the same relationship"),
    ((HEADER + f",,b,explains,c,,{'x' * 2_001}\n").encode(), 2, "reason", "2,001 characters"),
    (b'{"kind":"export","version":2}\n', 1, "version", "is not 1"),
    (b'{"from":"a"\n', 1, "", "the line is not valid JSON"),
    (b'{"from":1}\n', 1, "from", "has to be a text"),
    (b'{"kind":"x"}\n', 1, "kind", "is not a kind of row"),
    (b'{"kind":"dismissal","dismissal":{"by":"A"}}\n', 1, "dismissal.subject_id", "Field required"),
    (b'{"kind":"triage","triage":{"by":"A"}}\n', 1, "triage.decision_id", "Field required"),
    (b'{"a":' + b"[" * 100_000 + b"\n", 1, "", "the line is refused: it is nested 100,000 levels deep"),
]


@pytest.mark.parametrize(("data", "line", "column", "message"), BAD)
def test_what_is_wrong_is_named_with_its_line_and_what_to_do(
    dg: Docgraph, data: bytes, line: int, column: str, message: str
) -> None:
    diff = dg.relationships.read_file(data)
    (problem,) = diff.errors
    assert (problem.line, problem.column) == (line, column)
    assert message in problem.message
    assert problem.hint
    assert len(problem.value) <= 200
    with pytest.raises(UserError, match="nothing was written"):
        dg.relationships.import_file(diff, by="Ann")
    assert dg.relationships.history() == ()


def test_a_file_that_is_too_large_is_told_to_be_parted(dg: Docgraph, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchange_records, "MAX_BYTES", 10)
    (problem,) = dg.relationships.read_file(exported(dg)).errors
    assert (problem.line, "at most 10 are read" in problem.message) == (0, True)


@pytest.mark.parametrize(
    ("module", "limit", "data", "line", "words"),
    [
        (exchange_records, "MAX_ROWS", b"from,type,to\n" + b"a,explains,b\n" * 9, 5, "more rows than are read: 3"),
        (exchange_records, "MAX_SHEET_ROWS", b"from,type,to\n" + b",,\n" * 9, 4, "empty ones among them"),
        (exchange_records, "MAX_SHEET_ROWS", b'{"kind": "history"}\n' * 9, 4, "empty ones among them"),
        (
            exchange_reading,
            "MAX_ASKED",
            b"from,type,to\na,t,b\na,t,c\na,t,d\na,t,e\n",
            5,
            "more rows ask for a change",
        ),
        (exchange_reading, "MAX_REFUSED", b"from,type,to\n" + b"a,,b\n" * 9, 5, "the rest of the file"),
    ],
)
def test_a_file_of_too_many_rows_is_read_to_the_limit_and_says_which(
    dg: Docgraph, monkeypatch: pytest.MonkeyPatch, module: object, limit: str, data: bytes, line: int, words: str
) -> None:
    """Half a million rows, 6 MB, took 7.4 seconds and 280 MB; files of 20 MB hold three times as many."""
    monkeypatch.setattr(module, limit, 3)
    errors = dg.relationships.read_file(data, new_types=True).errors
    assert (errors[-1].line, words in errors[-1].message, bool(errors[-1].hint)) == (line, True, True), errors
    with pytest.raises(UserError):
        dg.relationships.import_file(data, by="Ann", new_types=True)


def test_what_ends_the_reading_is_listed_however_much_was_wrong_before(
    dg: Docgraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exchange_reading, "MAX_REFUSED", 600)
    diff = dg.relationships.read_file(b"from,type,to\n" + b"a,,b\n" * 700)
    assert (diff.n_errors, len(diff.errors)) == (601, 500)
    assert (diff.errors[0].line, diff.errors[-1].line) == (2, 602)


def test_rows_that_are_wrong_do_not_hide_each_other_and_are_all_counted(dg: Docgraph) -> None:
    rows = [{"from": "a", "type": "explains", "to": "b", "decision": f"no {n}"} for n in range(700)]
    diff = dg.relationships.read_file(saved(["from", "type", "to", "decision"], rows))
    assert (diff.n_errors, len(diff.errors), diff.errors[499].line) == (700, 500, 501)
    assert "700 errors" in diff.sentence


def test_json_lines_hold_all_metadata_and_the_history_when_it_is_asked_for(dg: Docgraph) -> None:
    data = with_changes(exported(dg), {"a|explains|b": {"decision": "accept"}})
    dg.relationships.import_file(data, by="Ann")
    lines = [json.loads(line) for line in b"".join(dg.relationships.export("jsonl", history=True)).splitlines()]
    kinds = [line["kind"] for line in lines]
    assert kinds == ["export", *["relationship"] * len(KEYS), "history"]
    (reviewed,) = [line for line in lines if line.get("edge") == "a|explains|b"]
    assert (reviewed["reviewed_by"], reviewed["metadata"]["review"]["reviewed_by"]) == ("Ann", "Ann")
    assert lines[-1]["entry"]["by"] == "Ann"


def test_a_part_says_that_it_is_one_and_an_unknown_kind_is_refused(dg: Docgraph) -> None:
    part = b"".join(dg.relationships.export("csv", document_id="a", relation_type="explains"))
    header, rows = table(part)
    assert header[-1].startswith("part of revision ")
    assert [row["edge"] for row in rows] == ["a|explains|b", "a|explains|c"]
    assert dg.relationships.read_file(part).n_missing == len(KEYS) - 2
    with pytest.raises(UserError, match="'xml' is not an export format"):
        dg.relationships.export("xml")  # type: ignore[arg-type]
    with pytest.raises(UserError, match="cannot hold the history"):
        dg.relationships.export("csv", history=True)


def triaged(dg: Docgraph) -> Decision:
    """A decision that Ann has until a day, with a comment."""
    decision = Decision(decision_id="d", check_id="c", severity="error", label="3 × gone", finding_ids=("f",))
    dg.triage.assign([decision], "Ann", by="Ben")
    dg.triage.due([decision], "2026-12-01", by="Ben")
    dg.triage.comment([decision], "Ask the author.", by="Ben")
    return decision


def test_who_has_a_decision_until_when_and_comments_go_with_the_edits(dg: Docgraph) -> None:
    decision = triaged(dg)
    data = exported(dg, "jsonl")
    assert b'"kind":"triage"' in data
    assert b'"entry_id"' not in data
    with opened() as other:
        diff = other.relationships.read_file(data)
        assert (diff.n_said, diff.n_conflicts, diff.edits) == (3, 0, ())
        assert "3 to assign" in diff.sentence
        assert [row.sentence for row in diff.rows] == [
            "3 × gone: assigned to Ann",
            "3 × gone: due 2026-12-01",
            "3 × gone: comment: Ask the author.",
        ]
        other.relationships.import_file(diff, by="Cid")
        found = triage_of([decision], other.triage.list())["d"]
        assert (found.assignee, found.due) == ("Ann", "2026-12-01")
        assert [(each.by, each.text) for each in found.comments] == [("Ben", "Ask the author.")]
        assert other.relationships.read_file(data).n_applied == 0
        assert exported(other, "jsonl") == data


def test_who_is_said_here_to_have_a_decision_is_not_overruled_by_a_file(dg: Docgraph) -> None:
    decision = triaged(dg)
    data = exported(dg, "jsonl")
    with opened() as other:
        other.triage.assign([decision], "Cid", by="Cid")
        diff = other.relationships.read_file(data)
        assert (diff.n_said, diff.n_conflicts) == (2, 1)
        assert diff.conflicts[0].conflict.endswith(": assigned to Cid")
        other.relationships.import_file(diff, by="Cid")
        assert {each.text for each in other.triage.list()} == {"Cid", "2026-12-01", "Ask the author."}


def test_a_part_of_the_relationships_says_nothing_of_decisions(dg: Docgraph) -> None:
    triaged(dg)
    assert b"triage" not in b"".join(dg.relationships.export("jsonl", relation_type=KEYS[0][1]))
