"""Reviews that a changed text overtook."""

from __future__ import annotations

from typing import Any

from docgraph import plugins
from docgraph.ports import Outcome, RelationshipGraph
from docgraph.testing.examples.checks import graph_of
from docgraph.testing.suites.checks import found

EDGE = ("guide", "references", "old")


def looked_at(check_id: str, graph: RelationshipGraph, **parameters: object) -> Outcome:
    return found(plugins.build("checks", check_id), graph, **parameters)


def reviewed(*hashes: str, **fields: Any) -> RelationshipGraph:
    return graph_of({EDGE}, reviewed={EDGE: hashes}, **fields)


def test_a_reviewed_relationship_is_suspect_once_a_text_changed() -> None:
    [finding] = looked_at("suspect", reviewed("hash-guide", "before")).findings
    assert finding.sentence == "Guide —references→ Old: the text of Old changed since the relationship was reviewed"
    [both] = looked_at("suspect", reviewed("before", "before")).findings
    assert "the text of Guide and of Old changed" in both.sentence
    assert (finding.finding_id, finding.fix) == (both.finding_id, ())


def test_a_review_of_these_very_texts_is_fine_and_without_reviews_nothing_is_looked_at() -> None:
    fine = looked_at("suspect", reviewed("hash-guide", "hash-old"))
    assert (fine.n_checked, fine.findings, fine.skipped) == (1, [], "")
    for graph in (graph_of({EDGE}), reviewed("x", "y", documents=["guide"])):
        assert looked_at("suspect", graph) == Outcome(0, [], "no relationship has been reviewed")
