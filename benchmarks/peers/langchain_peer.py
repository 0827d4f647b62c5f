"""LangChain's graph retriever over langchain-postgres: documents are nodes, chunks a second table; both exact."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import psycopg
from graph_retriever import Content
from graph_retriever.adapters import Adapter
from graph_retriever.strategies import Eager
from langchain_core.embeddings import Embeddings
from langchain_graph_retriever import GraphRetriever
from langchain_postgres import PGEngine, PGVectorStore
from langchain_postgres.v2.engine import Column

from benchmarks.peers.child import CHUNKS, NEAREST, NEIGHBOURS, SEEDS, Given, Way, first_documents, serve

SCHEMA = "peer_langchain"


class Asked(Embeddings):
    """The vector of the question that is being asked: nothing is embedded."""

    def __init__(self) -> None:
        self.vector: list[float] = []

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self.vector for _ in texts]

    def embed_query(self, text: str) -> list[float]:
        return self.vector


class Both(Adapter):
    """Starts from the documents of the nearest chunks, follows links by id: one query each."""

    def __init__(self, documents: PGVectorStore, chunks: PGVectorStore, asked: Asked) -> None:
        self.documents, self.chunks, self.asked = documents, chunks, asked
        self.way = Way()

    def search_with_embedding(
        self, query: str, k: int = 4, filter: dict[str, Any] | None = None, **kwargs: Any
    ) -> tuple[list[float], list[Content]]:
        filter = {"part": self.way.part} if self.way.part else None
        if self.way.signal == "summary":
            near = self.documents.similarity_search_by_vector(self.asked.vector, k=k, filter=filter)
            return self.asked.vector, self._contents(near)
        near = self.chunks.similarity_search_by_vector(self.asked.vector, k=NEAREST, filter=filter)
        return self.asked.vector, list(self.get(first_documents([each.metadata["document_id"] for each in near], k)))

    def search(self, embedding: list[float], k: int = 4, filter: Any = None, **kwargs: Any) -> list[Content]:
        raise NotImplementedError("links are followed by id")

    def get(self, ids: Sequence[str], filter: Any = None, **kwargs: Any) -> list[Content]:
        return self._contents(self.documents.get_by_ids(list(ids)))

    def _contents(self, found: Sequence[Any]) -> list[Content]:
        return [
            Content(id=str(each.id), content=each.page_content, embedding=self.asked.vector, metadata=each.metadata)
            for each in found
        ]

    def adjacent(self, edges: Any, query_embedding: Any, k: int, filter: Any, **kwargs: Any) -> Iterable[Content]:
        """All neighbours by one query; the library's own would score them once more."""
        if not self.way.hop:
            return []
        found = self.get([edge.id for edge in edges])
        return [each for each in found if not self.way.part or each.metadata["part"] == self.way.part]


class LangChain:
    """Two tables, a graph retriever over the first, a filtered search in the second."""

    def __init__(self, url: str, dimension: int) -> None:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE; CREATE SCHEMA {SCHEMA}")
        self.url, self.asked = url, Asked()
        engine = PGEngine.from_connection_string(url.replace("postgresql://", "postgresql+psycopg://", 1))
        self.documents, self.chunks = (self._table(engine, name, dimension) for name in ("documents", "chunks"))
        self.adapter = Both(self.documents, self.chunks, self.asked)
        self.retriever = GraphRetriever(
            store=self.adapter,
            edges=[("links", "$id")],
            strategy=Eager(select_k=SEEDS + NEIGHBOURS, start_k=SEEDS, adjacent_k=NEIGHBOURS, max_depth=1),
        )

    def _table(self, engine: PGEngine, name: str, dimension: int) -> PGVectorStore:
        engine.init_vectorstore_table(
            name,
            dimension,
            schema_name=SCHEMA,
            id_column=Column("id", "TEXT", nullable=False),
            metadata_columns=[Column("document_id", "TEXT"), Column("part", "TEXT")],
        )
        return PGVectorStore.create_sync(
            engine, self.asked, name, schema_name=SCHEMA, id_column="id", metadata_columns=["document_id", "part"]
        )

    def load(self, given: Given) -> None:
        self.documents.add_embeddings(
            [each["summary"] for each in given.documents],
            given.document_vectors.tolist(),
            [
                {"document_id": each["id"], "part": each["part"], "title": each["title"], "links": each["links"]}
                for each in given.documents
            ],
            [each["id"] for each in given.documents],
        )
        pairs = [(each, chunk) for each in given.documents for chunk in each["chunks"]]
        self.chunks.add_embeddings(
            [chunk["text"] for _, chunk in pairs],
            given.chunk_vectors.reshape(len(pairs), -1).tolist(),
            [{"document_id": each["id"], "part": each["part"]} for each, _ in pairs],
            [chunk["id"] for _, chunk in pairs],
        )

    def fill(self, given: Given) -> None:
        """The same rows by COPY: what the library needs minutes for, where its time is not measured."""
        with psycopg.connect(self.url) as connection, connection.cursor() as cursor:
            columns = "id, content, embedding, document_id, part, langchain_metadata"
            with cursor.copy(f"COPY {SCHEMA}.documents ({columns}) FROM STDIN") as rows:
                for each, vector in zip(given.documents, given.document_vectors.tolist(), strict=True):
                    said = json.dumps({"title": each["title"], "links": each["links"]})
                    rows.write_row((each["id"], each["summary"], str(vector), each["id"], each["part"], said))
            with cursor.copy(f"COPY {SCHEMA}.chunks ({columns}) FROM STDIN") as rows:
                for each, vectors in zip(given.documents, given.chunk_vectors.tolist(), strict=True):
                    for chunk, vector in zip(each["chunks"], vectors, strict=True):
                        rows.write_row((chunk["id"], chunk["text"], str(vector), each["id"], each["part"], "{}"))

    def finish(self) -> None:
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(f"CREATE INDEX ON {SCHEMA}.chunks (document_id)")
            for table in ("documents", "chunks"):
                connection.execute(f"CREATE INDEX ON {SCHEMA}.{table} (part)")
                connection.execute(f"VACUUM ANALYZE {SCHEMA}.{table}")

    def ask(self, vector: np.ndarray, way: Way) -> tuple[list[str], list[str]]:
        self.asked.vector, self.adapter.way = vector.tolist(), way
        plan = [str(each.id) for each in self.retriever.invoke("asked by its vector")]
        inside = {"document_id": {"$in": plan}}
        near = self.chunks.similarity_search_by_vector(self.asked.vector, k=CHUNKS, filter=inside)
        return plan, [str(each.id) for each in near]


if __name__ == "__main__":
    serve(LangChain)
