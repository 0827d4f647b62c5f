"""Targets that no longer hold."""

from __future__ import annotations

from typing import Any

import pytest

from docgraph import plugins
from docgraph.ports import Outcome, RelationshipGraph
from docgraph.testing.examples.checks import graph_of, stored
from docgraph.testing.suites.checks import found

EDGE = ("guide", "references", "old")


def looked_at(check_id: str, graph: RelationshipGraph, **parameters: object) -> Outcome:
    return found(plugins.build("checks", check_id), graph, **parameters)


def subjects(outcome: Outcome) -> list[Any]:
    return [finding.relationships or finding.document_ids for finding in outcome.findings]


@pytest.mark.parametrize(
    "succession", [("old", "superseded_by", "new"), ("new", "supersedes", "old"), ("new", "Replaces", "old")]
)
def test_a_target_that_something_replaced_is_found_and_the_fix_points_at_the_successor(
    succession: tuple[str, str, str],
) -> None:
    outcome = looked_at("superseded_target", graph_of({EDGE, succession}))
    [finding] = outcome.findings
    assert finding.relationships == (EDGE,)
    assert finding.sentence == "Guide —references→ Old, which was replaced by New"
    assert [edit.result for edit in finding.fix] == [("guide", "references", "new")]
    assert outcome.n_checked == 1, "the succession itself may point at what it replaced"


@pytest.mark.parametrize("status", ["superseded", "Superseded by 7", "DEPRECATED", "Withdrawn.", "rejected"])
@pytest.mark.parametrize("header", [False, True])
def test_a_target_whose_status_says_that_it_no_longer_holds_is_found_without_a_fix(status: str, header: bool) -> None:
    metadata = {"header": {"status": status}} if header else {"Status": status}
    [finding] = looked_at(
        "superseded_target", graph_of({EDGE}, documents=["guide", stored("old", metadata=metadata)])
    ).findings
    assert finding.fix == ()
    assert "whose status is " in finding.sentence


def test_a_link_in_a_text_may_name_what_was_withdrawn_but_not_what_something_replaced() -> None:
    link, old = ("guide", "links_to", "old"), stored("old", metadata={"status": "withdrawn"})
    assert not looked_at("superseded_target", graph_of({link}, documents=["guide", old])).findings
    replaced = graph_of({link, ("new", "supersedes", "old")}, documents=["guide", "new", old])
    [finding] = looked_at("superseded_target", replaced).findings
    assert [edit.result for edit in finding.fix] == [("guide", "links_to", "new")]


@pytest.mark.parametrize("status", ["accepted", "Partly superseded", "", None, ["superseded"], 7])
def test_a_target_with_any_other_status_is_fine(status: object) -> None:
    old = stored("old", metadata={"status": status, "header": "superseded"})
    outcome = looked_at("superseded_target", graph_of({EDGE}, documents=["guide", old]))
    assert (outcome.n_checked, outcome.findings) == (1, [])


def test_the_fix_goes_to_the_end_of_the_line_and_there_is_none_where_it_forks_or_is_known_already() -> None:
    line = {EDGE, ("old", "superseded_by", "mid"), ("mid", "superseded_by", "new")}
    [finding] = looked_at("superseded_target", graph_of(line)).findings
    assert finding.fix[0].to_document_id == "new"
    for more in (("old", "superseded_by", "other"), ("guide", "references", "new")):
        [finding] = looked_at("superseded_target", graph_of({*line, more})).findings
        assert finding.fix == ()


def test_history_may_point_at_history() -> None:
    old = {("old", "superseded_by", "new"), ("older", "superseded_by", "new")}
    told = {("new", "references", "old"), ("older", "references", "old"), ("story", "derived_from", "old")}
    assert looked_at("superseded_target", graph_of(old | told)).findings == []
    again = looked_at("superseded_target", graph_of(old | told), history=())
    assert subjects(again) == [(("story", "derived_from", "old"),)]


def test_documents_that_supersede_each_other_in_a_circle_are_not_taken_for_replaced() -> None:
    circle = {EDGE, ("old", "supersedes", "new"), ("new", "supersedes", "old")}
    assert looked_at("superseded_target", graph_of(circle)).findings == []
    gone = graph_of({EDGE, ("old", "superseded_by", "gone")}, documents=["guide", "old"])
    assert looked_at("superseded_target", gone).findings == [], "nobody knows whether what is not there replaced it"
