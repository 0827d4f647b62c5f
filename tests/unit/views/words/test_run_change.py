"""A row of the list of runs says what relationships changed in it."""

from __future__ import annotations

from docgraph.views.words.outcome import RunChange, RunDocuments, run_change

WITHOUT = frozenset("abcd")


def test_documents_in_and_out_and_the_relevant_ones_before_and_after_are_counted() -> None:
    found = run_change(RunDocuments(frozenset("abxy"), WITHOUT), {"x", "a", "z"})
    assert found == RunChange("+2", "−2", "1 → 2 of 3", 1)
    lost = run_change(RunDocuments(frozenset("abx"), WITHOUT), {"c"})
    assert (lost.relevant, lost.better) == ("1 → 0 of 1", -1)


def test_no_difference_is_zero_and_what_nobody_judged_is_not_known() -> None:
    assert run_change(RunDocuments(WITHOUT, WITHOUT), ()) == RunChange("0", "0", "--", 0)


def test_without_a_run_to_compare_with_nothing_is_known() -> None:
    assert run_change(RunDocuments(WITHOUT, None), {"a"}) == RunChange("--", "--", "--", 0)


def test_a_planned_document_without_a_chunk_is_not_read_however_relevant() -> None:
    planned = RunDocuments(frozenset("abx"), WITHOUT, unread=frozenset("x"), unread_without=frozenset("b"))
    found = run_change(planned, {"x", "b"})
    assert (found.came_in, found.relevant, found.better) == ("+1", "0 → 1 of 2", 1)
