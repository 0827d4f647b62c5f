"""Reasons to take: the commonest that people gave for an act, the newest first among equals, else written ones."""

from __future__ import annotations

from docgraph.domain.curation import Dismissal
from docgraph.domain.edit import Action, Edit
from docgraph.domain.history import HistoryEntry
from docgraph.views.relationships.findings.triage import WRITTEN, common_reasons


def entry(number: int, action: Action, reason: str, *, act: int = 0, undoes: int | None = None) -> HistoryEntry:
    return HistoryEntry(
        entry_id=number,
        at=f"2026-11-28T10:00:{number:02}+00:00",
        by="Ann",
        reason=reason,
        edit=Edit(action=action, key=("a", "explains", f"b{number}")),
        before=None,
        after=None,
        undoes=undoes,
        act=str(act or number),
    )


def ignored(number: int, reason: str, *, decision_id: str = "") -> Dismissal:
    at = f"2026-11-28T10:00:{number:02}+00:00"
    return Dismissal(subject_id=f"s{number}", kind="finding", by="Ann", at=at, reason=reason, decision_id=decision_id)


def test_written_reasons_stand_where_nobody_gave_one() -> None:
    for act, written in WRITTEN.items():
        assert common_reasons(act, ("remove",), (), ()) == written


def test_the_commonest_come_first_and_the_newest_among_equals() -> None:
    entries = [
        entry(1, "remove", "old"),
        entry(2, "remove", "twice"),
        entry(3, "remove", " twice "),
        entry(4, "remove", "new"),
    ]
    assert common_reasons("remove", ("remove",), entries, ()) == ("twice", "new", "old")


def test_reasons_of_other_acts_undone_ones_and_those_that_nobody_wrote_do_not_count() -> None:
    entries = [
        entry(1, "accept", "accepted as it is"),
        entry(2, "remove", "it went"),
        entry(3, "accept", "taken back", undoes=1),
        entry(4, "accept", ""),
    ]
    assert common_reasons("accept", ("accept",), entries, ()) == WRITTEN["accept"]


def test_one_save_counts_once_however_many_relationships_it_is_about() -> None:
    many = [entry(n, "remove", "a licence", act=1) for n in range(1, 9)]
    often = [entry(20, "remove", "not said"), entry(21, "remove", "not said")]
    assert common_reasons("remove", ("remove",), [*many, *often], ())[:2] == ("not said", "a licence")
    class_of = [ignored(n, "printed", decision_id="d") for n in range(5)]
    assert common_reasons("ignore", (), (), [*class_of, ignored(8, "later"), ignored(9, "later")])[:2] == (
        "later",
        "printed",
    )
