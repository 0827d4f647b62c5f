"""txtai with vectors and content in PostgreSQL: always an approximate index, filters after the vector search."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import psycopg2
from txtai import Embeddings

from benchmarks.peers.child import CHUNKS, NEAREST, Given, first_documents, serve

SCHEMA = "peer_txtai"
CANDIDATES = 1_000
"""Vectors that are looked at before a filter is applied: txtai does not search inside a filter."""


class Txtai:
    """One index over chunks; documents with their links stand in its content without being searched."""

    def __init__(self, url: str, dimension: int) -> None:
        self.url, self.dimension = url, dimension
        self._execute(f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE; CREATE SCHEMA {SCHEMA}")
        there = url.replace("postgresql://", "postgresql+psycopg2://", 1)
        self.vector = np.zeros(dimension, dtype=np.float32)
        self.known: dict[str, np.ndarray] = {}
        self.embeddings = Embeddings(
            {
                "method": "external",
                "transform": lambda texts: self._vectors(
                    texts
                ),  # a function, not a method: others are called to make one
                "dimensions": dimension,
                "backend": "pgvector",
                "pgvector": {"url": there, "schema": SCHEMA},
                "content": there,
                "schema": SCHEMA,
            }
        )
        self.is_new = True

    def _vectors(self, texts: list[str]) -> np.ndarray:
        """Of a chunk's text its own, of any other text the question's."""
        return np.asarray([self.known.get(text, self.vector) for text in texts])

    def load(self, given: Given) -> None:
        for each, vectors in zip(given.documents, given.chunk_vectors, strict=True):
            self.known |= {c["text"]: v for c, v in zip(each["chunks"], vectors, strict=True)}
        add = self.embeddings.index if self.is_new else self.embeddings.upsert
        add(self._rows(given))
        self.known, self.is_new = {}, False

    def _rows(self, given: Given) -> Iterator[tuple[str, Any, None]]:
        for each in given.documents:
            for chunk in each["chunks"]:
                row = {"text": chunk["text"], "document_id": each["id"], "links": json.dumps(each["links"])}
                yield chunk["id"], row, None

    def finish(self) -> None:
        """Its tables are complete."""

    def ask(self, vector: np.ndarray) -> tuple[list[str], list[str]]:
        self.vector = vector
        near = self._near(NEAREST, "")
        seeds = first_documents([row["document_id"] for row in near])
        links = {link for row in near if row["document_id"] in seeds for link in json.loads(row["links"])}
        plan = [*seeds, *sorted(links - set(seeds))]
        names = ", ".join("'" + each.replace("'", "''") + "'" for each in plan)
        best = self._near(CHUNKS, f" AND document_id IN ({names})")
        return plan, [row["id"] for row in best]

    def _near(self, limit: int, where: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.embeddings.search(
            f"SELECT id, text, document_id, links, score FROM txtai WHERE similar('q', {CANDIDATES}){where}", limit
        )
        return found

    def _execute(self, statement: str) -> None:
        connection = psycopg2.connect(self.url)
        connection.autocommit = True
        with connection.cursor() as cursor:
            cursor.execute(statement)
        connection.close()


if __name__ == "__main__":
    serve(Txtai)
