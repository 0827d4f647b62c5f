"""Targets that no longer hold, overtaken reviews, mentions, silence on saved questions, targets without text."""

from __future__ import annotations

from typing import Any

import pytest

from docgraph import plugins
from docgraph.domain.graph import Relationship
from docgraph.ports import MENTIONS, Outcome, RelationshipGraph
from docgraph.testing.examples.checks import graph_of, stored
from docgraph.testing.suites.checks import found

EDGE = ("guide", "references", "old")


def looked_at(check_id: str, graph: RelationshipGraph, **parameters: object) -> Outcome:
    return found(plugins.build("checks", check_id), graph, **parameters)


def subjects(outcome: Outcome) -> list[Any]:
    return [finding.relationships or finding.document_ids for finding in outcome.findings]


# ---------------------------------------------------------------- superseded targets


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


# ---------------------------------------------------------------- suspect


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


# ---------------------------------------------------------------- mentions


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


# ---------------------------------------------------------------- never fires


def asked(n_questions: int, *fired: tuple[str, str, str]) -> RelationshipGraph:
    keys = {EDGE, ("a", "explains", "b"), ("a", "explains", "a"), ("a", "explains", "gone"), ("a", MENTIONS, "old")}
    ids = ["a", "b", "guide", "old"]
    return graph_of(keys, documents=ids, n_questions=n_questions, fired=dict.fromkeys(fired, 2))


def test_a_relationship_that_brought_nothing_into_any_plan_is_found() -> None:
    outcome = looked_at("never_fires", asked(12, ("a", "explains", "b")))
    [finding] = outcome.findings
    assert finding.relationships == (EDGE,)
    assert finding.sentence.endswith("brings nothing into the plans of the 12 saved questions")
    assert outcome.n_checked == 2, "one to itself, one to nowhere and mere mentions can bring nothing in"


def test_one_that_fired_is_fine_and_few_questions_say_nothing() -> None:
    assert not looked_at("never_fires", asked(10, ("a", "explains", "b"), EDGE)).findings
    reasons = [looked_at("never_fires", asked(n, EDGE)).skipped for n in (0, 1, 9)]
    assert reasons == [
        "there are no saved questions, and 10 are needed",
        "there is 1 saved question, and 10 are needed",
        "there are 9 saved questions, and 10 are needed",
    ]
    assert looked_at("never_fires", asked(10)).skipped == "the 10 saved questions reach only 0 of 2"
    assert looked_at("never_fires", asked(1, EDGE), min_questions=1).findings


# ---------------------------------------------------------------- targets without text


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
