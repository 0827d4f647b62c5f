"""Checks of the types of relationships: several of one pair, both directions, inverses, vocabulary, circles."""

from __future__ import annotations

import pytest

from docgraph import plugins
from docgraph.domain.finding import Finding
from docgraph.testing.examples.checks import graph_of
from docgraph.testing.suites.checks import edited, found

DUPLICATE, OPPOSITE, INVERSE, UNKNOWN, CYCLE = (
    plugins.build("checks", name)
    for name in ("duplicate_pair", "opposite_directions", "inverse_missing", "unknown_type", "ordering_cycle")
)
Key = tuple[str, str, str]


def _ends(finding: Finding) -> list[str]:
    return [key[0] for key in finding.relationships]


def test_one_pair_with_two_types_is_told_and_left_to_a_person() -> None:
    outcome = found(DUPLICATE, graph_of([("a", "implements", "b"), ("a", "depends_on", "b"), ("c", "explains", "b")]))
    [finding] = outcome.findings
    assert finding.sentence == "A is related to B as depends_on and implements"
    assert (finding.severity, finding.fix, outcome.n_checked) == ("info", (), 2)


def test_one_type_each_and_the_other_direction_are_no_duplicates() -> None:
    keys = [("a", "explains", "b"), ("b", "references", "a"), ("a", "references", "c"), ("a", "mentions", "b")]
    assert not found(DUPLICATE, graph_of(keys)).findings


@pytest.mark.parametrize(
    ("rare", "usual"), [("explain", "explains"), ("dependson", "depends_on"), ("supercedes", "supersedes")]
)
def test_two_spellings_are_a_warning_and_the_rarer_one_goes(rare: str, usual: str) -> None:
    graph = graph_of([("a", rare, "b"), ("a", usual, "b"), ("c", usual, "d")])
    [finding] = found(DUPLICATE, graph).findings
    assert (finding.severity, [edit.key for edit in finding.fix]) == ("warning", [("a", rare, "b")])
    assert not found(DUPLICATE, graph_of([("a", rare, "b"), ("a", usual, "b")])).findings[0].fix  # as many: undecided


@pytest.mark.parametrize("types", [("supersedes", "superseded_by"), ("updates", "updated"), ("amends", "extends")])
def test_two_words_are_not_two_spellings(types: tuple[str, str]) -> None:
    [finding] = found(DUPLICATE, graph_of([("a", name, "b") for name in types])).findings
    assert finding.severity == "info"


def test_a_one_way_type_in_both_directions_is_an_error_without_a_fix() -> None:
    keys = [("a", "depends_on", "b"), ("b", "depends_on", "a"), ("b", "depends_on", "c"), ("c", "explains", "b")]
    outcome = found(OPPOSITE, graph_of(keys))
    [finding] = outcome.findings
    assert (finding.severity, _ends(finding), finding.fix, outcome.n_checked) == ("error", ["a", "b"], (), 3)


def test_types_that_may_go_both_ways_are_left_alone() -> None:
    graph = graph_of([("a", "references", "b"), ("b", "references", "a"), ("a", "depends_on", "a")])
    assert not found(OPPOSITE, graph).findings
    assert len(found(OPPOSITE, graph, one_way_types=["References"]).findings) == 1


KEPT_UP: list[Key] = [
    key for i in range(3) for key in ((f"n-{i}", "supersedes", f"o-{i}"), (f"o-{i}", "superseded_by", f"n-{i}"))
]


def test_an_inverse_that_most_have_is_missed_and_can_be_added() -> None:
    outcome = found(INVERSE, graph_of([*KEPT_UP, ("new", "supersedes", "old")]))
    [finding] = outcome.findings
    assert (outcome.n_checked, finding.relationships) == (7, (("new", "supersedes", "old"),))
    assert [(edit.action, edit.key) for edit in finding.fix] == [("add", ("old", "superseded_by", "new"))]
    assert finding.sentence == "New —supersedes→ Old, but not Old —superseded_by→ New, though most have both"


def test_the_other_side_is_missed_as_well() -> None:
    [finding] = found(INVERSE, graph_of([*KEPT_UP, ("old", "superseded_by", "new")])).findings
    assert finding.fix[0].key == ("new", "supersedes", "old")


@pytest.mark.parametrize(
    "keys",
    [
        KEPT_UP,  # nothing is missing
        [*KEPT_UP[:4], ("new", "supersedes", "old")],  # two pairs are no habit
        [*KEPT_UP, *((f"x-{i}", "supersedes", f"y-{i}") for i in range(3))],  # half of them is not most
        [("new", "supersedes", "old"), ("newer", "supersedes", "new")],  # the inverse is not used at all
        [*KEPT_UP, ("x", "supersedes", "y"), ("y", "supersedes", "x")],  # a circle lacks no inverse
    ],
)
def test_without_a_habit_nothing_is_missed(keys: list[Key]) -> None:
    assert not found(INVERSE, graph_of(keys)).findings


def test_several_types_may_have_one_inverse() -> None:
    """As in PEPs: ``Replaces`` on one side, ``Superseded-By`` on the other."""
    keys = [(a, "replaces" if via == "supersedes" else via, b) for a, via, b in KEPT_UP]
    assert not found(INVERSE, graph_of(keys)).findings
    [finding] = found(INVERSE, graph_of([*keys, ("old", "superseded_by", "new")])).findings
    assert finding.fix[0].key == ("new", "replaces", "old")


def test_a_type_can_be_its_own_inverse() -> None:
    keys = [(f"{a}-{i}", "related_to", f"{b}-{i}") for i in range(3) for a, b in (("a", "b"), ("b", "a"))]
    graph = graph_of([*keys, ("c", "related_to", "d")])
    [finding] = found(INVERSE, graph, inverse_pairs=[["related_to", "related_to"]]).findings
    assert finding.fix[0].key == ("d", "related_to", "c")


def test_the_habit_is_a_parameter() -> None:
    graph = graph_of([*KEPT_UP[:4], ("new", "supersedes", "old")])
    assert len(found(INVERSE, graph, min_pairs=2).findings) == 1
    assert not found(INVERSE, graph, min_pairs=2, min_share=0.8).findings


def test_an_empty_vocabulary_is_skipped_with_its_reason() -> None:
    outcome = found(UNKNOWN, graph_of([("a", "explains", "b")]))
    assert (outcome.n_checked, outcome.skipped) == (0, "no vocabulary is set")


def test_types_outside_the_vocabulary_are_named_once_each() -> None:
    keys = [("a", "explain", "b"), ("c", "explain", "b"), ("c", "explains", "b"), ("a", "invented", "b")]
    graph = graph_of([*keys, ("a", "mentions", "b")])
    outcome = found(UNKNOWN, graph, vocabulary=["explains", "references"])
    explain, invented = sorted(outcome.findings, key=lambda finding: finding.relation_types)
    assert (outcome.n_checked, explain.relation_types, invented.fix) == (3, ("explain",), ())
    assert explain.sentence == "explain (2 relationships) is not in the vocabulary; most likely explains is meant"
    assert [(edit.action, edit.key[0]) for edit in explain.fix] == [("retype", "a"), ("remove", "c")]
    after = found(UNKNOWN, edited(graph, explain.fix), vocabulary=["explains", "references"])
    assert [finding.relation_types for finding in after.findings] == [("invented",)]


def test_a_corpus_within_its_vocabulary_is_fine() -> None:
    assert not found(UNKNOWN, graph_of([("a", "explains", "b")]), vocabulary=["explains", "unused"]).findings


def test_a_chain_is_no_circle() -> None:
    outcome = found(CYCLE, graph_of([("c", "supersedes", "b"), ("b", "supersedes", "a"), ("c", "supersedes", "a")]))
    assert (outcome.n_checked, outcome.findings) == (3, [])


def test_one_circle_of_a_component_is_named_and_it_is_a_shortest() -> None:
    long = [(f"d-{i}", "supersedes", f"d-{(i + 1) % 6}") for i in range(6)]
    outcome = found(CYCLE, graph_of([*long, ("d-3", "supersedes", "d-1"), ("x", "supersedes", "d-0")]))
    [finding] = outcome.findings
    assert _ends(finding) == ["d-1", "d-2", "d-3"]
    assert finding.sentence.endswith(": a circular chain of 3 documents; 6 documents are connected like this")
    assert (outcome.n_checked, finding.fix) == (8, ())


def test_an_inverse_says_it_backwards() -> None:
    keys = [("a", "supersedes", "b"), ("b", "superseded_by", "a")]
    assert not found(CYCLE, graph_of(keys)).findings
    [finding] = found(CYCLE, graph_of([("a", "supersedes", "b"), ("a", "superseded_by", "b")])).findings
    assert finding.relationships == (("a", "supersedes", "b"), ("a", "superseded_by", "b"))


def test_different_orders_do_not_make_a_circle_together() -> None:
    assert not found(CYCLE, graph_of([("a", "supersedes", "b"), ("b", "derived_from", "a")])).findings


def test_other_types_may_go_in_circles_until_they_are_named() -> None:
    graph = graph_of([("a", "depends_on", "b"), ("b", "depends_on", "c"), ("c", "depends_on", "a")])
    assert found(CYCLE, graph).skipped == "no relationship has an ordering type"
    assert len(found(CYCLE, graph, ordering_types=["depends_on"]).findings) == 1


def test_a_circle_of_thousands_is_found_and_said_in_a_short_sentence() -> None:
    keys = [(f"d-{i:04}", "supersedes", f"d-{(i + 1) % 3_000:04}") for i in range(3_000)]
    [finding] = found(CYCLE, graph_of(keys)).findings
    assert len(finding.relationships) == 3_000
    assert len(finding.sentence) < 400
