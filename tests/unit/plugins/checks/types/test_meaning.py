"""Types that look alike, and relationships between kinds of documents that others of their type do not connect."""

from __future__ import annotations

import numpy as np
import pytest

from docgraph import plugins
from docgraph.domain.graph import Vector
from docgraph.ports import MENTIONS, Outcome, RelationshipGraph
from docgraph.testing.examples.checks import Keys, graph_of, stored
from docgraph.testing.suites.checks import found

COMMON = [(f"a-{i}", f"b-{i}") for i in range(8)]


def looked_at(check_id: str, graph: RelationshipGraph, **parameters: object) -> Outcome:
    return found(plugins.build("checks", check_id), graph, **parameters)


def types(**counts: int) -> set[tuple[str, str, str]]:
    """So many relationships of each type, none between the same two documents."""
    return {(f"{name}-{i}", name, f"to-{name}-{i}") for name, n in counts.items() for i in range(n)}


def alike(keys: Keys, vectors: dict[str, Vector] | None = None, **parameters: object) -> list[tuple[str, ...]]:
    outcome = looked_at("look_alike_types", graph_of(keys, type_vectors=vectors or {}), **parameters)
    return [finding.relation_types for finding in outcome.findings]


# ---------------------------------------------------------------- look-alike types: spelling


@pytest.mark.parametrize(
    ("rare", "frequent"),
    [
        ("explain", "explains"),
        ("dependson", "depends_on"),
        ("Depends-On", "depends_on"),
        ("depends on", "depends_on"),
        ("refrences", "references"),
        ("supercedes", "supersedes"),
        ("explians", "explains"),
        ("implementss", "implements"),
        ("superceded_by", "superseded_by"),
        ("relates_to", "related_to"),
        ("erlautert", "erläutert"),
    ],
)
def test_another_spelling_is_found_and_its_fix_takes_the_frequent_name(rare: str, frequent: str) -> None:
    outcome = looked_at("look_alike_types", graph_of(types(**{rare: 1, frequent: 8})))
    [finding] = outcome.findings
    assert finding.relation_types == (rare, frequent)
    assert finding.sentence == f"{rare} (1 relationship) is written nearly like {frequent} (8)"
    assert [edit.result for edit in finding.fix] == [(f"{rare}-0", frequent, f"to-{rare}-0")]
    assert outcome.n_checked == 2


@pytest.mark.parametrize(
    ("rare", "frequent"),
    [
        ("supersedes", "superseded_by"),
        ("replaces", "replaced_by"),
        ("replaces", "requires"),
        ("amends", "amended_by"),
        ("implements", "explains"),
        ("part_of", "has_part"),
        ("level_1", "level_2"),
        ("causes", "caused"),
        ("blocks", "unblocks"),
        ("input_to", "output_to"),
        ("uses", "used"),
        ("→", "←"),
    ],
)
def test_names_of_different_types_are_no_look_alikes(rare: str, frequent: str) -> None:
    assert alike(types(**{rare: 1, frequent: 80})) == []
    assert alike(types(**{rare: 80, frequent: 1})) == []


def test_a_slip_of_the_pen_is_rare_and_two_names_in_use_are_two_types() -> None:
    assert alike(types(precedes=5, preceded=8)) == []
    assert alike(types(precedes=2, preceded=8)) == [("precedes", "preceded")]
    assert alike(types(precedes=5, preceded=8), rarer=0.7) == [("precedes", "preceded")]


def test_one_name_with_other_separators_is_found_however_frequent_and_a_tie_has_no_fix() -> None:
    tied = looked_at("look_alike_types", graph_of(types(**{"depends-on": 3, "depends_on": 3})))
    assert [(f.relation_types, f.fix) for f in tied.findings] == [(("depends_on", "depends-on"), ())]
    more = looked_at("look_alike_types", graph_of(types(**{"depends-on": 3, "depends_on": 4})))
    assert [(f.relation_types, len(f.fix)) for f in more.findings] == [(("depends-on", "depends_on"), 3)]


def test_a_relationship_that_is_there_under_the_right_name_too_is_removed_and_not_doubled() -> None:
    keys = {*((a, "explains", b) for a, b in COMMON), ("a-0", "explain", "b-0"), ("a-0", "explain", "b-1")}
    [finding] = looked_at("look_alike_types", graph_of(keys)).findings
    assert [(edit.action, edit.key[2]) for edit in finding.fix] == [("remove", "b-0"), ("retype", "b-1")]


def test_a_stated_type_is_never_turned_into_a_mere_mention_by_a_fix() -> None:
    [finding] = looked_at("look_alike_types", graph_of(types(**{"mention": 1, MENTIONS: 9}))).findings
    assert (finding.relation_types, finding.fix) == (("mention", MENTIONS), ())


# ---------------------------------------------------------------- look-alike types: meaning


def unit(*values: float) -> Vector:
    vector = np.array(values, dtype=np.float32)
    return vector / np.linalg.norm(vector)  # type: ignore[no-any-return]


def test_names_of_one_meaning_are_found_without_a_fix_when_one_is_clearly_rarer() -> None:
    vectors = {"needs": unit(1, 0.1), "requires": unit(1, 0), "describes": unit(0, 1)}
    counts = {"needs": 1, "requires": 8, "describes": 8}
    [finding] = looked_at("look_alike_types", graph_of(types(**counts), type_vectors=vectors)).findings
    assert (finding.relation_types, finding.fix) == (("needs", "requires"), ())
    assert finding.sentence == "needs (1 relationship) means nearly the same as requires (8)"
    assert alike(types(**{**counts, "needs": 4}), vectors) == []
    assert alike(types(**counts), vectors, cosine=0.999) == []


@pytest.mark.parametrize(("rare", "frequent"), [("amends", "amended_by"), ("part_of", "has_part"), ("v1", "v2")])
def test_an_inverse_means_nearly_the_same_and_is_another_type(rare: str, frequent: str) -> None:
    assert alike(types(**{rare: 1, frequent: 9}), {rare: unit(1, 0), frequent: unit(1, 0)}) == []


# ---------------------------------------------------------------- unusual pairs


def kinds_of(keys: Keys, *, spare: int = 3) -> RelationshipGraph:
    """Documents whose kind is what stands before the ``-``; so many of each kind that nothing names."""
    ids = {end for key in keys for end in (key[0], key[2])}
    ids |= {f"{kind}-spare{i}" for kind in {each.split("-")[0] for each in ids} for i in range(spare)}
    return graph_of(keys, documents=[stored(each, doc_type=each.split("-")[0]) for each in sorted(ids)])


GUIDES = {(f"guide-{i}", "explains", f"adr-{i}") for i in range(5)}


def test_one_relationship_against_the_direction_of_all_others_is_found() -> None:
    outcome = looked_at("unusual_pair", kinds_of({*GUIDES, ("adr-9", "explains", "guide-9")}))
    [finding] = outcome.findings
    assert finding.relationships == (("adr-9", "explains", "guide-9"),)
    assert finding.sentence.endswith(
        "goes from adr to guide; 5 of the 5 others of the type explains between the two go from guide to adr"
    )
    assert (outcome.n_checked, finding.fix) == (6, ())


def test_which_of_two_replaced_the_other_follows_from_time_and_not_from_their_kinds() -> None:
    keys = {(f"a-{i}", "replaces", f"b-{i}") for i in range(5)} | {("b-9", "replaces", "a-9")}
    assert not looked_at("unusual_pair", kinds_of(keys)).findings
    assert len(looked_at("unusual_pair", kinds_of({(a, "explains", b) for a, _, b in keys})).findings) == 1


def test_where_two_go_the_other_way_or_fewer_than_three_agree_it_is_silent() -> None:
    two = {*GUIDES, ("adr-8", "explains", "guide-8"), ("adr-9", "explains", "guide-9")}
    few = {*sorted(GUIDES)[:2], ("adr-9", "explains", "guide-9")}
    assert [len(looked_at("unusual_pair", kinds_of(keys)).findings) for keys in (two, few)] == [0, 0]
    assert len(looked_at("unusual_pair", kinds_of(two), share=0.8).findings) == 2
    assert len(looked_at("unusual_pair", kinds_of(few), min_others=2).findings) == 1


def test_a_kind_that_no_other_relationship_of_the_type_ends_at_is_found() -> None:
    keys = {*GUIDES, ("guide-7", "explains", "policy-1")}
    [finding] = looked_at("unusual_pair", kinds_of(keys)).findings
    assert finding.relationships == (("guide-7", "explains", "policy-1"),)
    assert "5 of the 5 others of the type explains go from guide to adr" in finding.sentence
    assert not looked_at("unusual_pair", kinds_of(keys, spare=0)).findings, "one policy is too few to compare"


def test_any_one_kind_may_supersede_its_own_and_only_crossing_over_is_unusual() -> None:
    within = {(f"adr-{i + 1}", "supersedes", f"adr-{i}") for i in range(4)}
    assert not looked_at("unusual_pair", kinds_of({*within, ("api-2", "supersedes", "api-1")})).findings
    [finding] = looked_at("unusual_pair", kinds_of({*within, ("adr-9", "supersedes", "api-1")})).findings
    assert "4 of the 4 others of the type supersedes stay within one document type" in finding.sentence


def test_loose_types_and_documents_without_a_type_are_not_looked_at() -> None:
    loose = {(a, "references", b) for a, _, b in GUIDES} | {("adr-9", "references", "guide-9")}
    assert looked_at("unusual_pair", kinds_of(loose)).skipped
    assert looked_at("unusual_pair", kinds_of(loose), loose=()).findings
    assert looked_at("unusual_pair", graph_of({*GUIDES, ("adr-9", "explains", "guide-9")})).n_checked == 0
