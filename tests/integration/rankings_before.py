"""The rankings by words as they were before there were postings: every text that holds a word is read and ranked."""

from __future__ import annotations

from docgraph.plugins.stores.postgres.statements import CONSTANTS

HYBRID = r"""
WITH
summary AS MATERIALIZED (
  SELECT document_id, title, ingestion_id, doc_type,
         1 - COALESCE(NULLIF(cosine_distance(summary_embedding, %(vector)s::vector), 'NaN'), 1) AS score
  FROM :"schema".document_nodes),
chunk AS MATERIALIZED (
  SELECT document_id, 1 - min(COALESCE(NULLIF(cosine_distance(embedding, %(vector)s::vector), 'NaN'), 1)) AS score
  FROM :"schema".vector_chunks
  GROUP BY document_id),
word AS MATERIALIZED (
  SELECT lexeme, ('''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || '''')::tsquery AS query
  FROM unnest(tsvector_to_array(to_tsvector('pg_catalog.english', left(%(text)s, 2000)))) AS lexeme),
head AS MATERIALIZED (
  SELECT lexeme, document_id, ts_rank('{1,1,1,1}', words, query) AS frequency
  FROM word JOIN :"schema".document_nodes ON words @@ query),
body AS MATERIALIZED (
  SELECT lexeme, document_id, chunk_index, ts_rank('{1,1,1,1}', words, query) AS frequency
  FROM word JOIN :"schema".vector_chunks ON words @@ query),
holding AS (
  SELECT lexeme, count(*) AS n
  FROM (SELECT lexeme, document_id FROM head UNION SELECT lexeme, document_id FROM body) pairs GROUP BY lexeme),
weight AS MATERIALIZED (
  SELECT lexeme, ln(1 + (total - n + 0.5::float8) / (n + 0.5::float8)) AS idf
  FROM holding CROSS JOIN (SELECT count(*) AS total FROM summary) all_of_them),
title_score AS (
  SELECT document_id, sum(idf * frequency ORDER BY lexeme) AS score
  FROM head JOIN weight USING (lexeme) GROUP BY document_id),
passage AS (
  SELECT document_id, sum(idf * frequency ORDER BY lexeme) AS score
  FROM body JOIN weight USING (lexeme) GROUP BY document_id, chunk_index),
best_passage AS (SELECT document_id, max(score) AS score FROM passage GROUP BY document_id),
lexical AS MATERIALIZED (
  SELECT document_id, COALESCE(title_score.score, 0) + COALESCE(best_passage.score, 0) AS score
  FROM title_score FULL JOIN best_passage USING (document_id)),
vectors AS (
  SELECT summary.*, row_number() OVER (
    ORDER BY summary.score + COALESCE(chunk.score, 0) DESC, document_id) AS by_vectors
  FROM summary LEFT JOIN chunk USING (document_id)),
place AS (
  SELECT vectors.*, l.place AS by_words
  FROM vectors
  LEFT JOIN (SELECT document_id, row_number() OVER (ORDER BY score DESC, document_id) AS place FROM lexical) l
    USING (document_id)),
scored AS (
  SELECT document_id, title, ingestion_id, doc_type,
         (RRF_K + 1.0::float8) / (RRF_K + by_vectors) / 2
         + COALESCE((RRF_K + 1.0::float8) / (RRF_K + by_words) / 2, 0) AS score
  FROM place)
SELECT document_id, title, rank, score, ingestion_id, doc_type
FROM (SELECT *, row_number() OVER (ORDER BY score DESC, document_id) AS rank FROM scored) ranked
WHERE rank <= %(limit)s OR document_id = ANY(%(ids)s::text[])
ORDER BY rank""".replace("RRF_K", CONSTANTS["rrf_k"])
CHUNKS_WITH_WORDS = r"""
WITH question AS MATERIALIZED (
  SELECT string_agg('''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || '''', ' | ')::tsquery AS query
  FROM unnest(tsvector_to_array(to_tsvector('pg_catalog.english', left(%(text)s, 2000)))) AS lexeme),
pool AS MATERIALIZED (
  SELECT document_id, chunk_index, words, ts_rank(words, query) AS fit
  FROM question JOIN :"schema".vector_chunks ON words @@ query
  ORDER BY fit DESC, document_id, chunk_index LIMIT GREATEST(%(limit)s, 300)),
found AS MATERIALIZED (
  SELECT document_id, chunk_index, ts_rank_cd(words, query) AS rank
  FROM pool CROSS JOIN question
  ORDER BY rank DESC, document_id, chunk_index LIMIT %(limit)s)
SELECT document_id, chunk_id, chunk_index, chunk_text, heading_path, token_count,
       COALESCE(NULLIF(cosine_distance(embedding, %(vector)s::vector), 'NaN'), 1) AS distance, found.rank
FROM found JOIN :"schema".vector_chunks v USING (document_id, chunk_index)
ORDER BY found.rank DESC, document_id, chunk_index"""
