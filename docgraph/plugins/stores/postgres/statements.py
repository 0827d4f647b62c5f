"""The statements that read a workspace; ``{schema}`` is its quoted schema, every value is bound.

Exact similarity is ``cosine_distance(a, b)``: the operator ``<=>`` would let the planner answer from an approximate
index. A vector without direction (all zeros) has no distance (NaN) and counts as unrelated: distance 1.
"""

from __future__ import annotations

from docgraph.domain.ranking import MAX_QUESTION, RRF_K
from docgraph.domain.request import SeedSignal

MAX_POOL = 300
"""Chunks of which ``ts_rank_cd`` is computed: it is slow, and a common word is in very many; ``ts_rank`` chooses."""
PAGE = 1_000


def distance(column: str) -> str:
    """Cosine distance of a column to the question's vector."""
    return f"COALESCE(NULLIF(cosine_distance({column}, %(vector)s::vector), 'NaN'), 1)"


NODE = (
    "document_id, title, summary, source, doc_type, ingestion_id, headings, metadata, content_hash, n_chunks, n_tokens"
)
CHUNK = "chunk_id, chunk_index, chunk_text, heading_path, token_count"
EDGE = "from_document_id, relation_type, to_document_id, relationship_metadata"

WORKSPACE = """
SELECT name, title, embedder_name, embedder_model, dimension, revision, off_relation_types,
       n_documents, n_relationships, n_chunks
FROM docgraph.workspaces WHERE name = %(name)s"""

WORKSPACES = """
SELECT name, title, embedder_name, embedder_model, dimension, revision, off_relation_types,
       n_documents, n_relationships, n_chunks
FROM docgraph.workspaces ORDER BY name"""

# ---------------------------------------------------------------- chunks

CHUNKS_OF_DOCUMENTS = f"""
SELECT d.document_id, c.*
FROM {{schema}}.document_nodes d CROSS JOIN LATERAL (
  SELECT {CHUNK}, {distance("embedding")} AS distance
  FROM {{schema}}.vector_chunks v
  WHERE v.document_id = d.document_id
  ORDER BY distance, chunk_index LIMIT %(limit)s) c
WHERE d.document_id = ANY(%(ids)s::text[])
ORDER BY c.distance, d.document_id, c.chunk_index"""

NEAREST_CHUNKS = f"""
SELECT document_id, {CHUNK}, {distance("embedding")} AS distance
FROM {{schema}}.vector_chunks
ORDER BY distance, document_id, chunk_index LIMIT %(limit)s"""

_QUOTED = r"'''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || ''''"
"""A lexeme as an operand of a tsquery, whatever characters it holds."""
_LEXEMES = f"unnest(tsvector_to_array(to_tsvector('pg_catalog.english', left(%(text)s, {MAX_QUESTION})))) AS lexeme"
ANY_OF_THE_WORDS = f"SELECT string_agg({_QUOTED}, ' | ')::tsquery AS query FROM {_LEXEMES}"
"""One row: the query that any of the question's words satisfies; NULL for a question without words."""

CHUNKS_WITH_WORDS = f"""
WITH question AS MATERIALIZED ({ANY_OF_THE_WORDS}),
pool AS MATERIALIZED (
  SELECT document_id, chunk_index, words, ts_rank(words, query) AS fit
  FROM question JOIN {{schema}}.vector_chunks ON words @@ query
  ORDER BY fit DESC, document_id, chunk_index LIMIT GREATEST(%(limit)s, {MAX_POOL})),
found AS MATERIALIZED (
  SELECT document_id, chunk_index, ts_rank_cd(words, query) AS rank
  FROM pool CROSS JOIN question
  ORDER BY rank DESC, document_id, chunk_index LIMIT %(limit)s)
SELECT document_id, {CHUNK}, {distance("embedding")} AS distance, found.rank
FROM found JOIN {{schema}}.vector_chunks v USING (document_id, chunk_index)
ORDER BY found.rank DESC, document_id, chunk_index"""

CHUNKS = f"""
SELECT document_id, {CHUNK} FROM {{schema}}.vector_chunks WHERE document_id = %(id)s ORDER BY chunk_index"""

# ---------------------------------------------------------------- relationships

OUTGOING = f"""
SELECT r.*
FROM {{schema}}.document_nodes d CROSS JOIN LATERAL (
  SELECT {EDGE} FROM {{schema}}.document_relationships
  WHERE from_document_id = d.document_id
  ORDER BY relation_type, to_document_id LIMIT %(limit)s) r
WHERE d.document_id = ANY(%(ids)s::text[])
ORDER BY array_position(%(ids)s::text[], d.document_id), r.relation_type, r.to_document_id"""

OUTGOING_OF_TYPES = OUTGOING.replace(
    "= d.document_id\n", "= d.document_id AND relation_type = ANY(%(types)s::text[])\n"
)

COUNT_OUTGOING = """
SELECT from_document_id, count(*)
FROM {schema}.document_relationships
WHERE from_document_id = ANY(%(ids)s::text[])
GROUP BY from_document_id"""

COUNT_OUTGOING_OF_TYPES = COUNT_OUTGOING.replace("\nGROUP", " AND relation_type = ANY(%(types)s::text[])\nGROUP")

INCOMING = f"""
SELECT {EDGE}
FROM (
  SELECT {EDGE}, row_number() OVER (PARTITION BY to_document_id ORDER BY relation_type, from_document_id) AS place
  FROM {{schema}}.document_relationships
  WHERE to_document_id = ANY(%(ids)s::text[])) r
WHERE place <= %(limit)s
ORDER BY to_document_id, relation_type, from_document_id"""

INCOMING_OF_TYPES = INCOMING.replace("::text[])) r", "::text[]) AND relation_type = ANY(%(types)s::text[])) r")

RELATION_TYPES = """
SELECT relation_type, count(*) FROM {schema}.document_relationships GROUP BY relation_type ORDER BY relation_type"""

RELATIONSHIPS = f"""
SELECT {EDGE}
FROM {{schema}}.document_relationships r
WHERE (from_document_id, relation_type, to_document_id) > (%(from)s, %(type)s, %(to)s){{filter}}
ORDER BY from_document_id, relation_type, to_document_id LIMIT {PAGE}"""

BY_DOCUMENT = " AND (from_document_id = %(document_id)s OR to_document_id = %(document_id)s)"
BY_TYPE = " AND relation_type = %(relation_type)s"
DANGLING = " AND NOT EXISTS (SELECT 1 FROM {schema}.document_nodes n WHERE n.document_id = r.to_document_id)"
ATTACHED = " AND to_document_id IN (SELECT document_id FROM {schema}.document_nodes)"

# ---------------------------------------------------------------- documents

DOCUMENTS_BY_ID = f"""
SELECT {NODE} FROM {{schema}}.document_nodes WHERE document_id = ANY(%(ids)s::text[])
ORDER BY array_position(%(ids)s::text[], document_id)"""

DOCUMENTS = f"""
SELECT {NODE} FROM {{schema}}.document_nodes
WHERE document_id > %(after)s{{filter}}
ORDER BY document_id LIMIT {PAGE}"""

BY_DOC_TYPE = " AND doc_type = %(doc_type)s"
BY_TEXT = """ AND (strpos(lower(title), lower(%(text)s)) > 0
  OR strpos(lower(document_id COLLATE "default"), lower(%(text)s)) > 0)"""

DOCUMENTS_OF_NEAREST_CHUNKS = f"""
WITH nearest AS MATERIALIZED (
  SELECT document_id, chunk_index, {distance("embedding")} AS distance
  FROM {{schema}}.vector_chunks
  ORDER BY distance, document_id, chunk_index LIMIT %(limit)s),
best AS MATERIALIZED (SELECT document_id, min(distance) AS distance FROM nearest GROUP BY document_id)
SELECT document_id, title, row_number() OVER (ORDER BY distance, document_id) AS rank, 1 - distance AS score,
       ingestion_id, doc_type
FROM best JOIN {{schema}}.document_nodes USING (document_id)
ORDER BY rank"""

# ---------------------------------------------------------------- ranking documents by a seed signal

_SUMMARY = f"""
summary AS MATERIALIZED (
  SELECT document_id, title, ingestion_id, doc_type, 1 - {distance("summary_embedding")} AS score
  FROM {{schema}}.document_nodes{{where}})"""

_CHUNK = f"""
chunk AS MATERIALIZED (
  SELECT document_id, 1 - min({distance("embedding")}) AS score
  FROM {{schema}}.vector_chunks{{inside}}
  GROUP BY document_id)"""

_LEXICAL = rf"""
word AS MATERIALIZED (
  SELECT lexeme, ({_QUOTED})::tsquery AS query
  FROM {_LEXEMES}),
head AS MATERIALIZED (
  SELECT lexeme, document_id, ts_rank('{{{{1,1,1,1}}}}', words, query) AS frequency
  FROM word JOIN {{schema}}.document_nodes ON words @@ query{{inside}}),
body AS MATERIALIZED (
  SELECT lexeme, document_id, chunk_index, ts_rank('{{{{1,1,1,1}}}}', words, query) AS frequency
  FROM word JOIN {{schema}}.vector_chunks ON words @@ query{{inside}}),
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
  FROM title_score FULL JOIN best_passage USING (document_id))"""

_FUSED = f"""
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
         ({RRF_K} + 1.0::float8) / ({RRF_K} + by_vectors) / 2
         + COALESCE(({RRF_K} + 1.0::float8) / ({RRF_K} + by_words) / 2, 0) AS score
  FROM place)"""

_PLAIN = """
scored AS (
  SELECT document_id, title, ingestion_id, doc_type, {score} AS score
  FROM summary {join} JOIN chunk USING (document_id))"""

_RANKED = """
SELECT document_id, title, rank, score, ingestion_id, doc_type
FROM (SELECT *, row_number() OVER (ORDER BY score DESC, document_id) AS rank FROM scored) ranked
WHERE rank <= %(limit)s OR document_id = ANY(%(ids)s::text[])
ORDER BY rank"""

_SIGNALS = {
    "summary": (_SUMMARY, "\nscored AS (SELECT * FROM summary)"),
    "chunk": (_SUMMARY, _CHUNK, _PLAIN.replace("{score}", "chunk.score").replace("{join} ", "")),
    "mean": (
        _SUMMARY,
        _CHUNK,
        _PLAIN.replace("{score}", "(summary.score + COALESCE(chunk.score, 0)) / 2").replace("{join}", "LEFT"),
    ),
    "hybrid": (_SUMMARY, _CHUNK, _LEXICAL, _FUSED),
}


def rank_documents(signal: SeedSignal, schema: str, fields: tuple[str, ...]) -> str:
    """The statement that ranks documents by ``signal``, among those whose ``fields`` (bound by name) are equal."""
    where = " AND ".join(f"{name} = %({name})s" for name in fields)
    inside = " WHERE document_id IN (SELECT document_id FROM summary)" if fields else ""
    text = "WITH" + ",".join(_SIGNALS[signal]) + _RANKED
    return text.format(
        schema=schema, where=f"\n  WHERE {where}" if where else "", inside=inside, max_question=MAX_QUESTION
    )
