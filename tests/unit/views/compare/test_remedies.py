"""The one-click what-if of something that left keeps its word: with it, the document is planned."""

from __future__ import annotations

from typing import Any

import pytest

from docgraph.domain.request import RetrievalRequest
from docgraph.views.compare.remedies import remedy
from tests.corpora import Corpus, corpus
from tests.unit.comparison.side_runs import compared, opened

LINKED = corpus(
    ("a", ["queue"], [("explains", "x"), ("implements", "y")]),
    ("b", ["queue sailing"], []),
    ("c", ["queue budget alarm"], []),
    ("x", ["gateway"], []),
    ("y", ["slot"], []),
)
HUB = corpus(*((f"d{i:02}", ["queue sailing"], [("explains", "x")]) for i in range(12)), ("x", ["gateway"], []))
BASE = {"query": "queue", "seed_signal": "mean", "max_documents": 4, "max_expanded": 2}
SMALL = {**BASE, "max_documents": 2, "max_expanded": 1}
LITERAL = {"query": "queue", "preset": "literal", "max_chunks": 2}


@pytest.mark.parametrize(
    ("of", "a", "b", "document_id", "label"),
    [
        (LINKED, BASE, {**BASE, "max_expanded": 1, "max_documents": 3}, "y", "raise document limit to 4"),
        (LINKED, BASE, {**BASE, "max_seeds": 1, "max_expanded": None}, "c", "raise the match limit to 2"),
        (LINKED, BASE, {**BASE, "max_seeds": 1, "max_documents": 3}, "c", "raise the match limit to 2"),
        (LINKED, BASE, {**BASE, "max_documents": 3}, "c", "raise document limit to 4"),
        (HUB, {**BASE, "max_linked_percent": 100}, BASE, "x", "lift the hub limit"),
        (LINKED, LITERAL, {**LITERAL, "max_documents": 3}, "y", "raise document limit to 4"),
        (LINKED, SMALL, {**SMALL, "use_relationships": False}, "x", "use relationships"),
    ],
)
def test_the_remedy_of_a_limit_brings_the_document_back(
    of: Corpus, a: dict[str, Any], b: dict[str, Any], document_id: str, label: str
) -> None:
    with opened(of) as dg:
        found = compared(dg, RetrievalRequest.model_validate(a), RetrievalRequest.model_validate(b))
        [row] = [d for d in found.documents if d.document_id == document_id]
        assert row.left_because is not None
        cure = remedy(row.left_because, document_id, found.b.run)
        assert cure is not None
        assert cure[0] == label
        assert document_id in dg.plan(cure[1]).document_ids
