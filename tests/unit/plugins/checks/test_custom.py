"""Checks that learn from the corpus: series of numbered documents, boilerplate, and types that go together."""

from __future__ import annotations

from dataclasses import replace

import pytest

from docgraph import plugins
from docgraph.ports import Outcome, RelationshipGraph
from docgraph.testing.examples.checks import graph_of, stored
from docgraph.testing.suites.checks import check_check, found

SERIES = ["EIPS/eip-1", "EIPS/eip-2", "EIPS/eip-20", "EIPS/eip-3"]


def looked_at(check_id: str, graph: RelationshipGraph, **parameters: object) -> Outcome:
    return found(plugins.build("checks", check_id), graph, **parameters)


def linked(text: str, *more: tuple[str, str, str], target: str = "EIPS/eip-2") -> RelationshipGraph:
    keys = [("EIPS/eip-1", "links_to", target), *more]
    return graph_of(keys, documents=SERIES, texts={"links_to": text})


@pytest.mark.parametrize("check_id", ["link_label", "boilerplate_target", "duplicate_pair", "stub_target"])
def test_they_keep_what_every_check_promises(check_id: str) -> None:
    graphs = [
        linked("as [EIP-20](./eip-2.md) says"),
        graph_of([(f"a-{i}", "links_to", "licence") for i in range(30)]),
        graph_of(
            [(f"a-{i}", via, f"b-{i}") for i in range(12) for via in ("links_to", "requires", "rare")[: 2 + (i < 1)]]
        ),
    ]
    check_check(plugins.build("checks", check_id), graphs=graphs)


def test_a_label_that_names_another_document_is_found_and_pointed_there() -> None:
    (finding,) = looked_at("link_label", linked("as [EIP-20](./eip-2.md#x) says")).findings
    assert finding.fix[0].to_document_id == "EIPS/eip-20"
    assert "EIP-20" in finding.sentence


@pytest.mark.parametrize(
    "text",
    [
        "as [EIP-2](./eip-2.md) says",
        "as [EIP-002](./eip-2.md) says",
        "[EIP-20](./eip-20.md) and [EIP-2](./eip-2.md)",
        "[ERC-20](./eip-2.md)",
        "[its fees of EIP-20](./eip-2.md)",
        "[EIP-20](",
        "[x](javascript:eip-2)",
    ],
)
def test_a_label_that_names_its_target_or_nothing_of_the_series_is_none(text: str) -> None:
    assert not looked_at("link_label", linked(text)).findings


def test_a_wrong_label_in_a_later_line_is_found_with_that_line() -> None:
    """Of a pair of documents the first line is kept; a later one counted for nothing (EIP-6493 has one)."""
    graph = linked("as [EIP-2](./eip-2.md) says")
    more = {**graph.relationships[0].relationship_metadata, "other_lines": ["but [EIP-20](./eip-2.md#fees) is not"]}
    edge = graph.relationships[0].model_copy(update={"relationship_metadata": more})
    (finding,) = looked_at("link_label", replace(graph, relationships=(edge,))).findings
    assert finding.evidence == "but [EIP-20](./eip-2.md#fees) is not"
    assert finding.fix[0].to_document_id == "EIPS/eip-20"


def test_a_label_has_no_fix_where_its_document_is_not_stored_or_linked_already() -> None:
    (unknown,) = looked_at("link_label", linked("[EIP-99](./eip-2.md)")).findings
    there = linked("[EIP-20](./eip-2.md)", ("EIPS/eip-1", "links_to", "EIPS/eip-20"))
    (known,) = looked_at("link_label", there).findings
    assert not unknown.fix
    assert not known.fix


def test_without_a_series_nothing_is_looked_at() -> None:
    assert looked_at("link_label", graph_of([("a", "links_to", "b-1")])).skipped


def test_what_a_quarter_of_the_documents_point_at_is_boilerplate() -> None:
    keys = [(f"a-{i}", "links_to", "licence") for i in range(30)]
    others = [*(f"a-{i}" for i in range(30)), *(f"b-{i}" for i in range(60)), "licence"]
    assert len(looked_at("boilerplate_target", graph_of(keys, documents=others)).findings) == 30
    more = [*others, *(f"c-{i}" for i in range(60))]
    assert not looked_at("boilerplate_target", graph_of(keys, documents=more)).findings
    assert not looked_at("boilerplate_target", graph_of(keys[:19])).findings


@pytest.mark.parametrize(
    ("sentences", "is_boilerplate"),
    [
        (["**Status**: [Stable](../status.md)", "**Status**: [Draft](status.md), but for a part"], True),
        (["- **Status**: [Stable](status.md)", "**Status**: [Draft](status.md)"], True),
        (["[Licence](licence.md)"], True),
        ([f"{word} is set as the [configuration](c.md) says" for word in ("It", "She", "A name")], False),
        ([f"as :ref:`needs_{i}` says" if i else "The :ref:`needs` of it" for i in range(2)], False),
        (["Manage focus", "using a roving index", "select what follows"], False),
    ],
)
def test_a_target_that_each_page_names_in_words_of_its_own_is_no_boilerplate(
    sentences: list[str], is_boilerplate: bool
) -> None:
    graph = graph_of([(f"a-{i}", "links_to", "c") for i in range(30)])
    said = (sentences[i % len(sentences)] for i in range(30))
    edges = tuple(
        e.model_copy(update={"relationship_metadata": {"text": t}})
        for e, t in zip(graph.relationships, said, strict=True)
    )
    outcome = looked_at("boilerplate_target", replace(graph, relationships=edges))
    assert len(outcome.findings) == (30 if is_boilerplate else 0)


def test_types_that_go_together_by_custom_are_no_duplicate() -> None:
    both = [(f"a-{i}", via, f"b-{i}") for i in range(10) for via in ("links_to", "requires")]
    rare = [("x", "links_to", "y"), ("x", "explains", "y")]
    explained = [(f"c-{i}", "explains", f"d-{i}") for i in range(5)]
    graph = graph_of([*both, *rare, *explained])
    (finding,) = looked_at("duplicate_pair", graph).findings
    assert {key[0] for key in finding.relationships} == {"x"}
    assert len(looked_at("duplicate_pair", graph, min_pairs=11).findings) == 11


def test_two_spellings_are_found_however_often_they_go_together() -> None:
    keys = [(f"a-{i}", via, f"b-{i}") for i in range(10) for via in ("depends_on", "Depends-On")]
    assert len(looked_at("duplicate_pair", graph_of(keys)).findings) == 10


def test_a_relationship_to_a_document_that_moved_is_found_but_not_from_another_stub() -> None:
    stub = {"n_chunks": 1, "metadata": {"status": "Moved"}}
    documents = ["a", stored("old", **stub), stored("older", **stub), stored("long", **{**stub, "n_chunks": 9})]
    keys = [("a", "requires", "old"), ("older", "links_to", "old"), ("a", "links_to", "long"), ("old", "requires", "a")]
    outcome = looked_at("stub_target", graph_of(keys, documents=documents))
    assert [finding.relationships for finding in outcome.findings] == [(("a", "requires", "old"),)]
    assert outcome.n_checked == 4
    assert not looked_at("stub_target", graph_of(keys, documents=documents), words=["redirect"]).findings
