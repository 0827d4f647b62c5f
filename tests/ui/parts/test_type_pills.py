"""Relation types as pills: those that take part stand first, and each has its line and its count."""

from __future__ import annotations

from docgraph.ui.parts.type_pills import pill_style
from docgraph.views.plan.legend import legend

NAMES = [f"relation_type_{n}" for n in range(12)]


def style(used: str = "", *, switched: dict[str, str] | None = None) -> str:
    entries = list(legend({}, NAMES, allowed=frozenset(NAMES)))
    if used:
        entries[NAMES.index(used)] = type(entries[0])(used, (), True, n_plan=1)
    return pill_style(entries, switched=switched)


def test_a_type_that_takes_part_or_is_switched_by_a_draft_stands_first() -> None:
    assert ".st-key-types button:nth-of-type(12){order:11}" in style()
    assert ".st-key-types button:nth-of-type(12){order:0}" in style(NAMES[11])
    assert ".st-key-types button:nth-of-type(12){order:0}" in style(switched={NAMES[11]: "off"})


def test_every_type_is_there_with_its_count() -> None:
    css = style(NAMES[11])
    assert "display:none" not in css
    assert '.st-key-types button:nth-of-type(12)::after{content:"1"}' in css
    assert css.count("::after{content:") == len(NAMES)
