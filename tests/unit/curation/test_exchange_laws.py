"""The laws of working in a spreadsheet: exactly the edited rows change, and two people lose nothing."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docgraph.curation.exchange.writing import defused
from docgraph.domain.edit import Edit
from docgraph.domain.exchange import ExchangeRow, RelationshipDiff
from docgraph.domain.finding import Finding
from docgraph.domain.graph import Document
from docgraph.domain.overrides import edge_text
from docgraph.errors import ConflictError, UserError
from docgraph.orchestration.docgraph import Docgraph
from tests.unit.curation.exchange_worlds import KEYS, Key, Row, exported, keys, opened, table, with_changes

FIRST, SECOND, THIRD = "a|explains|b", "a|explains|c", "b|refines|a"


def read(dg: Docgraph, changes: dict[str, Row], *more: Row, **options: bool) -> RelationshipDiff:
    """The export of now with these changes, read back."""
    return dg.relationships.read_file(with_changes(exported(dg), changes, more), **options)


def test_a_row_of_every_kind_is_part_of_one_act_and_keeps_its_reason() -> None:
    with opened() as dg:
        changes = {
            FIRST: {"type": "refines", "reason": "wrong verb", "decision": "accept"},
            SECOND: {"decision": "remove"},
            THIRD: {"decision": "accept", "reason": "read both"},
        }
        diff = read(dg, changes, {"from": "b", "type": "explains", "to": "c"})
        assert diff.sentence == "1 to add, 1 to change, 1 to remove, 1 to accept; 3 unchanged"
        assert diff.rows[0].sentence == "=A —explains→ =B becomes =A —refines→ =B"
        entries = dg.relationships.import_file(diff, by="Ann", reason="afternoon")
        assert [(entry.edit.action, entry.reason) for entry in entries] == [
            ("remove", "afternoon"),
            ("retype", "wrong verb"),
            ("add", "afternoon"),
            ("accept", "wrong verb"),
            ("accept", "read both"),
        ]
        assert {entry.act for entry in entries} == {"1"}


def test_a_relationship_may_be_turned_moved_or_made_another_one() -> None:
    with opened() as dg:
        changes = {
            FIRST: {"from": "b", "to": "a"},
            SECOND: {"to": "gone"},
            THIRD: {"type": "uses", "from": "c", "to": "b"},
        }
        diff = read(dg, changes, new_types=True)
        assert [edit.action for edit in diff.edits] == ["flip", "retarget", "remove", "add"]
        entries = dg.relationships.import_file(diff, by="Ann", reason="afternoon")
        assert ({entry.act for entry in entries}, {entry.reason for entry in entries}) == ({"1"}, {"afternoon"})
        assert {("b", "explains", "a"), ("a", "explains", "gone"), ("c", "uses", "b")} <= set(keys(dg))
        assert len(keys(dg)) == len(KEYS)


def test_rows_that_take_each_others_places_are_done_in_an_order_that_works() -> None:
    """A chain, and a circle: in a circle the first one goes and comes anew."""
    with opened([("a", "x", "a"), ("a", "x", "b"), ("a", "x", "c"), ("b", "x", "a"), ("b", "x", "b")]) as dg:
        changes = {
            "a|x|a": {"to": "b"},
            "a|x|b": {"to": "c"},
            "a|x|c": {"to": "gone"},
            "b|x|a": {"to": "b"},
            "b|x|b": {"to": "a"},
        }
        before = exported(dg, "jsonl")
        diff = read(dg, changes)
        assert (diff.n_changed, diff.n_conflicts) == (5, 0)
        entries = dg.relationships.import_file(diff, by="Ann")
        assert [key[2] for key in keys(dg)] == ["b", "c", "gone", "a", "b"]
        for entry in reversed(entries):
            dg.relationships.undo(entry.entry_id, by="Ann")
        assert exported(dg, "jsonl") == before


def test_a_row_whose_place_stays_taken_is_a_conflict_and_so_is_what_waited_for_it() -> None:
    with opened([("a", "x", "a"), ("a", "x", "b"), ("a", "x", "c")]) as dg:
        diff = read(dg, {"a|x|a": {"to": "b"}, "a|x|b": {"to": "c"}}, {"from": "b", "type": "x", "to": "b"})
        assert [row.line for row in diff.conflicts] == [2, 3]
        assert diff.conflicts[0].hint == "remove one of the two rows"
        assert (diff.n_added, diff.n_conflicts, diff.n_unchanged) == (1, 2, 1)


def test_unknown_types_and_starts_are_conflicts_that_name_what_is_near() -> None:
    with opened() as dg:
        new = {"from": "nobody", "type": "explains", "to": "a"}
        diff = read(dg, {FIRST: {"type": "explians"}}, new)
        said = [(row.conflict, row.hint) for row in diff.conflicts]
        assert said[0][0] == "the vocabulary has no type 'explians'"
        assert said[0][1].startswith("nearest: explains")
        assert "no document 'nobody'" in said[1][0]
        assert read(dg, {FIRST: {"type": "explians"}}, new, new_types=True).n_conflicts == 1


def test_two_people_work_on_one_export_and_the_second_is_told_what_the_first_did() -> None:
    with opened() as dg:
        file = exported(dg)
        ann = with_changes(file, {FIRST: {"type": "refines", "reason": "wrong verb"}, SECOND: {"decision": "remove"}})
        ben = with_changes(file, {FIRST: {"decision": "remove"}, SECOND: {"to": "b"}, THIRD: {"decision": "accept"}})
        dg.relationships.import_file(ann, by="Ann")
        done = dict.fromkeys(keys(dg))
        diff = dg.relationships.read_file(ben)
        assert diff.sentence.startswith("1 to accept; 2 conflicts; 3 unchanged")
        first, second = (row.conflict for row in diff.conflicts)
        assert "Ann changed the type of a —explains→ b to a —refines→ b at day 2 “wrong verb”, entry 2" in first
        assert "Ann removed a —explains→ c at day 2, entry 1" in second
        dg.relationships.import_file(diff, by="Ben")
        assert dict.fromkeys(keys(dg)) == done
        assert [entry.by for entry in dg.relationships.history()] == ["Ben", "Ann", "Ann"]


def test_a_change_between_reading_a_file_and_importing_it_stops_all_of_it() -> None:
    with opened() as dg:
        diff = read(dg, {FIRST: {"decision": "accept"}, SECOND: {"decision": "remove"}})
        dg.relationships.edit([Edit(action="accept", key=("a", "explains", "b"))], by="Ann")
        with pytest.raises(ConflictError, match="a —explains→ b has changed since you saw it: Ann accepted"):
            dg.relationships.import_file(diff, by="Ben")
        assert len(dg.relationships.history()) == 1
        assert keys(dg) == sorted(KEYS)


def test_a_dry_run_says_the_same_and_writes_nothing() -> None:
    with opened() as dg:
        before, diff = exported(dg), read(dg, {FIRST: {"decision": "accept", "reason": "read"}})
        (would,) = dg.relationships.import_file(diff, by="Ann", dry_run=True)
        assert (would.entry_id, would.reason, exported(dg), dg.relationships.history()) == (0, "read", before, ())
        with pytest.raises(UserError, match="give a name"):
            dg.relationships.import_file(diff, by=" ")


def test_nobody_accepts_a_text_that_changed_since_the_export() -> None:
    with opened() as dg:
        file = with_changes(exported(dg), {"c|explains|gone": {"decision": "accept"}})
        dg.ingest_records([Document(document_id="gone", title="G", text="There it is.")])
        (conflict,) = dg.relationships.read_file(file).conflicts
        assert "a text of =C —explains→ G has changed since the export" in conflict.conflict


def test_a_text_that_changes_between_reading_a_file_and_importing_it_is_not_accepted() -> None:
    with opened() as dg:
        diff = read(dg, {FIRST: {"from": "b", "to": "a", "decision": "accept"}, SECOND: {"decision": "remove"}})
        dg.ingest_records([Document(document_id="b", title="B", text="Another text.")])
        with pytest.raises(ConflictError, match="a text at an end of b —explains→ a changed since"):
            dg.relationships.import_file(diff, by="Ann")
        assert dg.relationships.history() == ()


def test_what_is_missing_in_a_file_stays_unless_a_whole_fresh_export_lacks_it() -> None:
    with opened() as dg:
        file = exported(dg)
        less = b"".join(line for line in file.splitlines(keepends=True) if not line.startswith(FIRST.encode()))
        assert dg.relationships.read_file(less).sentence == "nothing to change; 5 unchanged; 1 not in the file, kept"
        part = b"".join(dg.relationships.export("csv", document_id="c"))
        (problem,) = dg.relationships.read_file(part, remove_missing=True).errors
        assert "no export of all relationships" in problem.message
        diff = dg.relationships.read_file(less, remove_missing=True)
        assert diff.sentence == "1 to remove; 5 unchanged; 1 not in the file"
        assert (diff.rows[0].line, diff.rows[0].before) == (0, ("a", "explains", "b"))
        dg.relationships.edit([Edit(action="add", key=("b", "explains", "c"))], by="Ann")
        (problem,) = dg.relationships.read_file(less, remove_missing=True).errors
        assert "an export of older data" in problem.message
        dg.relationships.undo(1, by="Ann")
        dg.relationships.import_file(diff, by="Ann")
        assert FIRST not in map(edge_text, keys(dg))


def test_what_was_ignored_travels_with_json_lines() -> None:
    subject = Finding.about("orphan", "info", "A is alone", document_ids=("a",))
    with opened() as dg, opened() as other:
        (made,) = dg.rules.dismiss([subject], by="Ann", reason="an index page")
        file = exported(dg, "jsonl")
        diff = other.relationships.read_file(file)
        assert diff.sentence == f"1 to ignore; {len(KEYS)} unchanged"
        assert other.relationships.import_file(diff, by="Ben", dry_run=True) == other.rules.dismissals() == ()
        other.relationships.import_file(diff, by="Ben")
        assert other.rules.dismissals() == (made,)
        assert other.relationships.read_file(file).n_unchanged == len(KEYS) + 1
        with pytest.raises(ConflictError, match="Ann decided about A is alone meanwhile"):
            other.relationships.import_file(diff, by="Ben")
        other.rules.withdraw([made.subject_id])
        other.rules.dismiss([subject], by="Ben", reason="of no use")
        (conflict,) = other.relationships.read_file(file).conflicts
        assert conflict.conflict == f"Ben decided it at {other.rules.dismissals()[0].at}: “of no use”"


# ---------------------------------------------------------------- random work in a spreadsheet

_ids = st.sampled_from(("a", "b", "c", "=1+1", "007", "nobody"))
_types = st.sampled_from(("explains", "refines", "-uses"))
_key = st.tuples(_ids, _types, _ids)
_work = st.one_of(st.none(), st.sampled_from(("accept", "remove")), _key, st.tuples(_key, st.just("accept")))


def _cells(work: object) -> Row:
    if isinstance(work, str):
        return {"decision": work}
    key, decision = work if isinstance(work, tuple) and len(work) == 2 else (work, "")
    start, via, end = key  # type: ignore[misc]
    return {"from": start, "type": via, "to": end, "decision": decision}  # type: ignore[dict-item]


@settings(max_examples=120, deadline=None)
@given(
    there=st.sets(_key.filter(lambda key: key[0] != "nobody"), max_size=8),
    work=st.lists(_work, min_size=8, max_size=8),
    new=st.lists(_key, max_size=3),
)
def test_exactly_the_edited_rows_change(there: set[Key], work: list[object], new: list[Key]) -> None:
    with opened(sorted(there)) as dg:
        before = exported(dg)
        rows = table(before)[1]
        changes = {row["edge"]: _cells(done) for row, done in zip(rows, work, strict=False) if done is not None}
        diff = dg.relationships.read_file(with_changes(before, changes, [_cells(key) for key in new]), new_types=True)
        if diff.errors:
            assert all("makes the same relationship" in problem.message for problem in diff.errors)
            return
        assert diff.n_applied + diff.n_conflicts + diff.n_unchanged == len(there) + len(new)
        entries = dg.relationships.import_file(diff, by="Ann")
        _check_exactly(dg, there, diff)
        after = [_plain(row) for row in table(exported(dg))[1]]
        touched = {defused(edge_text(row.before)) for row in diff.rows if row.before}
        assert all(_plain(row) in after for row in rows if row["edge"] not in touched)
        for entry in reversed(entries):
            dg.relationships.undo(entry.entry_id, by="Ann")
        assert exported(dg) == before


def _check_exactly(dg: Docgraph, there: set[Key], diff: RelationshipDiff) -> None:
    """What goes and comes is what the rows say, and each conflict has its ground in what stands now."""
    left = {row.before for row in diff.rows if row.before != row.after}
    came = {row.after for row in diff.rows if row.before != row.after}
    now = {each.key: each for each in dg.relationships.list()}
    assert now.keys() == (there - left) | (came - {None})
    for row in diff.rows:
        if row.accepts and row.after is not None:
            assert now[row.after].relationship_metadata["review"]["reviewed_by"] == "Ann"
    assert all(_is_grounded(row, now.keys()) for row in diff.conflicts)


def _is_grounded(row: ExchangeRow, now: object) -> bool:
    return row.after is not None and (row.after[0] == "nobody" or row.after in now)  # type: ignore[operator]


def _plain(row: Row) -> Row:
    """Without the last column, whose name tells the revision."""
    return {name: cell for name, cell in row.items() if " of revision " not in name}
