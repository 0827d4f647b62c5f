"""Documents that stand alone, documents that point at more than a plan follows, and what is custom."""

from __future__ import annotations

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
    assert found(ORPHAN, graph).skipped == "21 of 52 documents have none, so that is the custom"


def test_what_a_document_replaced_does_not_make_it_a_hub() -> None:
    keys = [("hub", "requires", f"d-{i}") for i in range(3)] + [("hub", "replaces", f"old-{i}") for i in range(3)]
    assert not found(HUB, graph_of([*keys, ("hub", "superseded_by", "new")])).findings
    [finding] = found(HUB, graph_of([*keys, ("hub", "requires", "old-0")])).findings
    assert finding.sentence.startswith("Hub points at 4 documents")


def test_a_hub_points_at_more_documents_than_a_plan_follows() -> None:
    limit = RetrievalRequest(query="any").max_fan_out
    keys = [("hub", "references", f"d-{i}") for i in range(limit + 2)]
    [finding] = found(HUB, graph_of([*keys, ("d-0", "references", "d-1")])).findings
    assert finding.sentence == (
        "Hub points at 5 documents, and a plan follows 3 of them: 2 can never be read at once with the others"
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


@pytest.mark.parametrize(("n_alone", "silent"), [(10, False), (11, True)])
def test_where_a_fifth_of_the_documents_stand_alone_it_is_the_custom(n_alone: int, silent: bool) -> None:
    edges = [(f"a{n}", "explains", "end") for n in range(49 - n_alone)]
    related = ["end", *(start for start, _, _ in edges)]
    outcome = found(ORPHAN, graph_of(edges, documents=[*related, *(f"alone{n}" for n in range(n_alone))]))
    assert bool(outcome.skipped) is silent
    assert len(outcome.findings) == (0 if silent else n_alone)
