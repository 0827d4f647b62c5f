"""Numbered documents that a text names without a link."""

from __future__ import annotations

from dataclasses import replace

import pytest

from docgraph import plugins
from docgraph.domain.graph import Relationship
from docgraph.ports import Outcome, RelationshipGraph
from docgraph.testing.examples.checks import stored
from docgraph.testing.suites.checks import check_check, found

CHECK = plugins.build("checks", "named_by_number")


def edge(start: str, via: str, end: str, **metadata: str) -> Relationship:
    said = {"place": "body"} | metadata
    return Relationship(from_document_id=start, relation_type=via, to_document_id=end, relationship_metadata=said)


def mention(text: str, start: str = "eip-1", end: str = "eip-55") -> Relationship:
    return edge(start, "mentions", end, extractor="body_references", series="EIP", text=text)


def texts(*edges: Relationship, n_linked: int = 9) -> RelationshipGraph:
    """Proposals that link each other, so many times, and ``edges`` beside it."""
    links = [edge(f"eip-{i + 100}", "links_to", f"eip-{i + 101}") for i in range(n_linked)]
    all_edges = sorted((*links, *edges), key=lambda each: each.key)
    ids = {"eip-1", "eip-55", *(end for each in all_edges for end in (each.key[0], each.key[2]) if end != "eip-999")}
    return RelationshipGraph(
        documents={each: stored(each) for each in sorted(ids)},
        relationships=tuple(all_edges),
        mentions=frozenset((each.key[0], each.key[2]) for each in all_edges if each.relation_type == "mentions"),
    )


def looked_at(graph: RelationshipGraph, **parameters: object) -> Outcome:
    return found(CHECK, graph, **parameters)


def test_a_number_in_a_text_without_a_link_or_a_relationship_is_found_with_its_sentence() -> None:
    outcome = looked_at(texts(mention("The checksum follows EIP-55.")))
    [finding] = outcome.findings
    assert finding.relationships == (("eip-1", "mentions", "eip-55"),)
    assert finding.evidence == "The checksum follows EIP-55."
    assert finding.sentence == "Eip 1 names Eip 55 (eip-55) by its number, without a link or a relationship"
    assert (outcome.n_checked, finding.severity, finding.fix) == (10, "info", ())


def test_a_template_is_a_file_and_no_document_of_its_series() -> None:
    graph = texts(mention("Move EIP-55 there."))
    template = stored("eip-55", source="text/0000-template.md")
    assert not looked_at(replace(graph, documents={**graph.documents, "eip-55": template})).findings


def test_a_relationship_in_either_direction_is_enough_and_a_missing_document_is_another_matter() -> None:
    for more in (("eip-1", "requires", "eip-55"), ("eip-55", "requires", "eip-1")):
        assert not looked_at(texts(mention("See EIP-55."), edge(*more, place="header"))).findings
    assert not looked_at(texts(mention("See EIP-999.", end="eip-999"))).findings


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("see [EIP-55](https://example.org/issues/55)", False),
        ("# as in [EIP-55](./eip-55.md)'s rule", False),
        ("see [EIP-55](kep-55) here", True),
        ("see [EIP-55](https://example.org/55); EIP 55 says so", True),
        ("55. The flow is not affected by this EIP 55. The", False),
        ("the EIP-55 checksum", True),
        ("as EIP-0055 has it", True),
        ("", True),
    ],
)
def test_a_number_that_is_a_label_of_a_link_is_linked_and_this_one_is_itself(text: str, is_found: bool) -> None:
    assert len(looked_at(texts(mention(text))).findings) == is_found


def test_where_a_fifth_of_the_references_have_no_link_that_is_the_custom() -> None:
    two = (mention("See EIP-55."), mention("See EIP-56.", end="eip-56"))
    assert len(looked_at(texts(*two, n_linked=8)).findings) == 2
    silent = looked_at(texts(*two, n_linked=7))
    assert silent.skipped == "2 of 9 have neither a link nor a relationship, so this is usual here"
    assert looked_at(texts(n_linked=0)).skipped == "no text names a document by its number"


def test_what_is_said_by_number_is_not_said_twice() -> None:
    graph = texts(mention("The checksum follows EIP-55."))
    mentions = plugins.build("checks", "mention_without_edge")
    assert found(mentions, graph, min_related=0).skipped == "no text names another document"


def test_it_keeps_what_every_check_promises() -> None:
    check_check(CHECK, graphs=(texts(mention("See EIP-55.")), texts(n_linked=0)))
