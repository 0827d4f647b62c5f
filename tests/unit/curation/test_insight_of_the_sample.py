"""What a curator is told about the sample corpus."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from docgraph.bootstrap import connect
from docgraph.orchestration.docgraph import Docgraph
from tests import ROOT

SAMPLE = ROOT / "sample_data" / "harbor"


@pytest.fixture(scope="module")
def dg() -> Iterator[Docgraph]:
    with connect(store="memory", workspace="harbor") as docgraph:
        docgraph.ingest(SAMPLE)
        yield docgraph


def test_its_misspelt_types_and_the_relationship_that_goes_the_wrong_way_are_told(dg: Docgraph) -> None:
    found = {use.relation_type: use for use in dg.relationships.vocabulary().types}
    assert {name: use.look_alikes for name, use in found.items() if use.look_alikes} == {
        "dependson": ("depends_on",),
        "explain": ("explains",),
    }
    odd = [
        (u.relation_type, w.from_doc_type, w.to_doc_type) for u in found.values() for w in u.directions if w.is_minority
    ]
    assert odd == [("explains", "decision", "design")]
    assert [name for name, use in found.items() if use.off] == ["mentions"]


def test_the_one_document_that_is_named_without_a_relationship_is_suggested(dg: Docgraph) -> None:
    found = dg.relationships.suggestions()
    pairs = [(each.from_document_id, each.to_document_id) for each in found.suggestions]
    assert pairs == [("guide-load-testing", "runbook-storm-day")]
    typed = {(e.from_document_id, e.to_document_id) for e in dg.relationships.list() if e.relation_type != "mentions"}
    assert not {pair for a, b in pairs for pair in ((a, b), (b, a))} & typed


def test_its_evidence_is_the_sentence_that_names_the_other_document(dg: Docgraph) -> None:
    found = dg.relationships.evidence("guide-load-testing", "runbook-storm-day")
    assert found.a is not None
    assert found.b is not None
    [quote] = found.a.names
    assert "*Runbook: Storm day*" in found.a.text[quote.start : quote.end]
    assert (found.a.n_naming, found.b.n_naming, found.n_ranked) == (1, 0, 55)
