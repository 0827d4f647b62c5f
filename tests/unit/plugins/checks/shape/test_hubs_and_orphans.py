"""Documents that stand alone, documents that point at more than a plan follows, and what is custom."""

from __future__ import annotations

from dataclasses import replace

import pytest

from docgraph import plugins
from docgraph.domain.request import RetrievalRequest
from docgraph.ports import RelationshipGraph
from docgraph.testing.examples.checks import graph_of, stored
from docgraph.testing.suites.checks import found

ORPHAN, HUB = (plugins.build("checks", name) for name in ("orphan", "hub"))


def _alone(graph: RelationshipGraph) -> list[str]:
    return sorted(finding.document_ids[0] for finding in found(ORPHAN, graph).findings)


def test_a_document_is_an_orphan_without_a_relationship_to_or_from_another_one() -> None:
    keys = [("a", "explains", "b"), ("self", "explains", "self"), ("lost", "explains", "gone"), ("a", "mentions", "m")]
    graph = graph_of(keys, documents=["a", "b", "self", "lost", "m", "alone"])
    assert _alone(graph) == ["alone", "lost", "m", "self"]
    assert found(ORPHAN, graph).n_checked == 6


def test_related_documents_are_no_orphans() -> None:
    assert _alone(graph_of([("a", "explains", "b")])) == []


def test_where_nobody_has_begun_there_are_no_orphans() -> None:
    outcome = found(ORPHAN, graph_of([("a", "mentions", "b")]))
    assert (outcome.n_checked, outcome.skipped) == (0, "no two documents are related")


def test_a_stub_needs_no_relationship_and_counts_for_the_custom_all_the_same() -> None:
    stubs = [stored(f"stub{i}", metadata={"stub": "276 characters of text"}) for i in range(2)]
    graph = graph_of([("a", "explains", "b")], documents=["a", "b", "alone", *stubs])
    assert _alone(graph) == ["alone"]
    many = [stored(f"stub{i}", metadata={"stub": "moved"}) for i in range(20)]
    edges = [(f"d{i}", "explains", "end") for i in range(30)]
    graph = graph_of(edges, documents=["end", "alone", *(f"d{i}" for i in range(30)), *many])
    assert found(ORPHAN, graph).skipped == "21 of 52 documents have none, so this is usual here"


def test_what_a_document_replaced_does_not_make_it_a_hub() -> None:
    keys = [("hub", "requires", f"d-{i}") for i in range(3)] + [("hub", "replaces", f"old-{i}") for i in range(3)]
    assert not found(HUB, graph_of([*keys, ("hub", "superseded_by", "new")])).findings
    [finding] = found(HUB, graph_of([*keys, ("hub", "requires", "old-0")])).findings
    assert finding.sentence.startswith("Hub links to 4 documents")


def test_a_hub_points_at_more_documents_than_a_plan_follows() -> None:
    limit = RetrievalRequest(query="any").max_fan_out
    keys = [("hub", "references", f"d-{i}") for i in range(limit + 2)]
    [finding] = found(HUB, graph_of([*keys, ("d-0", "references", "d-1")])).findings
    assert finding.sentence == (
        "Hub links to 5 documents, and a plan follows 3 of them: 2 can never be read at once with the others"
    )
    assert not found(HUB, graph_of(keys[:limit])).findings


def test_a_hub_is_counted_as_plans_count() -> None:
    """Each stored document once, itself not, and nothing that was only found in running text."""
    keys = [("hub", via, f"d-{i}") for i in range(3) for via in ("explains", "references")]
    extra = [("hub", "references", "hub"), ("hub", "references", "gone"), ("hub", "mentions", "d-9")]
    graph = graph_of([*keys, *extra], documents=["hub", *(f"d-{i}" for i in range(10))])
    assert not found(HUB, graph).findings
    assert len(found(HUB, graph, max_fan_out=2).findings) == 1
    assert found(HUB, graph).n_checked == 1


@pytest.mark.parametrize(("n_hubs", "silent"), [(8, False), (9, True)])
def test_where_a_fifth_of_the_documents_are_hubs_it_is_the_custom(n_hubs: int, silent: bool) -> None:
    most = HUB.parameters["max_fan_out"]
    edges = [(f"hub{n}", "explains", f"end{k}") for n in range(n_hubs) for k in range(most + 1)]
    edges += [(f"one{n}", "explains", "end0") for n in range(40 - n_hubs)]
    outcome = found(HUB, graph_of(edges))
    assert bool(outcome.skipped) is silent
    assert len(outcome.findings) == (0 if silent else n_hubs)


@pytest.mark.parametrize(
    ("n_documents", "n_alone", "silent"),
    [(50, 2, False), (50, 3, True), (200, 4, False), (200, 5, True), (24, 18, False), (24, 19, True)],
)
def test_standing_alone_is_an_exception_or_the_custom(n_documents: int, n_alone: int, silent: bool) -> None:
    """Pages that no text links are a kind of page: of 135 such findings that were judged, nobody acted on one."""
    edges = [(f"a{n}", "explains", "end") for n in range(n_documents - 1 - n_alone)]
    related = ["end", *(start for start, _, _ in edges)]
    outcome = found(ORPHAN, graph_of(edges, documents=[*related, *(f"alone{n}" for n in range(n_alone))]))
    assert bool(outcome.skipped) is silent
    assert len(outcome.findings) == (0 if silent else n_alone)


def test_what_is_no_page_is_no_orphan_and_does_not_count() -> None:
    parts = [stored(f"p{i}", source=f"docs/_templates/page{i}.html") for i in range(9)]
    parts += [stored("t", source="text/0000-template.md"), stored("f", source="core/tests/files/a.md")]
    edges = [(f"a{n}", "explains", "end") for n in range(40)]
    graph = graph_of(edges, documents=["end", "alone", *(f"a{n}" for n in range(40)), *parts])
    assert _alone(graph) == ["alone"]
    assert found(ORPHAN, graph).n_checked == 42


@pytest.mark.parametrize(
    ("place", "is_found"), [("front_matter", True), ("", True), ("body", False), ("status", False)]
)
def test_links_in_a_text_make_no_hub(place: str, is_found: bool) -> None:
    """Nobody takes a link out of a sentence because a plan follows three of them."""
    graph = graph_of([("hub", "links_to", f"d-{i}") for i in range(5)])
    edges = (e.model_copy(update={"relationship_metadata": {"place": place}}) for e in graph.relationships)
    assert len(found(HUB, replace(graph, relationships=tuple(edges))).findings) == is_found


def test_links_in_texts_count_for_the_custom_of_pointing_at_many() -> None:
    stated = graph_of([("hub", "requires", f"d-{i}") for i in range(5)])
    linked = graph_of([(f"l{n}", "links_to", f"d-{i}") for n in range(40) for i in range(5)])
    links = (e.model_copy(update={"relationship_metadata": {"place": "body"}}) for e in linked.relationships)
    graph = replace(
        linked, documents={**linked.documents, **stated.documents}, relationships=(*stated.relationships, *links)
    )
    assert found(HUB, graph).skipped.endswith("so this is usual here")
