"""A review as it stands is what its lines add up to, and its history shows every step."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from docgraph.domain.saved_run import CHECKLIST, ReviewEntry
from docgraph.views.runs import history, standing

KEYS = [key for key, _ in CHECKLIST]
entries = st.lists(
    st.builds(
        ReviewEntry,
        kind=st.sampled_from(["item", "note", "approved", "withdrawn"]),
        at=st.just("2026-11-22T02:04:05+00:00"),
        by=st.sampled_from(["", "Ann"]),
        item=st.sampled_from([*KEYS, "removed-item"]),
        checked=st.sampled_from([True, False, None]),
        text=st.sampled_from(["", "note"]),
    ),
    max_size=12,
)


@given(entries)
@settings(max_examples=60, deadline=None)
def test_the_last_line_on_an_item_and_on_approval_decides(lines: list[ReviewEntry]) -> None:
    now = standing(lines)
    assert [item.key for item in now.items] == KEYS
    for item in now.items:
        mine = [line for line in lines if line.kind == "item" and line.item == item.key]
        ticks = [line.checked for line in mine if line.checked is not None]
        assert item.checked == (ticks[-1] if ticks else False)
        assert item.text == (mine[-1].text if mine else "")
    votes = [line for line in lines if line.kind in ("approved", "withdrawn")]
    approves = bool(votes) and votes[-1].kind == "approved"
    assert now.approved_by == ((votes[-1].by or "somebody") if approves else "")


@given(entries)
@settings(max_examples=60, deadline=None)
def test_history_keeps_every_line_newest_first_and_each_step_starts_where_the_last_one_ended(
    lines: list[ReviewEntry],
) -> None:
    told = history(lines)
    assert len(told) == len(lines)
    last: dict[str, str] = {}
    for line in reversed(told):
        if line.what != "Note":
            assert line.before == last.get(line.what, line.before)
            last[line.what] = line.after


def test_an_item_that_is_no_longer_on_the_list_keeps_its_history() -> None:
    lines = [ReviewEntry(kind="item", at="2026-11-22T02:04:05+00:00", item="old", checked=True)]
    assert [(line.what, line.before, line.after) for line in history(lines)] == [("old", "not ticked", "ticked")]
    assert standing(lines).n_checked == 0
