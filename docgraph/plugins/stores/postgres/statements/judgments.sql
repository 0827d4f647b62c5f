-- Which documents help to answer which question.

-- name: list
SELECT query, document_id, relevant, by, at FROM docgraph.judgments
WHERE workspace = :'workspace' AND (:'hash'::text IS NULL OR query_hash = :'hash')
ORDER BY query, document_id;

-- name: judge
WITH given AS (
  SELECT * FROM unnest(
    :'hashes'::text[], :'document_ids'::text[], :'queries'::text[], :'relevant'::boolean[], :'by'::text[], :'at'::text[])
    AS g (query_hash, document_id, query, relevant, by, at)),
there AS MATERIALIZED (
  SELECT query_hash, document_id FROM docgraph.judgments JOIN given USING (query_hash, document_id)
  WHERE workspace = :'workspace'),
kept AS (
  INSERT INTO docgraph.judgments (workspace, query_hash, document_id, query, relevant, by, at)
  SELECT :'into', * FROM given
  ON CONFLICT (workspace, query_hash, document_id) DO UPDATE
  SET relevant = excluded.relevant, by = excluded.by, at = excluded.at)
SELECT (SELECT count(*) FROM given) - (SELECT count(*) FROM there);

-- name: judge_what_nobody_did
WITH given AS (
  SELECT * FROM unnest(
    :'hashes'::text[], :'document_ids'::text[], :'queries'::text[], :'relevant'::boolean[], :'by'::text[], :'at'::text[])
    AS g (query_hash, document_id, query, relevant, by, at)),
there AS MATERIALIZED (
  SELECT query_hash, document_id FROM docgraph.judgments JOIN given USING (query_hash, document_id)
  WHERE workspace = :'workspace'),
kept AS (
  INSERT INTO docgraph.judgments (workspace, query_hash, document_id, query, relevant, by, at)
  SELECT :'into', * FROM given
  ON CONFLICT (workspace, query_hash, document_id) DO NOTHING)
SELECT (SELECT count(*) FROM given) - (SELECT count(*) FROM there);

-- name: withdraw
DELETE FROM docgraph.judgments WHERE workspace = :'workspace' AND query_hash = :'hash' AND document_id = :'document_id';

-- name: move
UPDATE docgraph.judgments AS j SET document_id = m.new_id
FROM unnest(:'old'::text[], :'new'::text[]) AS m (old_id, new_id)
WHERE j.workspace = :'workspace' AND j.document_id = m.old_id AND NOT EXISTS (
  SELECT 1 FROM docgraph.judgments AS t
  WHERE t.workspace = j.workspace AND t.query_hash = j.query_hash AND t.document_id = m.new_id);
