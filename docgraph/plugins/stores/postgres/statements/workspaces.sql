-- What is known of each workspace, and holding its row while something is changed beside its documents.

-- name: all
SELECT name, title, embedder_name, embedder_model, dimension, revision, off_relation_types,
       n_documents, n_relationships, n_chunks, vector_search, relationships_sum, vectors_sum
FROM docgraph.workspaces ORDER BY name;

-- name: opened
-- The first read of a transaction, which bounds its statements in time (milliseconds) as well.
SELECT name, title, embedder_name, embedder_model, dimension, revision, off_relation_types,
       n_documents, n_relationships, n_chunks, vector_search, relationships_sum, vectors_sum, set_config('statement_timeout', :'timeout', true)
FROM docgraph.workspaces WHERE name = :'name';

-- name: health
SELECT current_setting('server_version'), (SELECT extversion FROM pg_extension WHERE extname = 'vector'),
       (SELECT count(*) FROM docgraph.workspaces);

-- name: hold
SELECT name FROM docgraph.workspaces WHERE name = :'name' FOR NO KEY UPDATE;

-- name: hold_alone
SELECT name FROM docgraph.workspaces WHERE name = :'name' FOR UPDATE;
