"""The same work without docgraph: one psycopg connection, COPY, four statements, plain tuples."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import psycopg
from pgvector.psycopg import register_vector
from psycopg.types.json import Jsonb

from benchmarks.corpus import DIMENSION
from docgraph.domain.graph import PreparedDocument

SCHEMA = f"""
DROP SCHEMA IF EXISTS hand CASCADE; CREATE SCHEMA hand;
CREATE TABLE hand.document_nodes (document_id text COLLATE "C" PRIMARY KEY, title text, summary text,
  summary_embedding vector({DIMENSION}), content_hash text, n_chunks int,
  words tsvector GENERATED ALWAYS AS (to_tsvector('pg_catalog.english', title || ' ' || summary)) STORED);
CREATE TABLE hand.vector_chunks (document_id text COLLATE "C" REFERENCES hand.document_nodes ON DELETE CASCADE,
  chunk_index int, chunk_id text, chunk_text text, embedding vector({DIMENSION}), token_count int,
  words tsvector GENERATED ALWAYS AS (to_tsvector('pg_catalog.english', chunk_text)) STORED,
  PRIMARY KEY (document_id, chunk_index));
CREATE TABLE hand.document_relationships (from_document_id text COLLATE "C" REFERENCES hand.document_nodes
  ON DELETE CASCADE, relation_type text COLLATE "C", to_document_id text COLLATE "C", relationship_metadata jsonb,
  PRIMARY KEY (from_document_id, relation_type, to_document_id));
ALTER TABLE hand.document_nodes ALTER summary_embedding SET STORAGE PLAIN;
ALTER TABLE hand.vector_chunks ALTER embedding SET STORAGE PLAIN;
CREATE INDEX ON hand.document_nodes USING gin (words);
CREATE INDEX ON hand.vector_chunks USING gin (words);
CREATE INDEX ON hand.document_relationships (to_document_id, from_document_id);
"""
RANK = """
WITH c AS MATERIALIZED (SELECT document_id, 1 - min(cosine_distance(embedding, %(q)s::vector)) AS s
                        FROM hand.vector_chunks GROUP BY document_id),
     d AS (SELECT n.document_id, n.title, (1 - cosine_distance(summary_embedding, %(q)s::vector) + c.s) / 2 AS score
           FROM hand.document_nodes n JOIN c USING (document_id)),
     r AS (SELECT *, row_number() OVER (ORDER BY score DESC, document_id) AS rank FROM d)
SELECT document_id, title, rank, score FROM r WHERE rank <= %(n)s OR document_id = ANY(%(ids)s::text[]) ORDER BY rank"""
FUSED = """
WITH c AS MATERIALIZED (SELECT document_id, 1 - min(cosine_distance(embedding, %(q)s::vector)) AS s
                        FROM hand.vector_chunks GROUP BY document_id),
     w AS MATERIALIZED (SELECT lexeme, quote_literal(lexeme)::tsquery AS query
                        FROM unnest(tsvector_to_array(to_tsvector('pg_catalog.english', %(text)s))) AS lexeme),
     m AS MATERIALIZED (SELECT lexeme, document_id, chunk_index, ts_rank(words, query) AS tf
                        FROM w JOIN hand.vector_chunks ON words @@ query),
     i AS (SELECT lexeme, ln(1 + n / count(DISTINCT document_id)::float8) AS idf
           FROM m, (SELECT count(*) AS n FROM hand.document_nodes) a GROUP BY lexeme, n),
     p AS (SELECT document_id, sum(tf * idf) AS s FROM m JOIN i USING (lexeme) GROUP BY document_id, chunk_index),
     l AS (SELECT document_id, row_number() OVER (ORDER BY max(s) DESC, document_id) AS r FROM p GROUP BY document_id),
     v AS (SELECT n.document_id, n.title, row_number() OVER (
             ORDER BY 1 - cosine_distance(summary_embedding, %(q)s::vector) + c.s DESC, document_id) AS r
           FROM hand.document_nodes n JOIN c USING (document_id)),
     f AS (SELECT document_id, title, 1.0 / (60 + v.r) + coalesce(1.0 / (60 + l.r), 0) AS score
           FROM v LEFT JOIN l USING (document_id)),
     r AS (SELECT *, row_number() OVER (ORDER BY score DESC, document_id) AS rank FROM f)
SELECT document_id, title, rank, score FROM r WHERE rank <= %(n)s OR document_id = ANY(%(ids)s::text[]) ORDER BY rank"""
EDGES = """
SELECT r.* FROM hand.document_nodes s CROSS JOIN LATERAL (
  SELECT from_document_id, relation_type, to_document_id FROM hand.document_relationships
  WHERE from_document_id = s.document_id ORDER BY relation_type, to_document_id LIMIT 200) r
WHERE s.document_id = ANY(%(ids)s::text[])"""
CHUNKS = """
SELECT d.document_id, c.* FROM hand.document_nodes d CROSS JOIN LATERAL (
  SELECT chunk_index, chunk_id, chunk_text, cosine_distance(embedding, %(q)s::vector) AS dist
  FROM hand.vector_chunks v WHERE v.document_id = d.document_id ORDER BY dist, chunk_index LIMIT 3) c
WHERE d.document_id = ANY(%(ids)s::text[]) ORDER BY c.dist, d.document_id, c.chunk_index"""


class Handwritten:
    """What a careful engineer would write for exactly this job."""

    def __init__(self, url: str) -> None:
        self.connection = psycopg.connect(url, autocommit=True)
        self.connection.execute(SCHEMA)
        register_vector(self.connection)

    def ingest(self, documents: Sequence[PreparedDocument], batch: int) -> None:
        """COPY nodes, chunks and relationships, one transaction a batch."""
        for start in range(0, len(documents), batch):
            part = documents[start : start + batch]
            with self.connection.transaction(), self.connection.cursor() as cursor:
                _copy(
                    cursor,
                    "document_nodes (document_id, title, summary, summary_embedding, content_hash, n_chunks)",
                    ["text", "text", "text", "vector", "text", "int4"],
                    [
                        (
                            d.document.document_id,
                            d.document.title,
                            d.document.summary,
                            d.vector,
                            d.document.content_hash,
                            d.document.n_chunks,
                        )
                        for d in part
                    ],
                )
                _copy(
                    cursor,
                    "vector_chunks (document_id, chunk_index, chunk_id, chunk_text, embedding, token_count)",
                    ["text", "int4", "text", "text", "vector", "int4"],
                    [
                        (c.document_id, c.chunk_index, c.chunk_id, c.text, v, c.token_count)
                        for d in part
                        for c, v in zip(d.chunks, d.chunk_vectors, strict=True)
                    ],
                )
                _copy(
                    cursor,
                    "document_relationships",
                    ["text", "text", "text", "jsonb"],
                    [(*r.key, Jsonb(r.relationship_metadata)) for d in part for r in d.relationships],
                )

    def ask(self, vector: np.ndarray, text: str = "") -> tuple[list[str], list[tuple[str, int, str, float]]]:
        """(planned ids, chunks): rank, expand one hop, score the neighbours, fetch their best chunks.

        With ``text`` the ranking fuses vectors and words, without it only vectors count.
        """
        rank = FUSED if text else RANK
        words = {"text": text} if text else {}
        with self.connection.transaction():
            self.connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            ranked = self._rows(rank, q=vector, n=20, ids=[], **words)
            seeds = [row[0] for row in ranked[:4]]
            targets = sorted({row[2] for row in self._rows(EDGES, ids=seeds[:3])} - set(seeds))
            scored = self._rows(rank, q=vector, n=0, ids=targets, **words)
            plan = (seeds + [row[0] for row in scored])[:6]
            return plan, [(r[0], r[1], r[3], 1 - r[4]) for r in self._rows(CHUNKS, q=vector, ids=plan)[:10]]

    def _rows(self, statement: str, **values: object) -> list[tuple]:
        return self.connection.execute(statement, values, prepare=True, binary=True).fetchall()

    def close(self) -> None:
        self.connection.close()


def _copy(cursor: psycopg.Cursor, target: str, types: list[str], rows: list[tuple]) -> None:
    with cursor.copy(f"COPY hand.{target} FROM STDIN WITH (FORMAT BINARY)") as copy:
        copy.set_types(types)
        for row in rows:
            copy.write_row(row)
