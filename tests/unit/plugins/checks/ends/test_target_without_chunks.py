"""Targets that hold no text."""

from __future__ import annotations

from docgraph import plugins
from docgraph.ports import MENTIONS, Outcome, RelationshipGraph
from docgraph.testing.examples.checks import graph_of, stored
from docgraph.testing.suites.checks import found

EDGE = ("guide", "references", "old")


def looked_at(check_id: str, graph: RelationshipGraph, **parameters: object) -> Outcome:
    return found(plugins.build("checks", check_id), graph, **parameters)


def test_a_target_that_holds_no_text_is_found_once_however_many_point_at_it() -> None:
    keys = {EDGE, ("a", "explains", "old"), ("guide", "references", "a")}
    documents = ["a", "guide", stored("old", n_chunks=0, title="<b>Old</b>")]
    outcome = looked_at("target_without_chunks", graph_of(keys, documents=documents))
    [finding] = outcome.findings
    assert finding.document_ids == ("old",)
    assert finding.sentence == "<b>Old</b> has no text to retrieve, and 2 relationships point at it"
    assert outcome.n_checked == 2


def test_targets_with_text_and_documents_that_nothing_points_at_are_fine() -> None:
    documents = ["old", stored("guide", n_chunks=0)]
    outcome = looked_at("target_without_chunks", graph_of({EDGE, ("old", MENTIONS, "guide")}, documents=documents))
    assert (outcome.n_checked, outcome.findings) == (1, [])
