"""Relationships on which no saved question depends."""

from __future__ import annotations

from docgraph import plugins
from docgraph.ports import MENTIONS, Outcome, RelationshipGraph
from docgraph.testing.examples.checks import graph_of
from docgraph.testing.suites.checks import found

EDGE = ("guide", "references", "old")


def looked_at(check_id: str, graph: RelationshipGraph, **parameters: object) -> Outcome:
    return found(plugins.build("checks", check_id), graph, **parameters)


def asked(n_questions: int, *fired: tuple[str, str, str]) -> RelationshipGraph:
    keys = {EDGE, ("a", "explains", "b"), ("a", "explains", "a"), ("a", "explains", "gone"), ("a", MENTIONS, "old")}
    ids = ["a", "b", "guide", "old"]
    return graph_of(keys, documents=ids, n_questions=n_questions, fired=dict.fromkeys(fired, 2))


def test_a_relationship_that_brought_nothing_into_any_plan_is_found() -> None:
    outcome = looked_at("never_fires", asked(12, ("a", "explains", "b")))
    [finding] = outcome.findings
    assert finding.relationships == (EDGE,)
    assert finding.sentence.endswith("adds nothing to the plans of the 12 saved questions")
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
