"""A document is found by its id whatever its case, where exactly one has it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from docgraph.domain.graph import Document
from docgraph.domain.overrides import Overrides
from docgraph.domain.request import RetrievalRequest
from docgraph.errors import NotFoundError, UserError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.session import Adapters
from docgraph.plugins.stores import memory
from docgraph.testing.builders import FirstWords, HashingEmbedder, WordTokenizer


@pytest.fixture
def dg() -> Iterator[Docgraph]:
    adapters = Adapters(
        database=memory.build(),
        embedder=HashingEmbedder(16),
        tokenizer=WordTokenizer(),
        summarizer=FirstWords(),
        loaders=(),
        extractors=(),
        clock=lambda: 0.0,
        now=lambda: "2026-11-22T00:00:00+00:00",
    )
    with Docgraph(adapters, "test") as docgraph:
        yield docgraph


def stored(dg: Docgraph, *ids: str) -> Docgraph:
    dg.ingest_records([Document(document_id=each, title=f"About {each}", text=f"Text of {each}.") for each in ids])
    return dg


def test_one_document_is_found_whatever_the_case_of_its_id(dg: Docgraph) -> None:
    stored(dg, "ADR-014", "adr-0140")
    assert dg.documents.get("adr-014").document_id == "ADR-014"
    assert dg.documents.chunks(" Adr-014 ")[0].document_id == "ADR-014"
    assert dg.explain("Text", "adr-014").document_id == "ADR-014"
    made = dg.judgments.judge("Text", "adr-014", True, by="Ann")
    assert made is not None
    assert made.document_id == "ADR-014"
    request = RetrievalRequest(
        query="Text", seed_document_ids=("ADR-0140",), overrides=Overrides(added_seed_ids=("adr-014",))
    )
    assert {"ADR-014", "adr-0140"} <= set(dg.plan(request).seed_document_ids)
    assert dg.run(request).plan.plan_id == dg.plan(request).plan_id


def test_of_two_ids_that_differ_by_case_alone_only_the_exact_one_is_meant(dg: Docgraph) -> None:
    stored(dg, "Notes", "notes")
    assert dg.documents.get("notes").document_id == "notes"
    with pytest.raises(UserError, match="'NOTES' means 2 documents: 'Notes', 'notes'"):
        dg.documents.get("NOTES")


def test_what_no_document_is_called_stays_unknown(dg: Docgraph) -> None:
    with pytest.raises(NotFoundError):
        stored(dg, "a-1").documents.get("a")
