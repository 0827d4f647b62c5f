"""Relation types keep to one row: those that take part first, the rest behind a button that says how many."""

from __future__ import annotations

from docgraph.ui.parts.type_pills import MORE, pill_style
from docgraph.views.plan.legend import legend

NAMES = [f"relation_type_{n}" for n in range(12)]


def style(used: str = "", *, switched: dict[str, str] | None = None, folded: bool = True) -> str:
    entries = list(legend({}, NAMES, allowed=frozenset(NAMES)))
    place = NAMES.index(used) if used else 0
    if used:
        entries[place] = type(entries[place])(used, (), True, n_plan=1)
    return pill_style(entries, switched=switched, folded=folded)


def hidden(css: str) -> set[int]:
    numbers = range(1, len(NAMES) + 1)
    return {n for n in numbers if f".stApp .st-key-types button:nth-of-type({n}){{display:none}}" in css}


def test_types_beyond_one_row_are_left_out_and_counted() -> None:
    left_out = hidden(style())
    assert 0 < len(left_out) < len(NAMES)
    assert f'.st-key-{MORE} button p::before{{content:"+{len(left_out)} "}}' in style()


def test_a_type_that_takes_part_or_is_switched_by_a_draft_stands_in_the_row() -> None:
    assert 12 in hidden(style())
    assert 12 not in hidden(style(NAMES[11]))
    assert ".st-key-types button:nth-of-type(12){order:0}" in style(NAMES[11])
    assert 12 not in hidden(style(switched={NAMES[11]: "off"}))


def test_opened_every_type_is_there() -> None:
    assert not hidden(style(folded=False))
