-- Postings: for each word of a document the places it stands at (-1 = title and summary, else the chunk's index), each
-- with the word's ts_rank there. That depends on the number of occurrences alone (at most 255 are kept): the sum of
-- 1/j² over them, in single precision, divided by its limit. A word too long for a key is kept by its hash.

-- name: fill
-- Of every document, where /*of*/ names none.
WITH
frequency AS MATERIALIZED (
  SELECT n, ((1::real + sum(1::real / (n * n)::real) OVER (ORDER BY n ROWS UNBOUNDED PRECEDING) - 1::real)
             / 1.64493406685::float8)::real AS value
  FROM generate_series(1, 255) AS n),
occurrence AS (
  SELECT document_id, lexeme COLLATE "C" AS lexeme, -1 AS place, COALESCE(cardinality(positions), 1) AS n
  FROM :"schema".document_nodes CROSS JOIN LATERAL unnest(words)/*of*/
  UNION ALL
  SELECT document_id, lexeme COLLATE "C", chunk_index, COALESCE(cardinality(positions), 1)
  FROM :"schema".vector_chunks CROSS JOIN LATERAL unnest(words)/*of*/)
INSERT INTO :"schema".vector_postings (lexeme, document_id, places, frequencies)
SELECT CASE WHEN octet_length(lexeme) > 256 THEN ' ' || encode(sha256(convert_to(lexeme, 'UTF8')), 'hex') ELSE lexeme END,
       document_id, array_agg(place ORDER BY place), array_agg(value ORDER BY place)
FROM occurrence JOIN frequency USING (n)
GROUP BY lexeme, document_id
ORDER BY occurrence.lexeme, document_id;

-- part: of
WHERE document_id = ANY(:'ids'::text[])

-- name: remove
DELETE FROM :"schema".vector_postings WHERE document_id = ANY(:'ids'::text[]);
