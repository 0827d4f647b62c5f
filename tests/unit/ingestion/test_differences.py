"""What of a document differs from what is stored: each of three hashes covers what it is asked for, and no more."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from docgraph.domain.graph import Chunk, Document, ImportHashes, Relationship, Section
from docgraph.ingestion.cutting.chunking import ChunkingOptions
from docgraph.ingestion.differences import import_hashes
from docgraph.testing.builders import HashingEmbedder
from tests.builders import document, relationship

GIVEN = document("a", "The queue is bounded.", metadata={"status": "accepted"})
EDGES = (relationship("a", "cites", "b", order=1),)
EMBEDDER, OPTIONS = HashingEmbedder(16).info, ChunkingOptions()


def hashes(changed: Document = GIVEN, edges: tuple[Relationship, ...] = EDGES, **made_by: Any) -> ImportHashes:
    return import_hashes(changed, edges, **{"embedder": EMBEDDER, "options": OPTIONS, **made_by})


def differing(other: ImportHashes) -> set[str]:
    return {name for name in ("text", "embedded", "stated") if getattr(hashes(), name) != getattr(other, name)}


@pytest.mark.parametrize(
    "update",
    [
        {"source": "b/x.md"},
        {"doc_type": "decision"},
        {"ingestion_id": "other"},
        {"metadata": {"status": "superseded"}},
        {"metadata": {}},
    ],
)
def test_what_is_said_of_a_document_is_neither_text_nor_embedded(update: dict[str, Any]) -> None:
    assert differing(hashes(GIVEN.model_copy(update=update))) == {"stated"}


def test_relationships_and_their_order_are_neither_text_nor_embedded() -> None:
    assert differing(hashes()) == set()
    assert differing(hashes(edges=())) == {"stated"}
    assert differing(hashes(edges=(relationship("a", "cites", "b", order=2),))) == {"stated"}


@pytest.mark.parametrize(
    "update", [{"summary": "A given one."}, {"vector": (1.0,) * 16}, {"text": f"\n{GIVEN.text}  "}]
)
def test_what_is_embedded_beside_the_text_is_no_text(update: dict[str, Any]) -> None:
    assert differing(hashes(GIVEN.model_copy(update=update))) == {"embedded", "stated"}


def test_another_embedder_or_other_chunks_leave_the_text() -> None:
    assert differing(hashes(embedder=HashingEmbedder(8).info)) == {"embedded", "stated"}
    assert differing(hashes(options=replace(OPTIONS, target_tokens=100))) == {"embedded", "stated"}


@pytest.mark.parametrize(
    "update",
    [
        {"title": "Another"},
        {"text": "The queue is endless."},
        {"sections": (Section(heading_path=("Queue",), text=GIVEN.text),)},
        {"chunks": (Chunk(chunk_id="a#0", chunk_index=0, text="Another.", token_count=1),)},
    ],
)
def test_title_headings_and_text_are_the_text(update: dict[str, Any]) -> None:
    assert differing(hashes(GIVEN.model_copy(update=update))) == {"text", "embedded", "stated"}


def test_of_a_document_without_text_the_summary_is_the_text() -> None:
    bare = GIVEN.model_copy(update={"text": "", "summary": "old"})
    assert hashes(bare).text != hashes(bare.model_copy(update={"summary": "new"})).text


def test_all_that_is_said_is_hashed_as_it_always_was() -> None:
    """An older version kept this hash: by another one, all files of its databases would count as changed."""
    assert hashes().stated == "0ce5cfe2b22f293b8b04bdc0aba70c25ee3387d11740c2fa41b5f10a13498502"
