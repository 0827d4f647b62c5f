"""A small workspace with relationships, and questions about it."""

from __future__ import annotations

from docgraph import plugins
from docgraph.domain.graph import Document, Relationship
from docgraph.domain.query_set import JudgedQuery
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.session import Adapters
from docgraph.plugins.stores import memory
from docgraph.testing.builders import FirstWords, HashingEmbedder, WordTokenizer

N = 24
WORDS = ("queue", "alarm", "tide", "crane", "berth", "pilot", "signal", "cargo")


def workspace() -> Docgraph:
    """24 documents of few words; each explains the one that shares none of them."""
    adapters = Adapters(
        database=memory.build(),
        embedder=HashingEmbedder(),
        tokenizer=WordTokenizer(),
        summarizer=FirstWords(),
        loaders=(),
        extractors=(),
        clock=lambda: 0.0,
        measures=tuple(plugins.build("measures", name) for name in plugins.available("measures")),
        now=lambda: "2026-01-01T00:00:00Z",
    )
    opened = Docgraph(adapters, "harbor")
    documents = [
        Document(document_id=f"D{i}", title=f"Paper {i}", text=f"The {WORDS[i % 8]} of yard {i} is {WORDS[i % 5]}.")
        for i in range(N)
    ]
    edges = [
        Relationship(from_document_id=f"D{i}", relation_type="explains", to_document_id=f"D{(i * 7 + 3) % N}")
        for i in range(N)
    ]
    opened.ingest_records(documents, [edge for edge in edges if edge.from_document_id != edge.to_document_id])
    return opened


QUESTIONS = tuple(
    JudgedQuery(
        query_id=f"q{i:02}",
        query=f"What of the {WORDS[i % 8]} in yard {i}?",
        kind="two" if i % 3 else "one",
        half="hold_out" if i % 2 else "tune",
        grades={} if i % 7 == 6 else {f"D{i}": 2, f"D{(i * 7 + 3) % N}": 1},
        evidence=f"yard {i} is" if i % 4 == 0 else "",
    )
    for i in range(N)
)
