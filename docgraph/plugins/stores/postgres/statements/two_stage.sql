-- Documents ranked by candidates: a pool of documents is chosen by what is cheap to know, the likely ones of the pool are
-- compared exactly, the others of the pool stand behind them in the order of what is known of them. Nothing is done for each
-- document of the workspace but for its bits. A document that is asked for and is on no shortlist comes behind it.
-- /*where*/ is a filter by fields; /*inside*/, /*and_inside*/ and /*and_n_inside*/ then keep to the documents that passed it.

-- part: passed
inside AS MATERIALIZED (SELECT document_id FROM :"schema".document_nodes/*where*/),

-- part: inside
WHERE document_id IN (SELECT document_id FROM inside)

-- part: and_inside
AND document_id IN (SELECT document_id FROM inside)

-- part: and_n_inside
AND n.document_id IN (SELECT document_id FROM inside)

-- part: bits
-- The bits (three a number) that differ least, of chunks, of summaries (at -1) and of titles of long documents (at -2). A
-- sample says how unlike these are about, so that few need be sorted; what it says is no more than a guess: where too few are
-- within it, the others are sorted too. The question's bits are a step of their own: as an expression they would be made for
-- every row.
asked AS MATERIALIZED (
  SELECT binary_quantize(vector_sub(unit, edge)) || binary_quantize(unit) || binary_quantize(vector_add(unit, edge)) AS bits
  FROM (
    SELECT l2_normalize(:'vector'::vector) AS unit,
           array_fill((:edge / sqrt(vector_dims(:'vector'::vector)))::real, ARRAY[vector_dims(:'vector'::vector)])::vector AS edge) question),
sampled AS MATERIALIZED (
  SELECT chunk_index, hamming_distance(bits, (SELECT bits FROM asked)) AS unlike
  FROM :"schema".vector_bits TABLESAMPLE SYSTEM (2) REPEATABLE (0)/*inside*/),
bound AS MATERIALIZED (
  SELECT GREATEST(
    (SELECT unlike FROM sampled WHERE chunk_index >= 0 ORDER BY unlike OFFSET :'n_near'::int * 4::bigint / 125 LIMIT 1),
    (SELECT unlike FROM sampled WHERE chunk_index = -1 ORDER BY unlike OFFSET :'n_pool'::int * 4::bigint / 125 LIMIT 1)) AS unlike),
within AS MATERIALIZED (
  SELECT document_id, chunk_index, unlike
  FROM (SELECT document_id, chunk_index, hamming_distance(bits, (SELECT bits FROM asked)) AS unlike FROM :"schema".vector_bits/*inside*/) each
  WHERE unlike <= (SELECT unlike FROM bound)),
head AS MATERIALIZED (
  SELECT document_id
  FROM (
    SELECT document_id, unlike FROM within WHERE chunk_index < 0
    UNION ALL
    SELECT document_id, unlike
    FROM (SELECT document_id, chunk_index, hamming_distance(bits, (SELECT bits FROM asked)) AS unlike FROM :"schema".vector_bits/*inside*/) each
    WHERE (SELECT count(*) FROM (SELECT DISTINCT document_id FROM within WHERE chunk_index < 0) each_once) < :'n_pool'::int
      AND chunk_index < 0 AND unlike > COALESCE((SELECT unlike FROM bound), -1)) found
  GROUP BY document_id ORDER BY min(unlike), document_id LIMIT :'n_pool'),

-- part: by_bits
shortlist AS MATERIALIZED (
  SELECT document_id, chunk_index
  FROM (
    SELECT document_id, chunk_index, unlike FROM within WHERE chunk_index >= 0
    UNION ALL
    SELECT document_id, chunk_index, unlike
    FROM (SELECT document_id, chunk_index, hamming_distance(bits, (SELECT bits FROM asked)) AS unlike FROM :"schema".vector_bits/*inside*/) each
    WHERE (SELECT count(*) FROM within WHERE chunk_index >= 0) < :'n_near'::int
      AND chunk_index >= 0 AND unlike > COALESCE((SELECT unlike FROM bound), -1)) found
  ORDER BY unlike, document_id, chunk_index LIMIT :'n_near'),

-- part: by_index
-- The chunks that the approximate index finds: the only statement that may ask it.
shortlist AS MATERIALIZED (
  SELECT document_id, chunk_index FROM :"schema".vector_chunks ORDER BY embedding/*width*/ <=> :'vector'::vector LIMIT :'n_indexed'),

-- part: given_near
-- What a process has found in codes that it holds: the same chunks as by_bits.
shortlist AS MATERIALIZED (
  SELECT document_id COLLATE "C" AS document_id, chunk_index
  FROM unnest(:'near_ids'::text[], :'near_places'::int[]) AS near (document_id, chunk_index)),

-- part: given_heads
head AS MATERIALIZED (SELECT document_id COLLATE "C" AS document_id FROM unnest(:'head_ids'::text[]) AS given (document_id)),

-- part: given_words
weight AS MATERIALIZED (
  SELECT word, key COLLATE "C" AS key, idf
  FROM unnest(:'words'::bigint[], :'keys'::text[], :'idfs'::float8[]) AS given (word, key, idf)),
chosen AS MATERIALIZED (
  SELECT document_id COLLATE "C" AS document_id, score
  FROM unnest(:'chosen_ids'::text[], :'chosen_fits'::float8[]) AS given (document_id, score)),

-- part: given_fits
-- Where the process knows how well the chosen ones fit.
SELECT document_id, score FROM chosen WHERE score IS NOT NULL
UNION ALL

-- part: but_given
EXCEPT SELECT document_id FROM chosen WHERE score IS NOT NULL

-- part: estimated
-- What the chunks of the shortlist say of their documents, exactly; of another document, the least of it is assumed.
-- Distances are a step of their own, or whole vectors would be sorted to group them.
listed AS MATERIALIZED (
  SELECT document_id, array_agg(chunk_index ORDER BY chunk_index) AS places FROM shortlist GROUP BY document_id),
distance AS MATERIALIZED (
  SELECT v.document_id, COALESCE(NULLIF(cosine_distance(embedding, :'vector'::vector), 'NaN'), 1) AS distance
  FROM listed JOIN :"schema".vector_chunks v ON v.document_id = listed.document_id AND v.chunk_index = ANY(places)),
estimate AS MATERIALIZED (SELECT document_id, 1 - min(distance) AS score FROM distance GROUP BY document_id),
found AS MATERIALIZED (
  (SELECT document_id FROM estimate ORDER BY score DESC, document_id LIMIT :'n_pool')/*also*/),
rest AS MATERIALIZED (
  SELECT document_id FROM :"schema".document_nodes
  WHERE (SELECT count(*) FROM found) < GREATEST(:'n_pool'::bigint, :'limit'::bigint)
    AND document_id NOT IN (SELECT document_id FROM found)/*with_chunks*//*and_inside*/
  ORDER BY document_id LIMIT GREATEST(:'n_pool'::bigint, :'limit'::bigint)),
pool AS MATERIALIZED (
  SELECT document_id FROM found
  UNION ALL (
    SELECT document_id FROM rest ORDER BY document_id
    LIMIT GREATEST(:'n_pool'::bigint, :'limit'::bigint) - (SELECT LEAST(count(*), GREATEST(:'n_pool'::bigint, :'limit'::bigint)) FROM found))),

-- part: also_by_heads
UNION SELECT document_id FROM head

-- part: also_by_words
UNION SELECT document_id FROM chosen

-- part: with_chunks
AND n_chunks > 0

-- part: rough_by_chunk
rough AS MATERIALIZED (
  SELECT document_id, COALESCE(score, (SELECT min(score) FROM estimate), 0) AS score
  FROM pool LEFT JOIN estimate USING (document_id)),

-- part: rough_by_mean
rough AS MATERIALIZED (
  SELECT n.document_id, summary, summary + COALESCE(score, (SELECT min(score) FROM estimate), 0) AS score
  FROM (
    SELECT document_id, 1 - LEAST(COALESCE(NULLIF(cosine_distance(summary_embedding, :'vector'::vector), 'NaN'), 1), NULLIF(cosine_distance(title_embedding, :'vector'::vector), 'NaN')) AS summary
    FROM :"schema".document_nodes WHERE document_id = ANY(ARRAY(SELECT document_id FROM pool))) n
  LEFT JOIN estimate USING (document_id)),

-- part: compared
likely AS MATERIALIZED (SELECT document_id FROM rough ORDER BY score DESC, document_id LIMIT :'n_likely'),
compared AS MATERIALIZED (
  SELECT document_id, 1 - min(COALESCE(NULLIF(cosine_distance(embedding, :'vector'::vector), 'NaN'), 1)) AS score
  FROM :"schema".vector_chunks
  WHERE document_id = ANY(ARRAY(SELECT document_id FROM likely))
  GROUP BY document_id),

-- part: ranked_by_chunk
ranked AS MATERIALIZED (
  SELECT document_id, row_number() OVER (ORDER BY compared.score DESC NULLS LAST, rough.score DESC, document_id) AS rank
  FROM rough LEFT JOIN compared USING (document_id))/*hop*/,

-- part: ranked_by_mean
known AS MATERIALIZED (
  SELECT document_id, likely.document_id IS NOT NULL AS is_likely,
         CASE WHEN likely.document_id IS NULL THEN rough.score ELSE summary + COALESCE(compared.score, 0) END AS score
  FROM rough LEFT JOIN likely USING (document_id) LEFT JOIN compared USING (document_id)),
ranked AS MATERIALIZED (
  SELECT document_id, row_number() OVER (ORDER BY is_likely DESC, score DESC, document_id) AS rank FROM known)/*hop*/,

-- part: words
-- The documents that hold the words that weigh most are chosen, by the key of the postings alone; what is in the postings is asked of those.
-- Weights are added up as whole numbers: a sum of others would depend on the order in which rows come. Each word's postings are
-- a scan of their own: joined by the word, its text is hashed and compared for each of them. What keeps it so is a column that
-- nobody reads (random) or a function of many rows (unnest), because servers that share the postings take no OFFSET there.
word AS MATERIALIZED (
  SELECT row_number() OVER (ORDER BY lexeme) AS word,
         CASE WHEN octet_length(lexeme) > 256 THEN ' ' || encode(sha256(convert_to(lexeme, 'UTF8')), 'hex') ELSE lexeme END AS key
  FROM unnest(tsvector_to_array(to_tsvector('pg_catalog.english', left(:'text', :max_question)))) AS lexeme),
holding AS MATERIALIZED (
  SELECT word, key, n FROM word JOIN (
    SELECT word, count(*) AS n FROM word CROSS JOIN LATERAL (
      SELECT random() FROM :"schema".vector_postings WHERE lexeme = key/*and_inside*/) holder
    GROUP BY word) counted USING (word)),
everybody AS MATERIALIZED (SELECT count(*) AS total FROM :"schema".document_nodes/*inside*/),
weight AS MATERIALIZED (
  SELECT word, key, ln(1 + (total - n + 0.5::float8) / (n + 0.5::float8)) AS idf FROM holding CROSS JOIN everybody),
chosen AS MATERIALIZED (
  SELECT document_id FROM weight CROSS JOIN LATERAL (
    SELECT document_id, (idf * 1000000)::int AS held, random() FROM :"schema".vector_postings
    WHERE lexeme = key/*and_inside*/) holder
  GROUP BY document_id ORDER BY sum(held) DESC, document_id LIMIT :'n_fit'),

-- part: fit
-- A document fits as well as its title with its summary and the best of its chunks together.
SELECT document_id,
         COALESCE(max(score) FILTER (WHERE place < 0), 0) + COALESCE(max(score) FILTER (WHERE place >= 0), 0) AS score
  FROM (
    SELECT document_id, place, sum(idf * frequency ORDER BY word) AS score
    FROM /*rows*/
    GROUP BY document_id, place) passage
  GROUP BY document_id

-- part: rows_of
-- One walk along a word's postings for all of the documents, not one search for each.
(
      SELECT document_id, word, idf, place, frequency
      FROM weight CROSS JOIN LATERAL (
        SELECT document_id, unnest(places) AS place, unnest(frequencies) AS frequency FROM :"schema".vector_postings
        WHERE lexeme = key AND document_id = ANY(ARRAY(SELECT document_id FROM /*of*/))) posting) asked_about

-- part: ranked_by_hybrid
known AS MATERIALIZED (
  SELECT document_id, likely.document_id IS NOT NULL AS is_likely,
         CASE WHEN likely.document_id IS NULL THEN rough.score ELSE summary + COALESCE(compared.score, 0) END AS score
  FROM rough LEFT JOIN likely USING (document_id) LEFT JOIN compared USING (document_id)),
vectors AS MATERIALIZED (
  SELECT document_id, row_number() OVER (ORDER BY is_likely DESC, score DESC, document_id) AS by_vectors FROM known),
fitting AS MATERIALIZED (SELECT document_id FROM likely UNION SELECT document_id FROM chosen/*but_given*/),
fit AS MATERIALIZED (/*fitting*/),
words AS MATERIALIZED (
  SELECT document_id, score, row_number() OVER (ORDER BY score DESC, document_id) AS by_words FROM fit),
ranked AS MATERIALIZED (
  SELECT document_id, score, row_number() OVER (ORDER BY score DESC, document_id) AS rank
  FROM (
    SELECT document_id,
           (:rrf_k + 1.0::float8) / (:rrf_k + by_vectors) / 2
           + COALESCE((:rrf_k + 1.0::float8) / (:rrf_k + by_words) / 2, 0) AS score
    FROM vectors LEFT JOIN words USING (document_id)) fused)/*hop*/,

-- part: wanted
wanted AS MATERIALIZED (
  SELECT document_id FROM ranked WHERE rank <= :'limit'
  UNION SELECT unnest(:'ids'::text[])/*or_reached*/),
other AS MATERIALIZED (
  SELECT document_id, 1 - min(COALESCE(NULLIF(cosine_distance(embedding, :'vector'::vector), 'NaN'), 1)) AS score
  FROM :"schema".vector_chunks
  WHERE document_id = ANY(ARRAY(SELECT document_id FROM wanted EXCEPT SELECT document_id FROM likely))
  GROUP BY document_id)

-- part: or_reached
UNION SELECT document_id FROM reached

-- part: told_by_chunk
SELECT n.document_id, title, COALESCE(rank, (SELECT count(*) FROM ranked) + 1) AS rank,
       COALESCE(compared.score, other.score) AS score, ingestion_id, doc_type/*edges*/
FROM :"schema".document_nodes n
LEFT JOIN ranked ON ranked.document_id = n.document_id
LEFT JOIN compared ON compared.document_id = n.document_id
LEFT JOIN other ON other.document_id = n.document_id
WHERE n.document_id = ANY(ARRAY(SELECT document_id FROM wanted)) AND n_chunks > 0/*and_n_inside*/
ORDER BY rank, n.document_id

-- part: told_by_mean
SELECT n.document_id, title, COALESCE(rank, (SELECT count(*) FROM ranked) + 1) AS rank,
       (1 - LEAST(COALESCE(NULLIF(cosine_distance(summary_embedding, :'vector'::vector), 'NaN'), 1), NULLIF(cosine_distance(title_embedding, :'vector'::vector), 'NaN'))
        + COALESCE(compared.score, other.score, 0)) / 2 AS score, ingestion_id, doc_type/*edges*/
FROM :"schema".document_nodes n
LEFT JOIN ranked ON ranked.document_id = n.document_id
LEFT JOIN compared ON compared.document_id = n.document_id
LEFT JOIN other ON other.document_id = n.document_id
WHERE n.document_id = ANY(ARRAY(SELECT document_id FROM wanted))/*and_n_inside*/
ORDER BY rank, n.document_id

-- part: told_by_hybrid
-- A document of no pool has the score of the places that it would have had there.
,
outside AS MATERIALIZED (
  SELECT n.document_id, 1 - LEAST(COALESCE(NULLIF(cosine_distance(summary_embedding, :'vector'::vector), 'NaN'), 1), NULLIF(cosine_distance(title_embedding, :'vector'::vector), 'NaN')) + COALESCE(other.score, 0) AS score
  FROM :"schema".document_nodes n LEFT JOIN other ON other.document_id = n.document_id
  WHERE n.document_id = ANY(ARRAY(SELECT document_id FROM wanted EXCEPT SELECT document_id FROM ranked))/*and_n_inside*/),
outside_fit AS MATERIALIZED (/*outside*/),
placed AS MATERIALIZED (
  SELECT document_id, score, rank FROM ranked WHERE document_id IN (SELECT document_id FROM wanted)
  UNION ALL
  SELECT document_id,
         (:rrf_k + 1.0::float8) / (:rrf_k + 1 + (SELECT count(*) FROM known WHERE known.score > outside.score)) / 2
         + CASE WHEN outside_fit.score IS NULL THEN 0
           ELSE (:rrf_k + 1.0::float8) / (:rrf_k + 1 + (SELECT count(*) FROM words WHERE words.score > outside_fit.score)) / 2 END,
         (SELECT count(*) FROM ranked) + 1
  FROM outside LEFT JOIN outside_fit USING (document_id))
SELECT n.document_id, title, rank, placed.score, ingestion_id, doc_type/*edges*/
FROM placed JOIN :"schema".document_nodes n ON n.document_id = placed.document_id
WHERE n.document_id = ANY(ARRAY(SELECT document_id FROM placed))
ORDER BY rank, n.document_id
