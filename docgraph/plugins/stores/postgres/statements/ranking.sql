-- Documents ranked by each seed signal (a part that scores them all, then the part that ranks them), and chunks by words.
-- /*where*/ is a filter by fields of the documents; /*inside*/ then keeps chunks to the documents that passed it.

-- part: scored_by_summary
scored AS MATERIALIZED (
  SELECT document_id, 1 - LEAST(COALESCE(NULLIF(cosine_distance(summary_embedding, :'vector'::vector), 'NaN'), 1), NULLIF(cosine_distance(title_embedding, :'vector'::vector), 'NaN')) AS score
  FROM :"schema".document_nodes/*where*/),

-- part: scored_by_chunk
summary AS MATERIALIZED (SELECT document_id FROM :"schema".document_nodes/*where*/),
scored AS MATERIALIZED (
  SELECT document_id, 1 - min(COALESCE(NULLIF(cosine_distance(embedding, :'vector'::vector), 'NaN'), 1)) AS score
  FROM :"schema".vector_chunks/*inside*/
  GROUP BY document_id),

-- part: scored_by_mean
summary AS MATERIALIZED (
  SELECT document_id, 1 - LEAST(COALESCE(NULLIF(cosine_distance(summary_embedding, :'vector'::vector), 'NaN'), 1), NULLIF(cosine_distance(title_embedding, :'vector'::vector), 'NaN')) AS score
  FROM :"schema".document_nodes/*where*/),
chunk AS MATERIALIZED (
  SELECT document_id, 1 - min(COALESCE(NULLIF(cosine_distance(embedding, :'vector'::vector), 'NaN'), 1)) AS score
  FROM :"schema".vector_chunks/*inside*/
  GROUP BY document_id),
scored AS MATERIALIZED (
  SELECT document_id, (summary.score + COALESCE(chunk.score, 0)) / 2 AS score
  FROM summary LEFT JOIN chunk USING (document_id)),

-- part: scored_by_hybrid
-- Reciprocal rank fusion of the rank by mean and the rank by words. ts_rank does not know how rare a word is, so each
-- word is ranked alone (as its posting says) and weighted by its idf. A text is the document's number by vectors and the
-- place in it, as one number: so many are sorted fastest, by text and then by word, in the order in which they are summed.
summary AS MATERIALIZED (
  SELECT document_id, 1 - LEAST(COALESCE(NULLIF(cosine_distance(summary_embedding, :'vector'::vector), 'NaN'), 1), NULLIF(cosine_distance(title_embedding, :'vector'::vector), 'NaN')) AS score
  FROM :"schema".document_nodes/*where*/),
chunk AS MATERIALIZED (
  SELECT document_id, 1 - min(COALESCE(NULLIF(cosine_distance(embedding, :'vector'::vector), 'NaN'), 1)) AS score
  FROM :"schema".vector_chunks/*inside*/
  GROUP BY document_id),
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
  FROM :"schema".vector_postings JOIN word ON lexeme = key
  JOIN (SELECT document_id, by_vectors FROM vectors/*and_so_many*/) numbered USING (document_id)
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
scored AS MATERIALIZED (
  SELECT document_id,
         (:rrf_k + 1.0::float8) / (:rrf_k + by_vectors) / 2
         + COALESCE((:rrf_k + 1.0::float8) / (:rrf_k + by_words) / 2, 0) AS score
  FROM vectors LEFT JOIN words USING (by_vectors)),

-- part: ranked
-- The first documents are sorted. Of the others that are asked for, the place is counted: all others would have to be sorted
-- for it, and that is dearer. A document stands behind all that have its score or a better one, but for those that share its
-- score and come after it.
ranked AS MATERIALIZED (
  SELECT document_id, score, row_number() OVER (ORDER BY score DESC, document_id) AS rank
  FROM (SELECT document_id, score FROM scored ORDER BY score DESC, document_id LIMIT :'limit') first)/*hop*/,
elsewhere AS MATERIALIZED (
  SELECT scored.document_id, score
  FROM scored JOIN (
    SELECT unnest(:'ids'::text[]) AS document_id/*or_reached*/ EXCEPT SELECT document_id FROM ranked) asked
    ON asked.document_id = scored.document_id),
steps AS MATERIALIZED (
  SELECT array_agg(score ORDER BY score) AS scores FROM (SELECT DISTINCT score FROM elsewhere) each),
counted AS MATERIALIZED (
  SELECT width_bucket(score, (SELECT scores FROM steps)) AS step, count(*) AS n FROM scored GROUP BY step),
alike AS MATERIALIZED (
  SELECT document_id, row_number() OVER (PARTITION BY score ORDER BY document_id DESC) - 1 AS n_after
  FROM scored WHERE score IN (SELECT score FROM elsewhere)),
wanted AS MATERIALIZED (
  SELECT document_id, rank, score FROM ranked
  UNION ALL
  SELECT elsewhere.document_id, (SELECT sum(n) FROM counted WHERE step >= width_bucket(score, scores))::bigint - n_after, score
  FROM elsewhere JOIN alike ON alike.document_id = elsewhere.document_id CROSS JOIN steps)
SELECT wanted.document_id, title, rank, wanted.score, ingestion_id, doc_type/*edges*/
FROM wanted JOIN :"schema".document_nodes n ON n.document_id = wanted.document_id
WHERE n.document_id = ANY(ARRAY(SELECT document_id FROM wanted))
ORDER BY rank

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
, (SELECT edges FROM edge WHERE edge.document_id = n.document_id)

-- part: or_reached
UNION SELECT document_id FROM reached

-- part: and_so_many
-- No row, which the planner takes for a thousand: it would look through the few documents of a filter for each posting.
UNION ALL SELECT '', 0 FROM generate_series(1, (SELECT 0))

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
SELECT document_id, chunk_id, chunk_index, chunk_text, heading_path, token_count, source_place, COALESCE(NULLIF(cosine_distance(embedding, :'vector'::vector), 'NaN'), 1) AS distance, found.rank
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
