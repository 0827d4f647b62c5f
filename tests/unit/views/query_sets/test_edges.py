"""The scoreboard as rows: what is shown of each class, in which order, and what is said of what nobody knows."""

from __future__ import annotations

import pytest

from docgraph.domain.scoreboard import EdgeClass, EdgeScore, Scoreboard
from docgraph.views.query_sets.edges import (
    CLASSES,
    FIRST,
    cells,
    chip_words,
    class_words,
    counts,
    in_order,
    row_id,
    sections,
    sentence,
)


def row(number: int, edge_class: EdgeClass, **fields: object) -> EdgeScore:
    return EdgeScore.model_validate(
        {"key": (f"d{number}", "explains", "t"), "relation_type": "explains", "edge_class": edge_class, **fields}
    )


ROWS = (
    *(row(n, "star", fired=2, tokens=9 - n, worse_without=2, better_without=0) for n in range(6)),
    row(6, "free_rider", fired=1, tokens=90, bad=1, worse_without=0, better_without=1),
    row(7, "other", fired=3, tokens=5, good=1, bad=1, worse_without=1, better_without=1),
    *(row(n, "dead") for n in range(8, 12)),
)


def board(**fields: object) -> Scoreboard:
    known = {"name": "s", "workspace": "w", "measure": "recall@6", "n": 8, "n_judged": 5, "edges": ROWS}
    return Scoreboard.model_validate({**known, "n_relationships": 20, "n_dead": 12, **fields})


def test_the_sentence_and_the_counts_are_those_of_all_relationships_listed_or_not() -> None:
    assert sentence(board()) == "8 of 20 relationships used; 6 help, 1 brings no benefit."
    assert counts(board()) == {"star": 6, "free_rider": 1, "other": 1, "dead": 12}
    assert sum(counts(board()).values()) == 20
    assert [chip_words(each, board()) for each in CLASSES] == ["6 helpful", "1 without benefit", "1 other", "12 unused"]
    assert class_words("dead", board()) == "12 relationships: used in none of 8 questions"


def test_of_an_unjudged_set_nobody_knows_the_stars() -> None:
    assert "not known" in sentence(board(n_judged=0))
    assert [chip_words(each, board(n_judged=0)) for each in CLASSES[:2]] == ["-- helpful", "-- without benefit"]
    assert class_words("other", board(n_judged=0)) == "1 relationship: used, benefit not known"


def test_all_classes_stand_with_their_first_rows_and_one_alone_with_more() -> None:
    found = sections(board(), group="edges", edge_class="", order="class", most=12)
    assert [(each.edge_class, len(each.rows), each.n) for each in found] == [
        ("star", FIRST["star"], 6),
        ("free_rider", 1, 1),
        ("other", 1, 1),
        ("dead", FIRST["dead"], 12),
    ]
    (stars,) = sections(board(), group="edges", edge_class="star", order="class", most=12)
    assert len(stars.rows) == 6
    types = (EdgeScore(name="explains", fired=4), EdgeScore(name="cites", fired=2))
    (only,) = sections(board(types=types), group="types", edge_class="star", order="class", most=1)
    assert (only.edge_class, only.rows, only.n) == (None, types[:1], 2)
    assert [row_id(each) for each in (types[0], ROWS[0])] == ["explains", "d0|explains|t"]


@pytest.mark.parametrize(("order", "first"), [("class", "d0"), ("tokens", "d6"), ("good", "d7"), ("no such", "d0")])
def test_rows_stand_in_the_order_that_was_asked_for(order: str, first: str) -> None:
    found = in_order(ROWS, order)
    assert (found[0].key or ("",))[0] == first
    assert {each.key for each in found} == {each.key for each in ROWS}


def test_what_is_not_known_is_never_nought() -> None:
    said = {each: cells(next(r for r in ROWS if r.edge_class == each), board()) for each in CLASSES}
    assert [said[each].without_words for each in CLASSES] == ["2 worse", "1 better", "1 worse, 1 better", "--"]
    assert [said[each].judged for each in CLASSES] == ["--", "0 / 1", "1 / 1", "--"]
    assert said["dead"].best == "--"
    quick = cells(row(1, "other", fired=2, pushed_out=0), board())
    assert (quick.pushed_out, quick.without_words) == ("--", "--"), "nothing was left out"
    assert cells(ROWS[0], board(n_judged=0)).without_words == "--"
    assert cells(EdgeScore(name="explains", fired=4), board()).pushed_out == "--", "a type is not left out as a whole"
