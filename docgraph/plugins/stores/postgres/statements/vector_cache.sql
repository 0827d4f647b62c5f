-- What a process reads to look at bits and words by itself, and what it asks of a question first.

-- name: question
-- The question's bits, as a text of zeros and ones.
SELECT (binary_quantize(vector_sub(unit, edge)) || binary_quantize(unit) || binary_quantize(vector_add(unit, edge)))::text
FROM (
  SELECT l2_normalize(:'vector'::vector) AS unit,
         array_fill((:edge / sqrt(vector_dims(:'vector'::vector)))::real, ARRAY[vector_dims(:'vector'::vector)])::vector AS edge) question;

-- name: words
-- The question's words as the keys of their postings, numbered as the server's own way numbers them.
SELECT row_number() OVER (ORDER BY lexeme),
       CASE WHEN octet_length(lexeme) > 256 THEN ' ' || encode(sha256(convert_to(lexeme, 'UTF8')), 'hex') ELSE lexeme END
FROM unnest(tsvector_to_array(to_tsvector('pg_catalog.english', left(:'text', :max_question)))) AS lexeme
ORDER BY 1;

-- name: holding
-- The documents that hold each word, what the word weighs among all documents, and the same as the whole number that is added up.
WITH holder AS MATERIALIZED (
  SELECT key, ids, COALESCE(cardinality(ids), 0)::bigint AS n
  FROM unnest(:'keys'::text[]) AS key CROSS JOIN LATERAL (
    SELECT array_agg(document_id ORDER BY document_id) AS ids FROM :"schema".vector_postings WHERE lexeme = key) found)
SELECT key, COALESCE(ids, ARRAY[]::text[]), idf, (idf * 1000000)::int
FROM (SELECT key, ids, ln(1 + (:'total'::bigint - n + 0.5::float8) / (n + 0.5::float8)) AS idf FROM holder) weighed;

-- name: places
-- Where each word stands, in the order of its holders: how many places each has, the places, and what the word counts there.
SELECT key, array_send(counts), array_send(places), array_send(frequencies)
FROM unnest(:'keys'::text[]) AS key CROSS JOIN LATERAL (
  WITH posting AS MATERIALIZED (
    SELECT places, frequencies FROM :"schema".vector_postings WHERE lexeme = key ORDER BY document_id)
  SELECT (SELECT array_agg(cardinality(places)) FROM posting) AS counts,
         (SELECT array_agg(place) FROM posting CROSS JOIN LATERAL unnest(places) AS place) AS places,
         (SELECT array_agg(frequency) FROM posting CROSS JOIN LATERAL unnest(frequencies) AS frequency) AS frequencies) found;

-- name: sizes
-- How many bits there are to read: of chunks, of summaries and titles, of summaries alone.
SELECT (SELECT count(*) FROM :"schema".vector_bits WHERE chunk_index >= 0),
       (SELECT count(*) FROM :"schema".vector_bits WHERE chunk_index < 0),
       (SELECT count(*) FROM :"schema".vector_bits WHERE chunk_index = -1);

-- name: plain
-- Whether all tables are plain ones of this server: not foreign, not partitioned, not on a server of Citus.
SELECT count(*) = 4 AND to_regclass('pg_catalog.pg_dist_partition') IS NULL
FROM pg_class WHERE relnamespace = to_regnamespace(:'quoted') AND relkind = 'r'
  AND relname IN ('document_nodes', 'vector_chunks', 'vector_bits', 'vector_postings');

-- name: documents
SELECT document_id FROM :"schema".document_nodes ORDER BY document_id;

-- name: codes
-- Every row is as long as the others: the document by its place in the order of ids, the chunk, its bits.
COPY (
  SELECT (place - 1)::int, chunk_index, bits
  FROM (SELECT document_id, row_number() OVER (ORDER BY document_id) AS place FROM :"schema".document_nodes) numbered
  JOIN :"schema".vector_bits USING (document_id)) TO STDOUT (FORMAT binary);
