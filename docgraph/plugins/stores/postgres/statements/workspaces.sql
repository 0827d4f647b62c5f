-- What is known of each workspace, and holding its row while something is changed beside its documents.

-- name: all
SELECT name, title, embedder_name, embedder_model, dimension, revision, off_relation_types, type_decisions,
       n_documents, n_relationships, n_chunks, vector_search, relationships_sum, vectors_sum, made_with
FROM docgraph.workspaces ORDER BY name;

-- name: opened
-- The first read of a transaction, which bounds its statements in time (milliseconds) as well. A ranking compares every
-- vector: its work is that of the processor, not of the disk, so it is worth sharing among the server's processes. By
-- PostgreSQL's own costs reading the pages outweighs it a hundred times, and no ranking would ever be shared.
SELECT name, title, embedder_name, embedder_model, dimension, revision, off_relation_types, type_decisions,
       n_documents, n_relationships, n_chunks, vector_search, relationships_sum, vectors_sum, made_with,
       set_config('statement_timeout', :'timeout', true)
       || set_config('seq_page_cost', '0.1', true) || set_config('random_page_cost', '0.1', true)
       || set_config('parallel_setup_cost', '100', true) || set_config('parallel_tuple_cost', '0.01', true)
FROM docgraph.workspaces WHERE name = :'name';

-- name: approximate
-- Before the approximate index is asked, until the transaction ends. A generic plan would silently find fewer rows (from the
-- eleventh time on a connection on), and without further scans a LIMIT beyond ef_search would too.
SELECT set_config('plan_cache_mode', 'force_custom_plan', true), set_config('hnsw.iterative_scan', 'strict_order', true),
       set_config('hnsw.ef_search', :'ef_search', true), set_config('hnsw.max_scan_tuples', '200000', true);

-- name: health
SELECT current_setting('server_version'), (SELECT extversion FROM pg_extension WHERE extname = 'vector'),
       (SELECT count(*) FROM docgraph.workspaces);

-- name: embedder
SELECT embedder_name, embedder_model, dimension FROM docgraph.workspaces WHERE name = :'name';

-- name: hold
SELECT name FROM docgraph.workspaces WHERE name = :'name' FOR NO KEY UPDATE;

-- name: hold_alone
SELECT name FROM docgraph.workspaces WHERE name = :'name' FOR UPDATE;
