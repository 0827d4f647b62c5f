"""Small workspaces for tests of what a curator looks at."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from functools import cache

from docgraph import plugins
from docgraph.domain.graph import Document, Relationship
from docgraph.domain.overrides import EdgeKey
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.session import Adapters
from docgraph.plugins.stores import memory
from docgraph.ports import Check
from docgraph.testing.builders import FirstWords, HashingEmbedder, WordTokenizer


def workspace(
    documents: Iterable[Document], edges: Iterable[Relationship] = (), *, extractors: Sequence[str] = ()
) -> Docgraph:
    """Docgraph over the reference store with every check, holding these."""
    ticks = itertools.count()
    adapters = Adapters(
        database=memory.build(),
        embedder=HashingEmbedder(256),
        tokenizer=WordTokenizer(),
        summarizer=FirstWords(),
        loaders=(plugins.build("loaders", "markdown"),),
        extractors=tuple(plugins.build("extractors", name) for name in extractors),
        clock=lambda: float(next(ticks)),
        checks=_checks(),
    )
    docgraph = Docgraph(adapters, "test")
    docgraph.ingest_records(documents, edges)
    return docgraph


@cache
def _checks() -> tuple[Check, ...]:
    return tuple(plugins.build("checks", name) for name in plugins.available("checks"))


def edges(*keys: EdgeKey, **metadata: object) -> list[Relationship]:
    """Relationships with these keys and this provenance."""
    return [
        Relationship(from_document_id=start, relation_type=via, to_document_id=end, relationship_metadata=metadata)
        for start, via, end in keys
    ]


def documents(*ids: str, doc_type: str = "") -> list[Document]:
    """Documents with a text of their own, called like their ids."""
    return [Document(document_id=i, title=i.upper(), text=f"About {i}.", doc_type=doc_type) for i in ids]
