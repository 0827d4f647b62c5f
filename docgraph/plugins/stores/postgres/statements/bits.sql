-- How a workspace is searched, and what that needs: three bits for each number of a chunk's vector (over the edge, over
-- zero, over the edge on the other side, where the vector is of length 1) for quantized candidates, an approximate index of
-- the vectors for hnsw; bits of summaries and of titles for both.

-- name: fill
-- Of every chunk, where /*of*/ names no documents; those of a document that are there stand aside first.
INSERT INTO :"schema".vector_bits (document_id, chunk_index, bits)
SELECT document_id, chunk_index, binary_quantize(vector_sub(unit, edge)) || binary_quantize(unit) || binary_quantize(vector_add(unit, edge))
FROM (
  SELECT document_id, chunk_index, l2_normalize(embedding) AS unit,
         array_fill((:edge / sqrt(vector_dims(embedding)))::real, ARRAY[vector_dims(embedding)])::vector AS edge
  FROM :"schema".vector_chunks/*of*/) made
ORDER BY document_id, chunk_index;

-- name: fill_heads
-- Of every summary, at -1, and of the title of a long document, at -2, where /*of*/ names no documents.
INSERT INTO :"schema".vector_bits (document_id, chunk_index, bits)
SELECT document_id, place, binary_quantize(vector_sub(unit, edge)) || binary_quantize(unit) || binary_quantize(vector_add(unit, edge))
FROM (
  SELECT document_id, place, l2_normalize(CASE place WHEN -1 THEN summary_embedding ELSE title_embedding END) AS unit,
         array_fill((:edge / sqrt(vector_dims(summary_embedding)))::real, ARRAY[vector_dims(summary_embedding)])::vector AS edge
  FROM (SELECT document_id, summary_embedding, title_embedding FROM :"schema".document_nodes/*of*/) head
  CROSS JOIN (VALUES (-1), (-2)) AS each (place)
  WHERE place = -1 OR title_embedding IS NOT NULL) made
ORDER BY document_id, place;

-- part: of
WHERE document_id = ANY(:'ids'::text[])

-- name: remove
DELETE FROM :"schema".vector_bits WHERE document_id = ANY(:'ids'::text[]);

-- name: empty
DELETE FROM :"schema".vector_bits;

-- name: mode
SELECT vector_search FROM docgraph.workspaces WHERE name = :'name';

-- name: width
SELECT dimension FROM docgraph.workspaces WHERE name = :'name';

-- name: set_mode
UPDATE docgraph.workspaces SET vector_search = :'mode' WHERE name = :'name';

-- name: memory
-- For the index that is built next: what does not fit is built much slower, and workers beside would need shared memory.
SELECT set_config('maintenance_work_mem', '1GB', true), set_config('max_parallel_maintenance_workers', '0', true),
       set_config('statement_timeout', '0', true);
