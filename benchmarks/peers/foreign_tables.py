"""Makes the tables that people have already, by the libraries themselves: what the tests of opened tables record.

By hand, with a peer's own Python and an empty database: the tables are filled, and ``pg_dump --inserts`` writes what
``tests/integration/foreign_tables`` keeps.

    <langchain's python>  -m benchmarks.peers.foreign_tables langchain  URL <docgraph's python>
    <llamaindex's python> -m benchmarks.peers.foreign_tables llamaindex URL <docgraph's python>
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

DIMENSION = 64
EMBED = (
    "import json, sys; from docgraph import plugins; "
    f"embedder = plugins.build('embedders', 'wordllama', dimension={DIMENSION}); "
    "print(json.dumps(embedder.embed(json.load(sys.stdin)).tolist()))"
)
DOCUMENTS: dict[str, dict[str, Any]] = {
    "docs/adr-1.md": {
        "title": "ADR-1: Bounded queue",
        "depends_on": ["docs/adr-2.md"],
        "references": "docs/runbook.md, docs/gone.md",
        "text": "The queue between intake and workers is bounded to ten thousand entries. "
        "When it is full, intake answers with a refusal instead of growing without end.\n\n"
        "A bounded queue keeps memory flat during a burst. Workers drain it in order of arrival, "
        "and nothing is lost silently.",
    },
    "docs/adr-2.md": {
        "title": "ADR-2: Back pressure",
        "links": ["docs/adr-1.md"],
        "text": "Back pressure tells producers to slow down. Each refusal carries a time after which to try again.\n\n"
        "Producers that ignore it are limited by the gateway, which counts refusals per client.",
    },
    "docs/runbook.md": {
        "title": "Runbook: intake is refusing",
        "text": "Look at the depth of the queue first. When workers are down, start them; when a client floods "
        "the intake, lower its limit at the gateway.",
    },
    "docs/lunch.md": {"title": "Lunch", "text": "On Thursdays there is soup. The kitchen opens at noon."},
}


def embedded(texts: Sequence[str], python: str) -> list[list[float]]:
    """The vectors that docgraph's default embedder gives, in its own environment."""
    done = subprocess.run(
        [python, "-c", EMBED], input=json.dumps(list(texts)), capture_output=True, text=True, check=True
    )
    vectors: list[list[float]] = json.loads(done.stdout)
    return vectors


def langchain(url: str, python: str) -> None:
    """``langchain_pg_embedding`` with two collections, and a table of PGVectorStore with a column of its own."""
    from langchain_core.documents import Document
    from langchain_core.embeddings import Embeddings
    from langchain_postgres import PGEngine, PGVector, PGVectorStore
    from langchain_postgres.v2.engine import Column

    class Asked(Embeddings):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return embedded(texts, python)

        def embed_query(self, text: str) -> list[float]:
            return embedded([text], python)[0]

    address = url.replace("postgresql://", "postgresql+psycopg://", 1)
    chunks = [
        Document(text, metadata={"source": source, "start_index": made["text"].index(text)} | said)
        for source, made in DOCUMENTS.items()
        for said in ({name: value for name, value in made.items() if name != "text"},)
        for text in made["text"].split("\n\n")
    ]
    PGVector(Asked(), collection_name="notes", connection=address).add_documents(list(reversed(chunks)))
    other = [Document("Another collection.", metadata={"source": "other.md"})]
    PGVector(Asked(), collection_name="other", connection=address).add_documents(other)
    engine = PGEngine.from_connection_string(address)
    engine.init_vectorstore_table("Lang Notes", DIMENSION, metadata_columns=[Column("source", "TEXT")])
    store = PGVectorStore.create_sync(engine, Asked(), "Lang Notes", metadata_columns=["source"])
    store.add_documents(chunks)


def llamaindex(url: str, python: str) -> None:
    """``data_notes`` with nodes of a sentence splitter, which relate to one another, in JSON and in JSONB."""
    from llama_index.core.node_parser import SentenceSplitter
    from llama_index.core.schema import Document, MetadataMode, NodeRelationship, RelatedNodeInfo
    from llama_index.vector_stores.postgres import PGVectorStore

    documents = [
        Document(text=made["text"], id_=source, metadata={k: v for k, v in made.items() if k != "text"})
        for source, made in DOCUMENTS.items()
    ]
    ways: dict[str, dict[str, Any]] = {
        "notes": {},
        "lean": {"use_jsonb": True, "use_halfvec": True, "hybrid_search": True},
    }
    for name, options in ways.items():
        whole = name == "notes"  # else the metadata stand in what a node says of its document only
        nodes = SentenceSplitter(chunk_size=80, chunk_overlap=0, include_metadata=whole).get_nodes_from_documents(
            documents
        )
        runbook = next(node for node in nodes if node.ref_doc_id == "docs/runbook.md")
        lunch = next(node for node in nodes if node.ref_doc_id == "docs/lunch.md")
        lunch.relationships[NodeRelationship.PARENT] = RelatedNodeInfo(node_id=runbook.node_id)
        texts = [node.get_content(metadata_mode=MetadataMode.NONE) for node in nodes]
        for node, vector in zip(nodes, embedded(texts, python), strict=True):
            node.embedding = vector
        store = PGVectorStore(
            connection_string=url.replace("postgresql://", "postgresql+psycopg2://", 1),
            async_connection_string=url.replace("postgresql://", "postgresql+asyncpg://", 1),
            table_name=name,
            schema_name="public",
            embed_dim=DIMENSION,
            **options,
        )
        store.add(nodes)


if __name__ == "__main__":
    {"langchain": langchain, "llamaindex": llamaindex}[sys.argv[1]](*sys.argv[2:])
