"""The quality table: what its figures count."""

from __future__ import annotations

import pytest

import docgraph
from benchmarks.quality.sets import Question
from benchmarks.quality.tables import documents
from docgraph.domain.graph import Document


@pytest.mark.slow
def test_plain_vectors_are_counted_by_all_that_they_read_and_plans_by_their_documents() -> None:
    """Five chunks of five documents, where a plan has two: cut at two, people would seem to read less than they do."""
    ids = [f"d{number}" for number in range(5)]
    with docgraph.connect(store="memory", workspace="set", embedder="wordllama") as there:
        there.ingest_records(
            [
                Document(document_id=i, title=f"Note {i}", text=f"The queue of {i} is bounded.", doc_type="note")
                for i in ids
            ]
        )
        asked = [Question("Which queue is bounded?", frozenset(ids), "")]
        recall, perfect = documents("notes", there, asked, {"max_documents": 2, "max_chunks": 5})
        (kept,) = there.query_sets.runs("notes")
    assert [each.name for each in kept.configurations] == ["off", "vectors", "on"]
    assert recall.startswith("| notes | 1 | recall | 100.0 | 40.0 | 40.0 |")
    assert perfect.startswith("| notes | 1 | perfect | 100.0 | 0.0 | 0.0 |")
