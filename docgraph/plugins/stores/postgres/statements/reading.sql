-- Documents, chunks and relationships. Exact similarity is cosine_distance(a, b): the operator <=> would let the planner
-- answer from an approximate index, and stands only where that is asked for (by_index). A vector without direction (all zeros) has no distance (NaN) and counts as
-- unrelated: distance 1. Long lists are read in pages of 1000.

-- name: nearest_chunks_of
SELECT d.document_id, c.*
FROM :"schema".document_nodes d CROSS JOIN LATERAL (
  SELECT chunk_id, chunk_index, chunk_text, heading_path, token_count, source_place, COALESCE(NULLIF(cosine_distance(embedding, :'vector'::vector), 'NaN'), 1) AS distance
  FROM :"schema".vector_chunks v
  WHERE v.document_id = d.document_id
  ORDER BY distance, chunk_index LIMIT :'limit') c
WHERE d.document_id = ANY(:'ids'::text[])
ORDER BY c.distance, d.document_id, c.chunk_index;

-- name: nearest_chunks
SELECT document_id, chunk_id, chunk_index, chunk_text, heading_path, token_count, source_place, COALESCE(NULLIF(cosine_distance(embedding, :'vector'::vector), 'NaN'), 1) AS distance
FROM :"schema".vector_chunks/*among*/
ORDER BY distance, document_id, chunk_index LIMIT :'limit';

-- name: nearest_chunk_scores
SELECT document_id, chunk_index, COALESCE(NULLIF(cosine_distance(embedding, :'vector'::vector), 'NaN'), 1) AS distance
FROM :"schema".vector_chunks/*among*/
ORDER BY distance, document_id, chunk_index LIMIT :'limit';

-- name: documents_of_nearest_chunks
WITH nearest AS MATERIALIZED (
  SELECT document_id, chunk_index, COALESCE(NULLIF(cosine_distance(embedding, :'vector'::vector), 'NaN'), 1) AS distance
  FROM :"schema".vector_chunks/*among*/
  ORDER BY distance, document_id, chunk_index LIMIT :'limit'),
best AS MATERIALIZED (SELECT document_id, min(distance) AS distance FROM nearest GROUP BY document_id)
SELECT document_id, title, row_number() OVER (ORDER BY distance, document_id) AS rank, 1 - distance AS score,
       ingestion_id, doc_type
FROM best JOIN :"schema".document_nodes USING (document_id)
ORDER BY rank;

-- part: by_bits
-- Those whose bits are nearest.
v JOIN (
  SELECT document_id AS listed_id, array_agg(chunk_index ORDER BY chunk_index) AS places
  FROM (
    SELECT document_id, chunk_index FROM :"schema".vector_bits WHERE chunk_index >= 0
    ORDER BY hamming_distance(bits, (
      SELECT binary_quantize(vector_sub(unit, edge)) || binary_quantize(unit) || binary_quantize(vector_add(unit, edge))
      FROM (
        SELECT l2_normalize(:'vector'::vector) AS unit,
               array_fill((:edge / sqrt(vector_dims(:'vector'::vector)))::real, ARRAY[vector_dims(:'vector'::vector)])::vector AS edge) question)), document_id, chunk_index LIMIT :'n_near') short
  GROUP BY document_id) listed ON v.document_id = listed_id AND v.chunk_index = ANY(places)

-- part: by_codes
-- Those that a process has found in codes that it holds.
v JOIN (
  SELECT document_id AS listed_id, array_agg(chunk_index ORDER BY chunk_index) AS places
  FROM unnest(:'near_ids'::text[], :'near_places'::int[]) AS near (document_id, chunk_index)
  GROUP BY document_id) listed ON v.document_id = listed_id AND v.chunk_index = ANY(places)

-- part: by_index
-- Those that the approximate index finds.
v JOIN (
  SELECT document_id AS listed_id, array_agg(chunk_index ORDER BY chunk_index) AS places
  FROM (
    SELECT document_id, chunk_index FROM :"schema".vector_chunks
    ORDER BY embedding/*width*/ <=> :'vector'::vector LIMIT :'n_indexed') short
  GROUP BY document_id) listed ON v.document_id = listed_id AND v.chunk_index = ANY(places)

-- name: chunks
SELECT document_id, chunk_id, chunk_index, chunk_text, heading_path, token_count, source_place FROM :"schema".vector_chunks WHERE document_id = :'id' ORDER BY chunk_index;

-- name: outgoing
SELECT r.*
FROM :"schema".document_nodes d CROSS JOIN LATERAL (
  SELECT from_document_id, relation_type, to_document_id, relationship_metadata FROM :"schema".document_relationships
  WHERE from_document_id = d.document_id
  ORDER BY relation_type, to_document_id LIMIT :'limit') r
WHERE d.document_id = ANY(:'ids'::text[])
ORDER BY array_position(:'ids'::text[], d.document_id), r.relation_type, r.to_document_id;

-- name: outgoing_of_types
SELECT r.*
FROM :"schema".document_nodes d CROSS JOIN LATERAL (
  SELECT from_document_id, relation_type, to_document_id, relationship_metadata FROM :"schema".document_relationships
  WHERE from_document_id = d.document_id AND relation_type = ANY(:'types'::text[])
  ORDER BY relation_type, to_document_id LIMIT :'limit') r
WHERE d.document_id = ANY(:'ids'::text[])
ORDER BY array_position(:'ids'::text[], d.document_id), r.relation_type, r.to_document_id;

-- name: count_outgoing
SELECT from_document_id, count(*)
FROM :"schema".document_relationships
WHERE from_document_id = ANY(:'ids'::text[])
GROUP BY from_document_id;

-- name: count_outgoing_of_types
SELECT from_document_id, count(*)
FROM :"schema".document_relationships
WHERE from_document_id = ANY(:'ids'::text[]) AND relation_type = ANY(:'types'::text[])
GROUP BY from_document_id;

-- name: count_linking
SELECT to_document_id, count(DISTINCT from_document_id)
FROM :"schema".document_relationships
WHERE to_document_id = ANY(:'ids'::text[]) AND from_document_id <> to_document_id
GROUP BY to_document_id;

-- name: count_linking_of_types
SELECT to_document_id, count(DISTINCT from_document_id)
FROM :"schema".document_relationships
WHERE to_document_id = ANY(:'ids'::text[]) AND from_document_id <> to_document_id
  AND relation_type = ANY(:'types'::text[])
GROUP BY to_document_id;

-- name: incoming
SELECT from_document_id, relation_type, to_document_id, relationship_metadata
FROM (
  SELECT from_document_id, relation_type, to_document_id, relationship_metadata, row_number() OVER (PARTITION BY to_document_id ORDER BY relation_type, from_document_id) AS place
  FROM :"schema".document_relationships
  WHERE to_document_id = ANY(:'ids'::text[])) r
WHERE place <= :'limit'
ORDER BY to_document_id, relation_type, from_document_id;

-- name: incoming_of_types
SELECT from_document_id, relation_type, to_document_id, relationship_metadata
FROM (
  SELECT from_document_id, relation_type, to_document_id, relationship_metadata, row_number() OVER (PARTITION BY to_document_id ORDER BY relation_type, from_document_id) AS place
  FROM :"schema".document_relationships
  WHERE to_document_id = ANY(:'ids'::text[]) AND relation_type = ANY(:'types'::text[])) r
WHERE place <= :'limit'
ORDER BY to_document_id, relation_type, from_document_id;

-- name: relation_types
SELECT relation_type, count(*) FROM :"schema".document_relationships GROUP BY relation_type ORDER BY relation_type;

-- name: followed_types
-- No row where no type is switched off or gives reasons only, and nothing is looked at then; else a row without a type, and one for each that is left.
WITH off AS MATERIALIZED (
  SELECT off_relation_types AS types FROM docgraph.workspaces WHERE name = :'workspace'
    AND (cardinality(off_relation_types) > 0 OR strpos(type_decisions, '"reasons_only"') > 0))
SELECT NULL AS relation_type FROM off
UNION ALL
SELECT relation_type FROM (
  SELECT relation_type FROM :"schema".document_relationships
  WHERE EXISTS (SELECT 1 FROM off) AND relation_type <> ALL((SELECT types FROM off)::text[])
  GROUP BY relation_type) followed;

-- name: type_origins
SELECT relation_type, extractor, place, count(*) FROM (
  SELECT relation_type,
    CASE jsonb_typeof(relationship_metadata->'extractor') WHEN 'string' THEN relationship_metadata->>'extractor' ELSE '' END COLLATE "C" AS extractor,
    CASE jsonb_typeof(relationship_metadata->'place') WHEN 'string' THEN relationship_metadata->>'place' ELSE '' END COLLATE "C" AS place
  FROM :"schema".document_relationships
  WHERE to_document_id IN (SELECT document_id FROM :"schema".document_nodes)) attached
GROUP BY relation_type, extractor, place ORDER BY relation_type, extractor, place;

-- name: relationships
SELECT from_document_id, relation_type, to_document_id, relationship_metadata
FROM :"schema".document_relationships r
WHERE (from_document_id, relation_type, to_document_id) > (:'from', :'type', :'to')/*and*/
ORDER BY from_document_id, relation_type, to_document_id LIMIT 1000;

-- part: of_document
AND (from_document_id = :'document_id' OR to_document_id = :'document_id')

-- part: of_type
AND relation_type = :'relation_type'

-- part: dangling
AND NOT EXISTS (
  SELECT 1 FROM (SELECT document_id FROM :"schema".document_nodes OFFSET 0) n WHERE n.document_id = r.to_document_id)

-- part: attached
AND to_document_id IN (SELECT document_id FROM :"schema".document_nodes)

-- name: documents_by_id
SELECT document_id, title, summary, source, doc_type, ingestion_id, headings, metadata, content_hash, n_chunks, n_tokens FROM :"schema".document_nodes WHERE document_id = ANY(:'ids'::text[])
ORDER BY array_position(:'ids'::text[], document_id);

-- name: documents_named
-- The keys are handed on as a query's: of a list that it sees, PostgreSQL adds up how often each key might be found, and where a
-- question has a hundred it reads all documents.
SELECT key, document_id
FROM (
  SELECT key, document_id, row_number() OVER (PARTITION BY key ORDER BY document_id) AS place
  FROM :"schema".document_nodes CROSS JOIN LATERAL unnest(names) AS key
  WHERE names && ARRAY(SELECT unnest(:'keys'::text[])) AND key = ANY(:'keys'::text[])) named
WHERE place <= :'limit'
ORDER BY key COLLATE "C", document_id;

-- name: documents
SELECT document_id, title, summary, source, doc_type, ingestion_id, headings, metadata, content_hash, n_chunks, n_tokens FROM :"schema".document_nodes
WHERE document_id > :'after'/*and*/
ORDER BY document_id LIMIT 1000;

-- part: of_doc_type
AND doc_type = :'doc_type'

-- part: with_text
AND (strpos(lower(title), lower(:'text')) > 0
  OR strpos(lower(document_id COLLATE "default"), lower(:'text')) > 0)

-- name: content_hashes
SELECT document_id, content_hash FROM :"schema".document_nodes ORDER BY document_id;

-- name: import_hashes
SELECT document_id, text_hash, embedded_hash, stated_hash FROM :"schema".document_nodes WHERE document_id = ANY(:'ids'::text[]) ORDER BY document_id;

-- name: content_hashes_of
SELECT document_id, content_hash FROM :"schema".document_nodes WHERE document_id = ANY(:'ids'::text[]) ORDER BY document_id;

-- name: count_matching
SELECT count(*) FROM :"schema".document_nodes/*where*/;

-- name: metadata_values
-- A facet with the character 28 at its end says that a field is there, one with a 30 in it what it is.
WITH facet AS (
  SELECT facet, count(*) AS n FROM :"schema".document_nodes CROSS JOIN LATERAL unnest(facets) AS facet GROUP BY facet),
held AS (SELECT left(facet, -1) AS field, n FROM facet WHERE right(facet, 1) = chr(28)),
value AS (
  SELECT split_part(facet, chr(30), 1) AS field, substr(facet, strpos(facet, chr(30)) + 1) AS value, n
  FROM facet WHERE strpos(facet, chr(30)) > 0),
placed AS (
  SELECT field, value, n, count(*) OVER (PARTITION BY field) AS n_values,
         row_number() OVER (PARTITION BY field ORDER BY n DESC, value COLLATE "C") AS place
  FROM value)
SELECT h.field, COALESCE(p.value, ''), COALESCE(p.n, h.n), h.n, COALESCE(p.n_values, 0)
FROM held h LEFT JOIN placed p ON p.field = h.field AND p.place <= :'limit'
ORDER BY h.field COLLATE "C", p.place;
