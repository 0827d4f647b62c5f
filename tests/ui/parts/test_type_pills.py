"""The legend over the plan: which types have a pill, and which are counted."""

from __future__ import annotations

from docgraph.ui.parts.type_pills import fold_style
from docgraph.views.plan.legend import TypeEntry

ENTRIES = (
    TypeEntry("explains", (), True, n_plan=2),
    TypeEntry("references", (), True),
    TypeEntry("supersedes", (), True, n_cut=1),
    TypeEntry("mentions", (), False),
    TypeEntry("depends_on", (), True),
)


def test_types_without_an_edge_in_the_plan_are_one_button_with_their_number() -> None:
    style = fold_style(ENTRIES, kept=(), unfolded=False)
    assert '"+3 "' in style
    assert [n for n in range(1, 6) if f"nth-of-type({n})" in style] == [2, 4, 5]


def test_a_type_that_somebody_switched_keeps_its_pill() -> None:
    style = fold_style(ENTRIES, kept=["mentions"], unfolded=False)
    assert [n for n in range(1, 6) if f"nth-of-type({n})" in style] == [2, 5]


def test_all_pills_are_shown_on_request_and_when_only_one_would_be_left_out() -> None:
    unfolded = fold_style(ENTRIES, kept=(), unfolded=True)
    assert "nth-of-type" not in unfolded
    assert '"fewer "' in unfolded
    assert fold_style(ENTRIES, kept=["mentions", "references"], unfolded=False) == ""
