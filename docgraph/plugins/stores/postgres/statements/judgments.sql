-- Which documents help to answer which question.

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
  SET relevant = excluded.relevant, by = excluded.by, at = excluded.at WHERE :'replace'::boolean)
SELECT (SELECT count(*) FROM given) - (SELECT count(*) FROM there);

-- name: withdraw
DELETE FROM docgraph.judgments WHERE workspace = :'workspace' AND query_hash = :'hash' AND document_id = :'document_id';

-- name: move
UPDATE docgraph.judgments AS j SET document_id = m.new_id
FROM unnest(:'old'::text[], :'new'::text[]) AS m (old_id, new_id)
WHERE j.workspace = :'workspace' AND j.document_id = m.old_id AND NOT EXISTS (
  SELECT 1 FROM docgraph.judgments AS t
  WHERE t.workspace = j.workspace AND t.query_hash = j.query_hash AND t.document_id = m.new_id);

-- name: said
SELECT query, document_id, relevant, by, at, NULL AS chunk_id, NULL AS text_hash, NULL::int AS grade, NULL AS note
FROM docgraph.judgments WHERE workspace = :'workspace' AND (:'hash'::text IS NULL OR query_hash = :'hash')
UNION ALL
SELECT query, document_id, NULL, by, at, chunk_id, text_hash, grade, note
FROM docgraph.passage_judgments WHERE workspace = :'workspace' AND (:'hash'::text IS NULL OR query_hash = :'hash')
ORDER BY query, document_id, text_hash, by;

-- name: judge_passage
INSERT INTO docgraph.passage_judgments AS p
  (workspace, query_hash, document_id, text_hash, by, query, chunk_id, grade, at, note)
VALUES (:'workspace', :'hash', :'document_id', :'text_hash', :'by', :'query', :'chunk_id', :'grade'::int, :'at', :'note')
ON CONFLICT (workspace, query_hash, document_id, text_hash, by) DO UPDATE
SET chunk_id = excluded.chunk_id, grade = excluded.grade, at = excluded.at, note = excluded.note
RETURNING p.xmax = 0;

-- name: withdraw_passage
DELETE FROM docgraph.passage_judgments WHERE workspace = :'workspace' AND query_hash = :'hash'
AND document_id = :'document_id' AND text_hash = :'text_hash' AND by = :'by';

-- name: move_passages
UPDATE docgraph.passage_judgments AS j SET document_id = m.new_id,
  chunk_id = CASE WHEN starts_with(j.chunk_id, m.old_id || '#') THEN m.new_id || substr(j.chunk_id, length(m.old_id) + 1)
             ELSE j.chunk_id END
FROM unnest(:'old'::text[], :'new'::text[]) AS m (old_id, new_id)
WHERE j.workspace = :'workspace' AND j.document_id = m.old_id AND NOT EXISTS (
  SELECT 1 FROM docgraph.passage_judgments AS t
  WHERE t.workspace = j.workspace AND t.query_hash = j.query_hash AND t.document_id = m.new_id
    AND t.text_hash = j.text_hash AND t.by = j.by);
