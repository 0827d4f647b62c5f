"""LlamaIndex over its PostgreSQL vector store: documents and chunks as nodes in two tables, links in metadata."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import psycopg2
from llama_index.core.schema import BaseNode, TextNode
from llama_index.core.vector_stores.types import FilterOperator, MetadataFilter, MetadataFilters, VectorStoreQuery
from llama_index.vector_stores.postgres import PGVectorStore

from benchmarks.peers.child import CHUNKS, NEAREST, SEEDS, Given, Way, first_documents, serve

SCHEMA = "peer_llamaindex"


class LlamaIndex:
    """Nearest chunks, their documents with links, the linked ones, the best chunks of them all."""

    def __init__(self, url: str, dimension: int) -> None:
        self.url = url
        self._execute(f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE; CREATE SCHEMA {SCHEMA}")
        self.documents, self.chunks = (
            PGVectorStore(
                connection_string=url.replace("postgresql://", "postgresql+psycopg2://", 1),
                async_connection_string=url.replace("postgresql://", "postgresql+asyncpg://", 1),
                table_name=name,
                schema_name=SCHEMA,
                embed_dim=dimension,
                cache_ok=True,
                use_jsonb=True,
                indexed_metadata_keys={
                    ("doc", "text"),
                    ("part", "text"),
                },  # "document_id" is a name that the library fills itself
            )
            for name in ("documents", "chunks")
        )

    def load(self, given: Given) -> None:
        self.documents.add(
            [
                TextNode(
                    id_=each["id"],
                    text=each["summary"],
                    embedding=vector,
                    metadata={"doc": each["id"], "part": each["part"], "title": each["title"], "links": each["links"]},
                )
                for each, vector in zip(given.documents, given.document_vectors.tolist(), strict=True)
            ]
        )
        self.chunks.add(
            [
                TextNode(
                    id_=chunk["id"],
                    text=chunk["text"],
                    embedding=vector,
                    metadata={"doc": each["id"], "part": each["part"]},
                )
                for each, vectors in zip(given.documents, given.chunk_vectors.tolist(), strict=True)
                for chunk, vector in zip(each["chunks"], vectors, strict=True)
            ]
        )

    def finish(self) -> None:
        for name in ("documents", "chunks"):
            self._execute(f"VACUUM ANALYZE {SCHEMA}.data_{name}")

    def ask(self, vector: np.ndarray, way: Way) -> tuple[list[str], list[str]]:
        embedding = vector.tolist()
        filters = _with("part", FilterOperator.EQ, way.part) if way.part else None
        if way.signal == "summary":
            found = self._nearest(self.documents, embedding, SEEDS, filters)
        else:
            near = self._nearest(self.chunks, embedding, NEAREST, filters)
            found = self._documents(first_documents([node.metadata["doc"] for node in near]))
        seeds = [node.node_id for node in found]
        links = {link for node in found for link in node.metadata["links"]} - set(seeds) if way.hop else set()
        linked = self._documents(sorted(links))
        plan = [*seeds, *(node.node_id for node in linked if not way.part or node.metadata["part"] == way.part)]
        best = self._nearest(self.chunks, embedding, CHUNKS, _with("doc", FilterOperator.IN, plan))
        return plan, [node.node_id for node in best]

    def _nearest(
        self, store: PGVectorStore, embedding: list[float], k: int, filters: MetadataFilters | None
    ) -> Sequence[BaseNode]:
        asked = VectorStoreQuery(query_embedding=embedding, similarity_top_k=k, filters=filters)
        return store.query(asked).nodes or ()

    def _documents(self, ids: Sequence[str]) -> list[BaseNode]:
        return self.documents.get_nodes(filters=_with("doc", FilterOperator.IN, list(ids))) if ids else []

    def _execute(self, statement: str) -> None:
        connection = psycopg2.connect(self.url)
        connection.autocommit = True
        with connection.cursor() as cursor:
            cursor.execute(statement)
        connection.close()


def _with(key: str, operator: FilterOperator, value: str | list[str]) -> MetadataFilters:
    return MetadataFilters(filters=[MetadataFilter(key=key, value=value, operator=operator)])


if __name__ == "__main__":
    serve(LlamaIndex)
