"""The same work without docgraph: one psycopg connection, COPY, three prepared statements in three round trips."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import psycopg
from pgvector.psycopg import register_vector
from psycopg.types.json import Jsonb

from benchmarks.corpus import DIMENSION
from docgraph.domain.graph import PreparedDocument
from docgraph.domain.ranking import SEED_RRF_K
from docgraph.domain.request import SeedSignal

TABLES = ("document_nodes", "vector_chunks", "document_relationships")
SCHEMA = f"""
DROP SCHEMA IF EXISTS hand CASCADE; CREATE SCHEMA hand;
CREATE TABLE hand.document_nodes (document_id text COLLATE "C" PRIMARY KEY, title text, summary text,
  summary_embedding vector({DIMENSION}), content_hash text, n_chunks int, part text,
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
CREATE INDEX ON hand.document_nodes (part);
CREATE INDEX ON hand.document_nodes USING gin (words);
CREATE INDEX ON hand.vector_chunks USING gin (words);
CREATE INDEX ON hand.document_relationships (to_document_id, from_document_id);
"""
INSIDE = " WHERE document_id IN (SELECT document_id FROM hand.document_nodes WHERE part = %(part)s)"
CHUNK = """
chunk AS MATERIALIZED (SELECT document_id, 1 - min(cosine_distance(embedding, %(q)s::vector)) AS s
                       FROM hand.vector_chunks{inside} GROUP BY document_id)"""
SCORED = {
    "summary": """
scored AS MATERIALIZED (SELECT document_id, 1 - cosine_distance(summary_embedding, %(q)s::vector) AS score
                        FROM hand.document_nodes{where})""",
    "chunk": f"{CHUNK}, scored AS MATERIALIZED (SELECT document_id, s AS score FROM chunk)",
    "mean": f"""{CHUNK},
scored AS MATERIALIZED (SELECT document_id, (1 - cosine_distance(summary_embedding, %(q)s::vector) + chunk.s) / 2
                        AS score FROM hand.document_nodes JOIN chunk USING (document_id))""",
    "hybrid": f"""{CHUNK},
word AS MATERIALIZED (SELECT lexeme, quote_literal(lexeme)::tsquery AS query
  FROM unnest(tsvector_to_array(to_tsvector('pg_catalog.english', %(text)s))) AS lexeme),
head AS MATERIALIZED (SELECT lexeme, document_id, ts_rank('{{{{1,1,1,1}}}}', words, query) AS tf
  FROM word JOIN hand.document_nodes ON words @@ query{{where}}),
body AS MATERIALIZED (SELECT lexeme, document_id, chunk_index, ts_rank('{{{{1,1,1,1}}}}', words, query) AS tf
  FROM word JOIN hand.vector_chunks ON words @@ query{{inside}}),
idf AS MATERIALIZED (SELECT lexeme, ln(1 + (total - n + 0.5::float8) / (n + 0.5::float8)) AS w
  FROM (SELECT lexeme, count(*) AS n FROM (SELECT lexeme, document_id FROM head UNION SELECT lexeme, document_id
        FROM body) held GROUP BY lexeme) h, (SELECT count(*) AS total FROM hand.document_nodes{{where}}) a),
title AS (SELECT document_id, sum(w * tf ORDER BY lexeme) AS s FROM head JOIN idf USING (lexeme) GROUP BY document_id),
text AS (SELECT document_id, max(s) AS s FROM (SELECT document_id, sum(w * tf ORDER BY lexeme) AS s
         FROM body JOIN idf USING (lexeme) GROUP BY document_id, chunk_index) p GROUP BY document_id),
by_words AS (SELECT document_id, row_number() OVER (
    ORDER BY coalesce(title.s, 0) + coalesce(text.s, 0) DESC, document_id) AS place
  FROM title FULL JOIN text USING (document_id)),
by_vectors AS (SELECT document_id, row_number() OVER (
    ORDER BY 1 - cosine_distance(summary_embedding, %(q)s::vector) + chunk.s DESC, document_id) AS place
  FROM hand.document_nodes JOIN chunk USING (document_id)),
scored AS MATERIALIZED (SELECT document_id, ({SEED_RRF_K} + 1.0::float8) / ({SEED_RRF_K} + v.place) / 2
    + coalesce(({SEED_RRF_K} + 1.0::float8) / ({SEED_RRF_K} + w.place) / 2, 0) AS score
  FROM by_vectors v LEFT JOIN by_words w USING (document_id))""",
}
BEST = """
WITH {scored},
best AS MATERIALIZED (SELECT document_id, score FROM scored ORDER BY score DESC, document_id LIMIT %(n)s)"""
ALONE = f"""{BEST}
SELECT true, document_id, title, score FROM best JOIN hand.document_nodes USING (document_id) ORDER BY 4 DESC, 2"""
RANK = f"""{BEST},
expanding AS (SELECT document_id FROM best ORDER BY score DESC, document_id LIMIT %(expanding)s),
reached AS (SELECT DISTINCT r.to_document_id AS document_id FROM expanding e
            JOIN hand.document_relationships r ON r.from_document_id = e.document_id)
SELECT true, document_id, title, score FROM best JOIN hand.document_nodes USING (document_id)
UNION ALL
SELECT false, document_id, title, score FROM reached JOIN scored USING (document_id)
JOIN hand.document_nodes USING (document_id)
ORDER BY 1 DESC, 4 DESC, 2"""
EDGES = """
SELECT r.* FROM hand.document_nodes s CROSS JOIN LATERAL (
  SELECT from_document_id, relation_type, to_document_id, relationship_metadata FROM hand.document_relationships
  WHERE from_document_id = s.document_id ORDER BY relation_type, to_document_id LIMIT 200) r
WHERE s.document_id = ANY(%(ids)s::text[])"""
CHUNKS = """
SELECT d.document_id, d.title, d.summary, d.n_chunks, c.* FROM hand.document_nodes d CROSS JOIN LATERAL (
  SELECT chunk_index, chunk_id, chunk_text, cosine_distance(embedding, %(q)s::vector) AS distance
  FROM hand.vector_chunks v WHERE v.document_id = d.document_id ORDER BY distance, chunk_index LIMIT %(each)s) c
WHERE d.document_id = ANY(%(ids)s::text[]) ORDER BY c.distance, d.document_id, c.chunk_index"""


def statement(signal: SeedSignal, *, part: str = "", hop: bool = True) -> str:
    """The ranking of one signal: of one part of the documents where one is named, with its neighbours or without."""
    scored = SCORED[signal].format(inside=INSIDE if part else "", where=" WHERE part = %(part)s" if part else "")
    return (RANK if hop else ALONE).format(scored=scored)


BEGIN = "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY"


@dataclass(frozen=True)
class Numbers:
    """Limits of a question, as a request has them; the defaults are those of the mode *accurate*."""

    documents: int = 6
    expanded: int = 2
    expanding: int = 3
    fan_out: int = 3
    chunks: int = 10
    per_document: int = 3
    one_each: bool = True


@dataclass(frozen=True)
class Answer:
    """Planned documents in order, reasons by target, chunks as (document, index, id, text, similarity)."""

    plan: tuple[str, ...]
    reasons: dict[str, list[tuple[Any, ...]]]
    chunks: tuple[tuple[str, int, str, str, float], ...]

    @property
    def chunk_ids(self) -> tuple[str, ...]:
        return tuple(chunk[2] for chunk in self.chunks)


class Handwritten:
    """What a careful engineer would write for exactly this job."""

    def __init__(self, url: str, *, fresh: bool = True) -> None:
        self.connection = psycopg.connect(url, autocommit=True)
        if fresh:
            self.connection.execute(SCHEMA, prepare=False)
        register_vector(self.connection)

    def ingest(self, documents: Sequence[PreparedDocument], batch: int) -> None:
        """COPY nodes, chunks and relationships, one transaction a batch."""
        for start in range(0, len(documents), batch):
            with self.connection.transaction(), self.connection.cursor() as cursor:
                _write(cursor, documents[start : start + batch])

    def ask(
        self, vector: np.ndarray, text: str, signal: SeedSignal, numbers: Numbers = Numbers(), part: str = ""
    ) -> Answer:
        """Rank with the neighbours of the best, read their edges, fetch the chunks: one snapshot, three trips.

        Without relationships (``numbers.expanded`` = 0) the second is left out.
        """
        n, words = numbers, {"text": text} if signal == "hybrid" else {}
        words |= {"part": part} if part else {}
        if n.expanded:
            words |= {"expanding": n.expanding}
        with self.connection.pipeline():
            self.connection.execute(BEGIN, prepare=True)
            said = statement(signal, part=part, hop=bool(n.expanded))
            ranking = self._send(said, q=vector, n=n.documents + 14, **words)
            ranked = ranking.fetchall()
            seeds = [row[1] for row in ranked if row[0]][: n.documents - n.expanded]
            edges = self._send(EDGES, ids=seeds[: n.expanding]).fetchall() if n.expanded else []
            plan = chosen([row[1] for row in ranked if row[0]], [row[1] for row in ranked if not row[0]], edges, n)
            chunks = self._send(CHUNKS, q=vector, ids=list(plan), each=n.per_document)
            self.connection.execute("COMMIT", prepare=True)
        rows = chunks.fetchall()  # leaving the pipeline was the last trip
        reasons: dict[str, list[tuple[Any, ...]]] = {}
        for edge in edges:
            reasons.setdefault(edge[2], []).append(edge)
        return Answer(plan, reasons, picked(rows, plan, n))

    def _send(self, statement: str, **values: object) -> psycopg.Cursor[tuple[Any, ...]]:
        return self.connection.execute(statement, values, prepare=True, binary=True)

    def vacuum(self) -> None:
        """Fresh statistics."""
        for table in TABLES:
            self.connection.execute(f"VACUUM ANALYZE hand.{table}")

    def close(self) -> None:
        self.connection.close()


def chosen(
    ranked: Sequence[str], by_score: Sequence[str], edges: Sequence[tuple[Any, ...]], n: Numbers
) -> tuple[str, ...]:
    """The plan: neighbours stand where the first seed that reaches them puts them; free places are the next seeds'."""
    seeds = ranked[: n.documents - n.expanded]
    related: dict[str, None] = {}
    for seed in seeds[: n.expanding]:
        targets = {edge[2] for edge in edges if edge[0] == seed} - {seed, *seeds}
        related.update(dict.fromkeys([each for each in by_score if each in targets][: n.fan_out]))
    taken = list(related)[: n.expanded]
    return (*[each for each in ranked if each not in taken][: n.documents - len(taken)], *taken)


def picked(
    rows: Sequence[tuple[Any, ...]], plan: Sequence[str], n: Numbers
) -> tuple[tuple[str, int, str, str, float], ...]:
    """The best chunk of each planned document first, where asked for, then the most similar ones; by similarity."""
    best: dict[str, int] = {}
    for at, row in enumerate(rows):
        best.setdefault(row[0], at)
    first = [best[each] for each in plan if each in best][: n.chunks] if n.one_each else []
    rest = [at for at in range(len(rows)) if at not in set(first)]
    kept = sorted([*first, *rest[: n.chunks - len(first)]])
    return tuple((row[0], row[4], row[5], row[6], 1 - row[7]) for row in (rows[at] for at in kept))


def _write(cursor: psycopg.Cursor[Any], part: Sequence[PreparedDocument]) -> None:
    _copy(
        cursor,
        "document_nodes (document_id, title, summary, summary_embedding, content_hash, n_chunks, part)",
        ["text", "text", "text", "vector", "text", "int4", "text"],
        [_node(each) for each in part],
    )
    _copy(
        cursor,
        "vector_chunks (document_id, chunk_index, chunk_id, chunk_text, embedding, token_count)",
        ["text", "int4", "text", "text", "vector", "int4"],
        [
            (c.document_id, c.chunk_index, c.chunk_id, c.text, vector, c.token_count)
            for each in part
            for c, vector in zip(each.chunks, each.chunk_vectors, strict=True)
        ],
    )
    _copy(
        cursor,
        "document_relationships",
        ["text", "text", "text", "jsonb"],
        [(*edge.key, Jsonb(edge.relationship_metadata)) for each in part for edge in each.relationships],
    )


def _node(prepared: PreparedDocument) -> tuple[Any, ...]:
    document = prepared.document
    vector = prepared.vector
    said = (document.document_id, document.title, document.summary, vector, document.content_hash, document.n_chunks)
    return (*said, document.metadata.get("part"))


def _copy(cursor: psycopg.Cursor[Any], target: str, types: list[str], rows: list[tuple[Any, ...]]) -> None:
    with cursor.copy(f"COPY hand.{target} FROM STDIN WITH (FORMAT BINARY)") as copy:
        copy.set_types(types)
        for row in rows:
            copy.write_row(row)
