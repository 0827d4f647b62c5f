-- Chunks of planned documents by how well they fit a question: similarity, and the words of the question that they hold
-- (domain/passages/fitting.py has the formula). A posting keeps the word's ts_rank at each place, 1 - frequency of which is
-- the rest of a series that tells the number of occurrences: n = 1 / ((1 - frequency) · π²/6) - ½, rounded.

-- name: fitting_chunks_of
-- The first row tells what the words weigh.
WITH
word AS MATERIALIZED (
  SELECT lexeme, CASE WHEN octet_length(lexeme) > 256 THEN ' ' || encode(sha256(convert_to(lexeme, 'UTF8')), 'hex') ELSE lexeme END AS key,
         lexeme = ANY(tsvector_to_array(to_tsvector('pg_catalog.english', left(:'asked', :max_question)))) AS is_asked
  FROM unnest(tsvector_to_array(to_tsvector('pg_catalog.english', left(:'text', :max_question)))) AS lexeme),
total AS MATERIALIZED (SELECT n_chunks AS n FROM docgraph.workspaces WHERE name = :'workspace'),
posting AS MATERIALIZED (
  SELECT lexeme AS key, sum(cardinality(places) - (places[1] < 0)::int) AS n
  FROM :"schema".vector_postings
  WHERE lexeme = ANY(ARRAY(SELECT key FROM word)) GROUP BY lexeme),
holding AS MATERIALIZED (SELECT lexeme, key, is_asked, n FROM word JOIN posting USING (key) WHERE n > 0),
raw AS MATERIALIZED (
  SELECT lexeme, key,
         ln(1 + (total.n - holding.n + 0.5::float8) / (holding.n + 0.5::float8))
         * CASE WHEN is_asked OR NOT EXISTS (SELECT 1 FROM holding WHERE is_asked) THEN 1 ELSE :context_weight::float8 END AS weight
  FROM holding CROSS JOIN total),
weight AS MATERIALIZED (
  SELECT lexeme, key, weight / whole AS weight
  FROM raw CROSS JOIN (SELECT sum(weight ORDER BY lexeme COLLATE "C") AS whole FROM raw) summed WHERE whole > 0),
chunk AS MATERIALIZED (
  SELECT document_id, chunk_index, token_count, COALESCE(NULLIF(cosine_distance(embedding, :'vector'::vector), 'NaN'), 1) AS distance
  FROM :"schema".vector_chunks WHERE document_id = ANY(:'ids'::text[])),
found AS MATERIALIZED (
  SELECT document_id, unnest(places) AS chunk_index, p.lexeme AS key, round(1 / ((1 - unnest(frequencies)::float8) * 1.64493406685) - 0.5) AS n
  FROM :"schema".vector_postings p
  WHERE p.lexeme = ANY(ARRAY(SELECT key FROM weight)) AND document_id = ANY(:'ids'::text[])),
fit AS (
  SELECT document_id, chunk_index, sum(weight * n / (n + :saturation * (1 - :length + :length * token_count / :chunk_tokens::float8)) ORDER BY weight.lexeme COLLATE "C") AS words
  FROM found JOIN weight USING (key) JOIN chunk USING (document_id, chunk_index)
  GROUP BY document_id, chunk_index),
placed AS (
  SELECT document_id, chunk_index, distance, words, min(distance) OVER (PARTITION BY document_id) AS nearest, row_number() OVER best AS place,
         row_number() OVER (PARTITION BY document_id ORDER BY fit DESC, chunk_index) AS place_in_document
  FROM (
    SELECT document_id, chunk_index, distance, COALESCE(words, 0) AS words, 1 - distance + :words_weight * COALESCE(words, 0) AS fit
    FROM chunk LEFT JOIN fit USING (document_id, chunk_index)) each
  WINDOW best AS (ORDER BY fit DESC, document_id, chunk_index))
SELECT document_id, chunk_id, chunk_index, chunk_text, heading_path, token_count, source_place, distance, placed.words,
       CASE WHEN place = 1 THEN (SELECT jsonb_object_agg(lexeme, weight) FROM weight) END, nearest
FROM placed JOIN :"schema".vector_chunks v USING (document_id, chunk_index)
WHERE place <= :'limit' OR place_in_document = 1
ORDER BY place;
