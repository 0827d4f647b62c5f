-- Documents ranked by each seed signal, and chunks by words. /*where*/ is a filter by fields of the documents; /*inside*/
-- then keeps chunks and words to the documents that passed it. /*near*/, /*lacking*/ and /*owed*/ make them those by bounded
-- candidates: by bits, or by the approximate index.

-- name: summary
WITH
summary AS MATERIALIZED (
  SELECT document_id, 1 - COALESCE(NULLIF(cosine_distance(summary_embedding, :'vector'::vector), 'NaN'), 1) AS score
  FROM :"schema".document_nodes/*where*/),
ranked AS MATERIALIZED (SELECT document_id, score, row_number() OVER (ORDER BY score DESC, document_id) AS rank FROM summary)/*hop*/,
wanted AS MATERIALIZED (
  SELECT document_id, rank, score FROM ranked
  WHERE rank <= :'limit' OR document_id = ANY(:'ids'::text[])/*or_reached*/)
SELECT wanted.document_id, title, rank, wanted.score, ingestion_id, doc_type/*edges*/
FROM wanted JOIN :"schema".document_nodes n ON n.document_id = wanted.document_id
WHERE n.document_id = ANY(ARRAY(SELECT document_id FROM wanted))
ORDER BY rank;

-- name: chunk
WITH
summary AS MATERIALIZED (SELECT document_id FROM :"schema".document_nodes/*where*/),
/*near*/chunk AS MATERIALIZED (
  SELECT document_id, 1 - min(COALESCE(NULLIF(cosine_distance(embedding, :'vector'::vector), 'NaN'), 1)) AS score
  FROM :"schema".vector_chunks/*inside*/
  GROUP BY document_id/*lacking*/),
ranked AS MATERIALIZED (SELECT document_id, score, row_number() OVER (ORDER BY score DESC, document_id) AS rank FROM chunk)/*hop*/,
wanted AS MATERIALIZED (
  SELECT document_id, rank, score FROM ranked
  WHERE rank <= :'limit' OR document_id = ANY(:'ids'::text[])/*or_reached*/)
SELECT wanted.document_id, title, rank, wanted.score/*owed*/, ingestion_id, doc_type/*edges*/
FROM wanted JOIN :"schema".document_nodes n ON n.document_id = wanted.document_id
WHERE n.document_id = ANY(ARRAY(SELECT document_id FROM wanted))
ORDER BY rank;

-- name: mean
WITH
summary AS MATERIALIZED (
  SELECT document_id, 1 - COALESCE(NULLIF(cosine_distance(summary_embedding, :'vector'::vector), 'NaN'), 1) AS score
  FROM :"schema".document_nodes/*where*/),
/*near*/chunk AS MATERIALIZED (
  SELECT document_id, 1 - min(COALESCE(NULLIF(cosine_distance(embedding, :'vector'::vector), 'NaN'), 1)) AS score
  FROM :"schema".vector_chunks/*inside*/
  GROUP BY document_id/*lacking*/),
scored AS (
  SELECT document_id, (summary.score + COALESCE(chunk.score, 0)) / 2 AS score
  FROM summary LEFT JOIN chunk USING (document_id)),
ranked AS MATERIALIZED (SELECT document_id, score, row_number() OVER (ORDER BY score DESC, document_id) AS rank FROM scored)/*hop*/,
wanted AS MATERIALIZED (
  SELECT document_id, rank, score FROM ranked
  WHERE rank <= :'limit' OR document_id = ANY(:'ids'::text[])/*or_reached*/)
SELECT wanted.document_id, title, rank, wanted.score/*owed*/, ingestion_id, doc_type/*edges*/
FROM wanted JOIN :"schema".document_nodes n ON n.document_id = wanted.document_id
WHERE n.document_id = ANY(ARRAY(SELECT document_id FROM wanted))
ORDER BY rank;

-- name: hybrid
-- Reciprocal rank fusion of the rank by mean and the rank by words. ts_rank does not know how rare a word is, so each
-- word is ranked alone (as its posting says) and weighted by its idf. A text is the document's number by vectors and the
-- place in it, as one number: so many are sorted fastest, by text and then by word, in the order in which they are summed.
WITH
summary AS MATERIALIZED (
  SELECT document_id, 1 - COALESCE(NULLIF(cosine_distance(summary_embedding, :'vector'::vector), 'NaN'), 1) AS score
  FROM :"schema".document_nodes/*where*/),
/*near*/chunk AS MATERIALIZED (
  SELECT document_id, 1 - min(COALESCE(NULLIF(cosine_distance(embedding, :'vector'::vector), 'NaN'), 1)) AS score
  FROM :"schema".vector_chunks/*inside*/
  GROUP BY document_id/*lacking*/),
vectors AS MATERIALIZED (
  SELECT document_id, row_number() OVER (
    ORDER BY summary.score + COALESCE(chunk.score, 0) DESC, document_id) AS by_vectors
  FROM summary LEFT JOIN chunk USING (document_id)),
word AS MATERIALIZED (
  SELECT row_number() OVER (ORDER BY lexeme) AS word,
         CASE WHEN octet_length(lexeme) > 256 THEN ' ' || encode(sha256(convert_to(lexeme, 'UTF8')), 'hex') ELSE lexeme END AS key
  FROM unnest(tsvector_to_array(to_tsvector('pg_catalog.english', left(:'text', :max_question)))) AS lexeme),
posting AS MATERIALIZED (
  SELECT word, by_vectors, places, frequencies
  FROM :"schema".vector_postings JOIN word ON lexeme = key JOIN vectors USING (document_id)
  WHERE lexeme = ANY(ARRAY(SELECT key FROM word))),
weight AS MATERIALIZED (
  SELECT word, ln(1 + (total - n + 0.5::float8) / (n + 0.5::float8)) AS idf
  FROM (SELECT word, count(*) AS n FROM posting GROUP BY word) holding
  CROSS JOIN (SELECT count(*) AS total FROM summary) all_of_them),
passage AS (
  SELECT passage, sum(idf * frequency ORDER BY word) AS score
  FROM (
    SELECT (by_vectors << 32) + unnest(places) + 1 AS passage, word, idf, unnest(frequencies) AS frequency
    FROM posting JOIN weight USING (word)) found
  GROUP BY passage),
lexical AS (
  SELECT passage >> 32 AS by_vectors,
         COALESCE(max(score) FILTER (WHERE passage & 4294967295 = 0), 0)
         + COALESCE(max(score) FILTER (WHERE passage & 4294967295 > 0), 0) AS score
  FROM passage GROUP BY passage >> 32),
words AS (
  SELECT by_vectors, row_number() OVER (ORDER BY score DESC, document_id) AS by_words
  FROM lexical JOIN vectors USING (by_vectors)),
scored AS (
  SELECT document_id,
         (:rrf_k + 1.0::float8) / (:rrf_k + by_vectors) / 2
         + COALESCE((:rrf_k + 1.0::float8) / (:rrf_k + by_words) / 2, 0) AS score
  FROM vectors LEFT JOIN words USING (by_vectors)),
ranked AS MATERIALIZED (SELECT document_id, score, row_number() OVER (ORDER BY score DESC, document_id) AS rank FROM scored)/*hop*/,
wanted AS MATERIALIZED (
  SELECT document_id, rank, score FROM ranked
  WHERE rank <= :'limit' OR document_id = ANY(:'ids'::text[])/*or_reached*/)
SELECT wanted.document_id, title, rank, wanted.score, ingestion_id, doc_type/*edges*/
FROM wanted JOIN :"schema".document_nodes n ON n.document_id = wanted.document_id
WHERE n.document_id = ANY(ARRAY(SELECT document_id FROM wanted))
ORDER BY rank;

-- part: hop
-- What the first documents point to: those in :'first', then the best that are not among :'passed'.
,
start AS MATERIALIZED (
  SELECT unnest(:'first'::text[]) AS document_id
  UNION ALL (
    SELECT document_id FROM ranked
    WHERE rank <= :'limit' AND document_id <> ALL(:'passed'::text[])
    ORDER BY rank LIMIT :'n_best')),
reached AS MATERIALIZED (
  SELECT d.document_id AS start_id, e.to_document_id AS document_id, e.relation_type, e.relationship_metadata
  FROM :"schema".document_nodes d CROSS JOIN LATERAL (
    SELECT relation_type, to_document_id, relationship_metadata FROM :"schema".document_relationships
    WHERE from_document_id = d.document_id/*of_types*/
    ORDER BY relation_type, to_document_id LIMIT :'n_edges') e
  WHERE d.document_id IN (SELECT document_id FROM start)),
edge AS MATERIALIZED (
  SELECT start.document_id,
         COALESCE(jsonb_agg(jsonb_build_array(relation_type, reached.document_id, relationship_metadata)) FILTER (WHERE start_id IS NOT NULL), '[]') AS edges
  FROM start LEFT JOIN reached ON start_id = start.document_id
  GROUP BY start.document_id)

-- part: of_types
AND relation_type = ANY(:'types'::text[])

-- part: edges
, (SELECT edges FROM edge WHERE edge.document_id = wanted.document_id)

-- part: or_reached
OR document_id IN (SELECT document_id FROM reached)

-- part: by_bits
-- The chunks whose bits (one a number: its sign) differ least. A sample says how unlike these are about, so that few need be
-- sorted; what it says is no more than a guess: where too few chunks are within it, the others are sorted too.
sampled AS MATERIALIZED (
  SELECT hamming_distance(bits, binary_quantize(:'vector'::vector)) AS unlike
  FROM :"schema".vector_bits TABLESAMPLE SYSTEM (5) REPEATABLE (0)/*inside*/),
bound AS MATERIALIZED (SELECT unlike FROM sampled ORDER BY unlike OFFSET :'n_near'::int * 13::bigint / 200 LIMIT 1),
within AS MATERIALIZED (
  SELECT document_id, chunk_index, unlike
  FROM (SELECT document_id, chunk_index, hamming_distance(bits, binary_quantize(:'vector'::vector)) AS unlike FROM :"schema".vector_bits/*inside*/) each
  WHERE unlike <= (SELECT unlike FROM bound)),
shortlist AS MATERIALIZED (
  SELECT document_id, chunk_index
  FROM (
    SELECT document_id, chunk_index, unlike FROM within
    UNION ALL
    SELECT document_id, chunk_index, unlike
    FROM (SELECT document_id, chunk_index, hamming_distance(bits, binary_quantize(:'vector'::vector)) AS unlike FROM :"schema".vector_bits/*inside*/) each
    WHERE (SELECT count(*) FROM within) < :'n_near'::int AND unlike > COALESCE((SELECT unlike FROM bound), -1)) found
  ORDER BY unlike, document_id, chunk_index LIMIT :'n_near'),

-- part: by_index
-- The chunks that the approximate index finds: the only statement that may ask it.
shortlist AS MATERIALIZED (
  SELECT document_id, chunk_index FROM :"schema".vector_chunks ORDER BY embedding <=> :'vector'::vector LIMIT :'n_indexed'),

-- part: near
-- A shortlist says which chunks may be near, exact similarity of those which documents are likely. These are the candidates:
-- all of their chunks are compared. Another document's chunks count as their estimate (the least there is, where they have
-- none) less 2, so that it stands behind the candidates, in the order of what is known of it.
listed AS MATERIALIZED (
  SELECT document_id, array_agg(chunk_index ORDER BY chunk_index) AS places FROM shortlist GROUP BY document_id),
estimate AS MATERIALIZED (
  SELECT v.document_id, 1 - min(COALESCE(NULLIF(cosine_distance(embedding, :'vector'::vector), 'NaN'), 1)) AS score
  FROM listed JOIN :"schema".vector_chunks v ON v.document_id = listed.document_id AND v.chunk_index = ANY(places)
  GROUP BY v.document_id),
near AS MATERIALIZED (
  SELECT document_id FROM /*likely*/ DESC, document_id LIMIT :'n_likely'),

-- part: likely_by_chunk
estimate ORDER BY score

-- part: likely_by_mean
summary LEFT JOIN estimate USING (document_id) ORDER BY summary.score + COALESCE(estimate.score, (SELECT min(score) FROM estimate), 0)

-- part: lacking
UNION ALL
  SELECT document_id, COALESCE(estimate.score, (SELECT min(score) FROM estimate), 0) - 2
  FROM :"schema".document_nodes LEFT JOIN estimate USING (document_id)
  WHERE n_chunks > 0 AND document_id NOT IN (SELECT document_id FROM near)/*filtered*/

-- part: filtered
AND document_id IN (SELECT document_id FROM summary)

-- part: owed
+ CASE WHEN n.document_id IN (SELECT document_id FROM near) THEN 0 ELSE COALESCE((
    SELECT 1 - min(COALESCE(NULLIF(cosine_distance(embedding, :'vector'::vector), 'NaN'), 1))
    FROM :"schema".vector_chunks v WHERE v.document_id = n.document_id)
  - (SELECT score FROM chunk WHERE chunk.document_id = n.document_id), 0) END

-- part: of_near
WHERE document_id = ANY(ARRAY(SELECT document_id FROM near))

-- part: inside
WHERE document_id IN (SELECT document_id FROM summary)

-- name: chunks_with_words
-- ts_rank_cd is slow and a common word is in very many chunks, so ts_rank chooses 300 of them (or :'limit') first. Without
-- weights that is a tenth of what the postings say, summed in single precision: what they leave no doubt about is not
-- looked at, and of the chunks that hold the same words equally often, ts_rank looks at one. The question is NULL when it
-- has no words.
WITH
word AS MATERIALIZED (
  SELECT lexeme, row_number() OVER (ORDER BY lexeme) AS word,
         CASE WHEN octet_length(lexeme) > 256 THEN ' ' || encode(sha256(convert_to(lexeme, 'UTF8')), 'hex') ELSE lexeme END AS key
  FROM unnest(tsvector_to_array(to_tsvector('pg_catalog.english', left(:'text', :max_question)))) AS lexeme),
question AS MATERIALIZED (SELECT string_agg('''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || '''', ' | ')::tsquery AS query FROM word),
hit AS MATERIALIZED (
  SELECT document_id, unnest(places) AS chunk_index, word, unnest(frequencies) AS frequency
  FROM :"schema".vector_postings p JOIN word ON p.lexeme = key
  WHERE p.lexeme = ANY(ARRAY(SELECT key FROM word))),
fit AS MATERIALIZED (
  SELECT document_id, chunk_index, sum(frequency::float8) AS fit FROM hit WHERE chunk_index >= 0 GROUP BY document_id, chunk_index),
likely AS MATERIALIZED (
  SELECT document_id, chunk_index FROM fit
  WHERE fit >= COALESCE((SELECT 0.9999 * fit FROM fit ORDER BY fit DESC OFFSET GREATEST(:'limit', 300) - 1 LIMIT 1), 0)),
held AS (
  SELECT document_id, chunk_index, array_agg(word + frequency::float8 ORDER BY word) AS words
  FROM hit
  WHERE ((document_id, chunk_index) IN (SELECT document_id, chunk_index FROM likely)) IS TRUE
  GROUP BY document_id, chunk_index),
alike AS MATERIALIZED (
  SELECT array_agg(document_id ORDER BY document_id, chunk_index) AS ids,
         array_agg(chunk_index ORDER BY document_id, chunk_index) AS places
  FROM held GROUP BY words),
ranked AS MATERIALIZED (
  SELECT ids, places, ts_rank(words, query) AS fit
  FROM alike JOIN :"schema".vector_chunks ON document_id = ids[1] AND chunk_index = places[1] CROSS JOIN question),
pool AS MATERIALIZED (
  SELECT document_id, chunk_index
  FROM (SELECT fit, unnest(ids) AS document_id, unnest(places) AS chunk_index FROM ranked) each
  ORDER BY fit DESC, document_id, chunk_index LIMIT GREATEST(:'limit', 300)),
found AS MATERIALIZED (
  SELECT document_id, chunk_index, ts_rank_cd(words, query) AS rank
  FROM pool JOIN :"schema".vector_chunks USING (document_id, chunk_index) CROSS JOIN question
  ORDER BY rank DESC, document_id, chunk_index LIMIT :'limit')
SELECT document_id, chunk_id, chunk_index, chunk_text, heading_path, token_count, COALESCE(NULLIF(cosine_distance(embedding, :'vector'::vector), 'NaN'), 1) AS distance, found.rank
FROM found JOIN :"schema".vector_chunks v USING (document_id, chunk_index)
ORDER BY found.rank DESC, document_id, chunk_index;

-- name: count_holding
-- A word of several parts ("back-pressure") counts where one text holds them all. Where more than :'most' texts hold a
-- word, that is the number.
WITH
part AS MATERIALIZED (
  SELECT word, CASE WHEN octet_length(lexeme) > 256 THEN ' ' || encode(sha256(convert_to(lexeme, 'UTF8')), 'hex') ELSE lexeme END AS key,
         count(*) OVER (PARTITION BY word) AS n
  FROM unnest(:'words'::text[]) AS word
  CROSS JOIN LATERAL unnest(tsvector_to_array(to_tsvector('pg_catalog.english', word))) AS lexeme),
posting AS MATERIALIZED (
  SELECT word, n, document_id, places
  FROM :"schema".vector_postings JOIN part ON lexeme = key
  WHERE lexeme = ANY(ARRAY(SELECT key FROM part))),
held AS (
  SELECT word, document_id, cardinality(places) AS n_texts FROM posting WHERE n = 1
  UNION ALL
  SELECT word, document_id, count(*)
  FROM (
    SELECT word, document_id, place FROM posting CROSS JOIN LATERAL unnest(places) AS place
    WHERE n > 1 GROUP BY word, n, document_id, place HAVING count(*) = n) whole
  GROUP BY word, document_id)
SELECT word, CASE WHEN COALESCE(sum(n_texts), 0) > :'most' THEN :'most' ELSE count(document_id) END
FROM (SELECT DISTINCT word FROM part) asked LEFT JOIN held USING (word)
GROUP BY word;
