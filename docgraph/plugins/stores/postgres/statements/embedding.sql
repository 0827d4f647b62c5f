-- A workspace embedded anew: vectors of another embedder stand in a table of their own until all are there. A document's
-- chunks stand there by their index, its title at -2, title with summary at -1: that one comes last, so where it is made of
-- the document as it is now, nothing is lacking. Memories stand at -3, under their own id.

-- name: state
SELECT entry::text FROM docgraph.embeddings WHERE workspace = :'workspace';

-- name: put_state
INSERT INTO docgraph.embeddings (workspace, entry) VALUES (:'workspace', :'entry')
ON CONFLICT (workspace) DO UPDATE SET entry = excluded.entry;

-- name: no_state
DELETE FROM docgraph.embeddings WHERE workspace = :'workspace';

-- name: take_turn
-- Of a transaction that stays open and does nothing else: a lock of a session would be left behind with a pooler's.
SELECT pg_try_advisory_xact_lock(hashtextextended(:'schema', 20252)),
       set_config('idle_in_transaction_session_timeout', '0', true);

-- name: is_there
SELECT to_regclass('"' || :'schema' || '".next_vectors') IS NOT NULL;

-- name: counts
SELECT (SELECT count(*) FROM :"schema".next_vectors WHERE chunk_index >= 0 OR chunk_index = -3),
       (SELECT count(*) FROM :"schema".next_vectors WHERE chunk_index = -1);

-- name: totals
SELECT n_chunks + 2 * n_documents + (SELECT count(*) FROM :"schema".memories) FROM docgraph.workspaces WHERE name = :'name';

-- name: lacking
SELECT d.document_id, d.title, d.summary, d.source, d.doc_type, d.ingestion_id, d.headings, d.metadata, d.content_hash,
       d.n_chunks, d.n_tokens, d.fingerprint
FROM :"schema".document_nodes d
LEFT JOIN :"schema".next_vectors s ON s.document_id = d.document_id AND s.chunk_index = -1
WHERE d.document_id > :'after' AND s.made_of IS DISTINCT FROM d.fingerprint
ORDER BY d.document_id LIMIT :'limit';

-- name: lacking_chunks
SELECT c.document_id, c.chunk_id, c.chunk_index, c.chunk_text, c.heading_path, c.token_count, c.source_place
FROM :"schema".vector_chunks c
JOIN :"schema".document_nodes d ON d.document_id = c.document_id
LEFT JOIN :"schema".next_vectors s
  ON s.document_id = c.document_id AND s.chunk_index = c.chunk_index AND s.made_of = d.fingerprint
WHERE c.document_id = ANY(:'ids'::text[]) AND s.document_id IS NULL
ORDER BY c.document_id, c.chunk_index LIMIT :'limit';

-- name: lacking_memories
SELECT m.memory_id, m.conversation_id, m.turn, m.role, m.text, m.metadata, m.at
FROM :"schema".memories m
LEFT JOIN :"schema".next_vectors s ON s.document_id = m.memory_id AND s.chunk_index = -3
WHERE s.made_of IS DISTINCT FROM sha256(convert_to(m.text, 'UTF8'))
ORDER BY m.memory_id LIMIT :'limit';

-- name: forget_stale
DELETE FROM :"schema".next_vectors s USING unnest(:'ids'::text[], :'stamps'::bytea[]) AS k (id, stamp)
WHERE s.document_id = k.id AND s.chunk_index >= -2 AND s.made_of <> k.stamp;

-- name: put
INSERT INTO :"schema".next_vectors (document_id, chunk_index, embedding, made_of, fingerprint)
VALUES (:'document_id', :'chunk_index', :'embedding', :'made_of', :'fingerprint')
ON CONFLICT (document_id, chunk_index) DO UPDATE SET (embedding, made_of, fingerprint) =
  (excluded.embedding, excluded.made_of, excluded.fingerprint);

-- name: put_memory
INSERT INTO :"schema".next_vectors (document_id, chunk_index, embedding, made_of)
VALUES (:'memory_id', -3, :'embedding', sha256(convert_to(:'text', 'UTF8')))
ON CONFLICT (document_id, chunk_index) DO UPDATE SET (embedding, made_of) = (excluded.embedding, excluded.made_of);

-- name: staged
SELECT document_id, chunk_index, vector_send(embedding) FROM :"schema".next_vectors
WHERE document_id = ANY(:'ids'::text[]) AND chunk_index >= 0 ORDER BY document_id, chunk_index;

-- name: made_of
SELECT document_id, title, summary, source, doc_type, ingestion_id, headings, metadata, content_hash, n_chunks, n_tokens,
       fingerprint
FROM :"schema".document_nodes WHERE document_id = ANY(:'ids'::text[]);

-- name: is_lacking
SELECT EXISTS (
  SELECT 1 FROM :"schema".document_nodes d
  LEFT JOIN :"schema".next_vectors s ON s.document_id = d.document_id AND s.chunk_index = -1
  WHERE s.made_of IS DISTINCT FROM d.fingerprint);

-- name: is_lacking_memories
SELECT EXISTS (
  SELECT 1 FROM :"schema".memories m
  LEFT JOIN :"schema".next_vectors s ON s.document_id = m.memory_id AND s.chunk_index = -3
  WHERE s.made_of IS DISTINCT FROM sha256(convert_to(m.text, 'UTF8')));

-- name: switch_chunks
UPDATE :"schema".vector_chunks c SET embedding = s.embedding FROM :"schema".next_vectors s
WHERE s.document_id = c.document_id AND s.chunk_index = c.chunk_index;

-- name: switch_documents
UPDATE :"schema".document_nodes d
SET summary_embedding = s.embedding, fingerprint = s.fingerprint, title_embedding = s.title
FROM (
  SELECT own.document_id, own.embedding, own.fingerprint, of_title.embedding AS title
  FROM :"schema".next_vectors own
  LEFT JOIN :"schema".next_vectors of_title ON of_title.document_id = own.document_id AND of_title.chunk_index = -2
  WHERE own.chunk_index = -1) s
WHERE s.document_id = d.document_id;

-- name: switch_memories
UPDATE :"schema".memories m SET embedding = s.embedding FROM :"schema".next_vectors s
WHERE s.document_id = m.memory_id AND s.chunk_index = -3;

-- name: switch_workspace
UPDATE docgraph.workspaces
SET embedder_name = :'embedder', embedder_model = :'model', dimension = :'dimension',
    made_with = CASE made_with WHEN '' THEN concat_ws(chr(58), embedder_name, embedder_model, dimension) ELSE made_with END
WHERE name = :'name';

-- name: widths
-- Columns of vectors, and of their bits, that take one width alone.
SELECT c.relname::text, a.attname::text
FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
WHERE c.relnamespace = to_regnamespace('"' || :'schema' || '"') AND c.relkind = 'r' AND a.attnum > 0 AND a.atttypmod >= 0
  AND c.relname <> 'next_vectors' AND a.atttypid IN (SELECT oid FROM pg_catalog.pg_type WHERE typname IN ('vector', 'bit'));
