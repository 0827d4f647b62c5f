"""A workspace of three documents and two relationships, to be edited and exported again."""

from __future__ import annotations

import itertools

from docgraph import plugins
from docgraph.domain.edit import Edit
from docgraph.domain.graph import Document, Relationship
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.session import Adapters
from docgraph.plugins.stores import memory
from docgraph.testing.builders import FirstWords, HashingEmbedder, WordTokenizer

TEXTS = {"a": "The queue is bounded.", "b": "A slot holds a payment.", "c": "The alarm rings."}
KEY, SECOND = ("a", "explains", "b"), ("b", "explains", "c")
ACCEPT = Edit(action="accept", key=KEY)
REMOVE = Edit(action="remove", key=KEY)


def opened() -> Docgraph:
    """Three documents and two relationships; days pass with every look at the calendar."""
    ticks, days = itertools.count(), itertools.count(1)
    adapters = Adapters(
        database=memory.build(),
        embedder=HashingEmbedder(16),
        tokenizer=WordTokenizer(),
        summarizer=FirstWords(),
        loaders=(),
        extractors=(),
        clock=lambda: float(next(ticks)),
        now=lambda: f"day {next(days)}",
        checks=(plugins.build("checks", "suspect"), plugins.build("checks", "unknown_type")),
    )
    docgraph = Docgraph(adapters, "test")
    documents = [Document(document_id=i, title=i.upper(), text=text) for i, text in TEXTS.items()]
    docgraph.ingest_records(documents, [edge(*KEY), edge(*SECOND)])
    return docgraph


def edge(start: str, via: str, end: str) -> Relationship:
    return Relationship(from_document_id=start, relation_type=via, to_document_id=end)


def keys(dg: Docgraph) -> list[tuple[str, str, str]]:
    return [each.key for each in dg.relationships.list()]


def export(dg: Docgraph) -> bytes:
    """Everything that a file can hold of the relationships, for programs and for spreadsheets."""
    return b"".join([*dg.relationships.export("jsonl"), *dg.relationships.export("csv")])
