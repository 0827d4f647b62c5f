"""Undo of one entry: when something stands in the way, and what the undo says that it did."""

from __future__ import annotations

import pytest

from docgraph.curation.editing import blocking, undoing
from docgraph.domain.edit import Edit
from docgraph.domain.graph import Relationship
from docgraph.domain.history import HistoryEntry
from docgraph.errors import ConflictError
from tests.contract.stores.examples import example_edge

KEY = ("a", "cites", "b")
EDGE = example_edge(*KEY)
SEEN = example_edge(*KEY, review={})


def entry(
    entry_id: int,
    before: Relationship | None,
    after: Relationship | None,
    *,
    undoes: int | None = None,
    undone_by: int | None = None,
    edit: Edit | None = None,
) -> HistoryEntry:
    return HistoryEntry(
        entry_id=entry_id,
        at="now",
        by="me",
        reason="",
        edit=edit or Edit(action="accept", key=KEY),
        before=before,
        after=after,
        undoes=undoes,
        undone_by=undone_by,
        act=str(entry_id),
    )


def test_an_undo_leads_back_to_what_was_before() -> None:
    change = undoing(entry(3, EDGE, SEEN), [])
    assert (change.before, change.after, change.undoes) == (SEEN, EDGE, 3)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (None, EDGE, Edit(action="remove", key=KEY)),
        (EDGE, None, Edit(action="add", key=KEY)),
        (EDGE, example_edge("b", "cites", "a"), Edit(action="flip", key=("b", "cites", "a"), relation_type="cites")),
        (EDGE, example_edge("a", "is", "b"), Edit(action="retype", key=("a", "is", "b"), relation_type="cites")),
        (EDGE, example_edge("a", "cites", "c"), Edit(action="retarget", key=("a", "cites", "c"), to_document_id="b")),
        (EDGE, SEEN, Edit(action="accept", key=KEY)),
    ],
)
def test_an_undo_says_what_it_does(before: Relationship | None, after: Relationship | None, expected: Edit) -> None:
    edit = undoing(entry(1, before, after), []).edit
    assert edit == expected
    if expected.action != "accept":
        assert edit.result == (before.key if before else None)


def test_an_entry_is_undone_once() -> None:
    with pytest.raises(ConflictError, match=r"already undone by entry 5.*undo entry 5"):
        undoing(entry(1, EDGE, None, undone_by=5), [])


def test_later_entries_on_the_same_relationship_block_and_are_named_newest_first() -> None:
    later = [entry(2, SEEN, EDGE), entry(3, EDGE, None), entry(4, None, example_edge("c", "x", "d"))]
    with pytest.raises(
        ConflictError, match=r"later changes depend on it: 3 \(accept, a —cites→ b\), 2 .*undo entry 3 first"
    ):
        undoing(entry(1, EDGE, SEEN), later)


def test_an_earlier_entry_and_one_elsewhere_do_not_block() -> None:
    assert blocking(entry(3, EDGE, SEEN), [entry(2, None, EDGE), entry(4, None, example_edge("a", "cites", "c"))]) == ()


def test_later_entries_that_cancel_each_other_do_not_block() -> None:
    first = entry(1, EDGE, SEEN)
    gone, back = entry(2, SEEN, None, undone_by=3), entry(3, None, SEEN, undoes=2)
    assert blocking(first, [gone, back]) == ()
    again = entry(4, SEEN, None, undoes=3)
    assert [each.entry_id for each in blocking(first, [gone, back, again])] == [4]


def test_an_undo_of_something_older_blocks() -> None:
    """To have 2 again when 1, which 2 built on, was taken back after it."""
    taken_back = entry(3, None, EDGE, undoes=2)
    assert [each.entry_id for each in blocking(taken_back, [entry(4, EDGE, None, undoes=1)])] == [4]
