-- Whole documents and imported relationships, inside one transaction; COPY is fed with rows in binary.

-- name: lock_workspace
SELECT pg_advisory_xact_lock(hashtextextended(:'schema', 20251));

-- name: share_workspace
SELECT pg_advisory_xact_lock_shared(hashtextextended(:'schema', 20251));

-- name: lock_documents
SELECT pg_advisory_xact_lock(hashtextextended(:'schema' || '/' || id, 20251)) FROM unnest(:'ids'::text[]) AS id;

-- name: stored
SELECT document_id, stated_hash, fingerprint, n_chunks FROM :"schema".document_nodes
WHERE document_id = ANY(:'ids'::text[]);

-- name: update_node
UPDATE :"schema".document_nodes
SET title = :'title', summary = :'summary', summary_embedding = :'summary_embedding',
    title_embedding = :'title_embedding', source = :'source',
    ingestion_id = :'ingestion_id', doc_type = :'doc_type', headings = :'headings', metadata = :'metadata',
    content_hash = :'content_hash', n_chunks = :'n_chunks', n_tokens = :'n_tokens', fingerprint = :'fingerprint',
    names = :'names', facets = :'facets',
    text_hash = :'text_hash', embedded_hash = :'embedded_hash', stated_hash = :'stated_hash'
WHERE document_id = :'document_id';

-- name: made_of
SELECT document_id, title, summary, source, doc_type, ingestion_id, headings, metadata, content_hash, n_chunks, n_tokens,
       embedded_hash, fingerprint
FROM :"schema".document_nodes WHERE document_id = ANY(:'ids'::text[]);

-- name: chunks_of
SELECT document_id, chunk_id, chunk_index, chunk_text, heading_path, token_count, source_place FROM :"schema".vector_chunks
WHERE document_id = ANY(:'ids'::text[]) ORDER BY document_id, chunk_index;

-- name: restate_node
UPDATE :"schema".document_nodes
SET source = :'source', ingestion_id = :'ingestion_id', doc_type = :'doc_type', metadata = :'metadata',
    content_hash = :'content_hash', fingerprint = :'fingerprint',
    names = :'names', facets = :'facets',
    text_hash = :'text_hash', embedded_hash = :'embedded_hash', stated_hash = :'stated_hash'
WHERE document_id = :'document_id';

-- name: place_chunk
UPDATE :"schema".vector_chunks SET source_place = :'source_place'::int[]
WHERE document_id = :'document_id' AND chunk_index = :'chunk_index';

-- name: copy_nodes
COPY :"schema".document_nodes
  (document_id, title, summary, summary_embedding, title_embedding, source, ingestion_id, doc_type, headings, metadata,
   content_hash, n_chunks, n_tokens, fingerprint, names, facets, text_hash, embedded_hash, stated_hash)
  FROM STDIN WITH (FORMAT BINARY);

-- name: copy_chunks
COPY :"schema".vector_chunks
  (document_id, chunk_index, chunk_id, chunk_text, embedding, heading_path, token_count, source_place)
  FROM STDIN WITH (FORMAT BINARY);

-- name: copy_edges
COPY :"schema".document_relationships
  (from_document_id, relation_type, to_document_id, relationship_metadata, fingerprint)
  FROM STDIN WITH (FORMAT BINARY);

-- name: delete_chunks
DELETE FROM :"schema".vector_chunks WHERE document_id = ANY(:'ids'::text[]);

-- name: delete_ingested_edges
DELETE FROM :"schema".document_relationships
WHERE from_document_id = ANY(:'ids'::text[]) AND relationship_metadata->>'extractor' IS DISTINCT FROM :'manual'
RETURNING fingerprint, from_document_id, relation_type, to_document_id,
  CASE WHEN jsonb_typeof(relationship_metadata->:'review') = 'object' THEN relationship_metadata END;

-- name: delete_edges
DELETE FROM :"schema".document_relationships WHERE from_document_id = ANY(:'ids'::text[]) RETURNING fingerprint;

-- name: delete_nodes
DELETE FROM :"schema".document_nodes WHERE document_id = ANY(:'ids'::text[]);

-- name: kept_keys
SELECT from_document_id, relation_type, to_document_id FROM :"schema".document_relationships
WHERE from_document_id = ANY(:'ids'::text[]);

-- name: missing_start
WITH there AS MATERIALIZED (SELECT document_id FROM :"schema".document_nodes WHERE document_id = ANY(:'ids'::text[]))
SELECT min(f COLLATE "C") FROM unnest(:'ids'::text[]) AS f
WHERE NOT EXISTS (SELECT 1 FROM there WHERE document_id = f);

-- name: edges_at
SELECT from_document_id, relation_type, to_document_id, relationship_metadata FROM :"schema".document_relationships
WHERE from_document_id = ANY(:'ids'::text[]) OR to_document_id = ANY(:'ids'::text[]);

-- name: edges_of_keys
SELECT e.from_document_id, e.relation_type, e.to_document_id, e.relationship_metadata
FROM :"schema".document_relationships e JOIN unnest(:'from'::text[], :'type'::text[], :'to'::text[]) AS k (f, t, d)
ON e.from_document_id = k.f AND e.relation_type = k.t AND e.to_document_id = k.d;

-- name: delete_edges_of_keys
DELETE FROM :"schema".document_relationships e
USING unnest(:'from'::text[], :'type'::text[], :'to'::text[]) AS k (f, t, d)
WHERE e.from_document_id = k.f AND e.relation_type = k.t AND e.to_document_id = k.d
RETURNING e.fingerprint;

-- name: move_workspace
UPDATE docgraph.workspaces
SET revision = mod(revision + :'delta'::numeric, :modulus),
    relationships_sum = mod(relationships_sum + :'relationships'::numeric, :sum_modulus),
    vectors_sum = mod(vectors_sum + :'vectors'::numeric, :sum_modulus),
    n_documents = n_documents + :'n_documents',
    n_chunks = n_chunks + :'n_chunks', n_relationships = n_relationships + :'n_relationships'
WHERE name = :'name';

-- name: decided_types
SELECT off_relation_types, type_decisions FROM docgraph.workspaces WHERE name = :'name' FOR UPDATE;

-- name: decide_types
UPDATE docgraph.workspaces SET off_relation_types = :'types'::text[], type_decisions = :'decisions' WHERE name = :'name';

-- name: last_type_change
SELECT COALESCE(max(entry_id), 0) FROM docgraph.type_history WHERE workspace = :'workspace';

-- name: add_type_changes
INSERT INTO docgraph.type_history (workspace, entry_id, entry)
SELECT :'workspace', entry_id, entry FROM unnest(:'ids'::bigint[], :'entries'::json[]) AS e (entry_id, entry);

-- name: type_changes
SELECT entry::text FROM docgraph.type_history WHERE workspace = :'workspace' ORDER BY entry_id DESC LIMIT :'limit';

-- name: last_trial
SELECT COALESCE(max(entry_id), 0) FROM docgraph.type_trials WHERE workspace = :'workspace';

-- name: keep_trial
INSERT INTO docgraph.type_trials (workspace, entry_id, entry)
SELECT :'workspace', entry_id, entry FROM unnest(:'ids'::bigint[], :'entries'::json[]) AS e (entry_id, entry);

-- name: trials
SELECT entry::text FROM docgraph.type_trials WHERE workspace = :'workspace' ORDER BY entry_id DESC LIMIT :'limit';
