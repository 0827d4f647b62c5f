"""Mentions without a relationship, and relationships without a mention."""

from __future__ import annotations

import pytest

from docgraph import plugins
from docgraph.domain.graph import Relationship
from docgraph.ports import MENTIONS, Outcome, RelationshipGraph
from docgraph.testing.examples.checks import graph_of, stored
from docgraph.testing.suites.checks import found

EDGE = ("guide", "references", "old")


def looked_at(check_id: str, graph: RelationshipGraph, **parameters: object) -> Outcome:
    return found(plugins.build("checks", check_id), graph, **parameters)


def test_a_mention_without_a_relationship_in_either_direction_is_found_with_its_sentence() -> None:
    keys = {("a", MENTIONS, "b"), ("c", MENTIONS, "b"), ("b", "explains", "c")}
    outcome = looked_at("mention_without_edge", graph_of(keys, texts={MENTIONS: "see <b>B</b>"}))
    [finding] = outcome.findings
    assert (finding.relationships, finding.evidence) == ((("a", MENTIONS, "b"),), "see <b>B</b>")
    assert finding.sentence == "A names B in its text and has no relationship with it"
    assert outcome.n_checked == 2


def test_where_hardly_a_mention_goes_with_a_relationship_naming_alone_calls_for_none() -> None:
    graph = graph_of({("a", MENTIONS, "b"), ("a", MENTIONS, "c"), ("a", MENTIONS, "d"), ("a", "explains", "b")})
    silent = looked_at("mention_without_edge", graph)
    assert silent.skipped == "only 1 of 3 mentions go with a relationship, so naming alone calls for none"
    assert len(looked_at("mention_without_edge", graph, min_related=0).findings) == 2
    assert looked_at("mention_without_edge", graph_of({EDGE})).skipped == "no text names another document"


def stated(place: str, *mentions: tuple[str, str]) -> RelationshipGraph:
    """Two relationships stated at ``place``: one that a text names, and the one in question."""
    ends = (("guide", "old"), ("a", "b"))
    metadata = {"place": place, "text": "references: old"}
    edges = tuple(
        Relationship(from_document_id=a, relation_type="references", to_document_id=b, relationship_metadata=metadata)
        for a, b in ends
    )
    documents = {each: stored(each) for each in ("a", "b", "guide", "old")}
    return RelationshipGraph(documents=documents, relationships=edges, mentions=frozenset((("a", "b"), *mentions)))


@pytest.mark.parametrize("place", ["front_matter", "header", "record", ""])
def test_a_relationship_that_neither_text_bears_out_is_found_with_what_states_it(place: str) -> None:
    outcome = looked_at("edge_without_mention", stated(place))
    [finding] = outcome.findings
    assert (finding.relationships, finding.evidence) == ((EDGE,), "references: old")
    assert finding.sentence == "Guide —references→ Old: neither text names the other"
    assert (outcome.n_checked, finding.fix) == (2, ())


def test_a_mention_in_either_text_bears_a_relationship_out_unless_the_rule_asks_for_the_first() -> None:
    assert not looked_at("edge_without_mention", stated("header", ("guide", "old"))).findings
    back = stated("header", ("old", "guide"))
    assert not looked_at("edge_without_mention", back).findings
    [finding] = looked_at("edge_without_mention", back, either=False).findings
    assert finding.sentence.endswith("the text of Guide never names Old")


def test_what_was_read_in_the_text_needs_no_mention_and_where_naming_is_no_custom_it_is_silent() -> None:
    assert looked_at("edge_without_mention", stated("body")).skipped == "no relationship was stated outside the texts"
    assert "only 1 of 2" in looked_at("edge_without_mention", stated("header"), min_named=0.6).skipped
    assert "no text names" in looked_at("edge_without_mention", graph_of({EDGE})).skipped
