"""LlamaIndex over its PostgreSQL vector store: documents and chunks as nodes in two tables, links in metadata."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import psycopg2
from llama_index.core.schema import BaseNode, TextNode
from llama_index.core.vector_stores.types import FilterOperator, MetadataFilter, MetadataFilters, VectorStoreQuery
from llama_index.vector_stores.postgres import PGVectorStore

from benchmarks.peers.child import CHUNKS, NEAREST, Given, first_documents, serve

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
                indexed_metadata_keys={("doc", "text")},  # "document_id" is a name that the library fills itself
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
                    metadata={"doc": each["id"], "title": each["title"], "links": each["links"]},
                )
                for each, vector in zip(given.documents, given.document_vectors.tolist(), strict=True)
            ]
        )
        self.chunks.add(
            [
                TextNode(id_=chunk["id"], text=chunk["text"], embedding=vector, metadata={"doc": each["id"]})
                for each, vectors in zip(given.documents, given.chunk_vectors.tolist(), strict=True)
                for chunk, vector in zip(each["chunks"], vectors, strict=True)
            ]
        )

    def finish(self) -> None:
        for name in ("documents", "chunks"):
            self._execute(f"VACUUM ANALYZE {SCHEMA}.data_{name}")

    def ask(self, vector: np.ndarray) -> tuple[list[str], list[str]]:
        embedding = vector.tolist()
        near = self.chunks.query(VectorStoreQuery(query_embedding=embedding, similarity_top_k=NEAREST))
        seeds = first_documents([node.metadata["doc"] for node in near.nodes or ()])
        links = {link for node in self._documents(seeds) for link in node.metadata["links"]} - set(seeds)
        plan = [*seeds, *(node.node_id for node in self._documents(sorted(links)))]
        best = self.chunks.query(
            VectorStoreQuery(query_embedding=embedding, similarity_top_k=CHUNKS, filters=_inside(plan))
        )
        return plan, list(best.ids or ())

    def _documents(self, ids: Sequence[str]) -> list[BaseNode]:
        return self.documents.get_nodes(filters=_inside(ids)) if ids else []

    def _execute(self, statement: str) -> None:
        connection = psycopg2.connect(self.url)
        connection.autocommit = True
        with connection.cursor() as cursor:
            cursor.execute(statement)
        connection.close()


def _inside(ids: Sequence[str]) -> MetadataFilters:
    return MetadataFilters(filters=[MetadataFilter(key="doc", value=list(ids), operator=FilterOperator.IN)])


if __name__ == "__main__":
    serve(LlamaIndex)
