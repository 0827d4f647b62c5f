-- Saved runs, in the schema docgraph. A run is kept as the text that was written (json, not jsonb), so that its hash can be
-- checked when it is read.

-- name: matching
SELECT run_id FROM docgraph.saved_runs
WHERE run_id LIKE :'prefix' || '%' AND (deleted_at = '' OR :'deleted') ORDER BY run_id;

-- name: summary_of
SELECT run_id, workspace, name, note, query, saved_at, saved_by, pinned, content_hash, plan_id, corpus_revision,
       embedder_id, n_seeds, n_expanded, n_chunks, n_tokens, deleted_at, content_revision,
       COALESCE((
         SELECT CASE v.kind WHEN 'approved' THEN COALESCE(NULLIF(v.by, ''), 'somebody') ELSE '' END
         FROM docgraph.saved_run_reviews v WHERE v.run_id = r.run_id AND v.kind IN ('approved', 'withdrawn')
         ORDER BY v.place DESC LIMIT 1), '')
FROM docgraph.saved_runs r WHERE run_id = :'run_id';

-- name: find
SELECT run_id, workspace, name, note, query, saved_at, saved_by, pinned, content_hash, plan_id, corpus_revision,
       embedder_id, n_seeds, n_expanded, n_chunks, n_tokens, deleted_at, content_revision,
       COALESCE((
         SELECT CASE v.kind WHEN 'approved' THEN COALESCE(NULLIF(v.by, ''), 'somebody') ELSE '' END
         FROM docgraph.saved_run_reviews v WHERE v.run_id = r.run_id AND v.kind IN ('approved', 'withdrawn')
         ORDER BY v.place DESC LIMIT 1), '')
FROM docgraph.saved_runs r
WHERE (deleted_at <> '') = :'deleted' AND (:'workspace'::text IS NULL OR workspace = :'workspace')
  AND strpos(said, :'text') > 0
ORDER BY pinned DESC, saved_at DESC, run_id LIMIT :'limit';

-- name: run
SELECT run_id, name, note, saved_at, saved_by, pinned, content_revision, content_hash, run::text
FROM docgraph.saved_runs WHERE run_id = :'run_id';

-- name: baselines
SELECT baseline, content_hash, run::text
FROM docgraph.saved_run_baselines WHERE run_id = :'run_id' ORDER BY baseline;

-- name: reviews
SELECT kind, at, by, item, checked, text FROM docgraph.saved_run_reviews WHERE run_id = :'run_id' ORDER BY place;

-- name: state
SELECT state::text FROM docgraph.corpus_states WHERE workspace = :'workspace' AND revision = :'revision';

-- name: insert
INSERT INTO docgraph.saved_runs
  (run_id, workspace, name, note, query, saved_at, saved_by, pinned, content_hash, plan_id, corpus_revision,
   embedder_id, n_seeds, n_expanded, n_chunks, n_tokens, deleted_at, content_revision, said, run)
VALUES (:'run_id', :'workspace', :'name', :'note', :'query', :'saved_at', :'saved_by', :'pinned',
        :'content_hash', :'plan_id', :'corpus_revision', :'embedder_id', :'n_seeds', :'n_expanded', :'n_chunks',
        :'n_tokens', :'deleted_at', :'content_revision', :'said', :'run'::json)
ON CONFLICT (run_id) DO NOTHING;

-- name: lock
SELECT run_id FROM docgraph.saved_runs WHERE run_id = :'run_id' FOR UPDATE;

-- name: say
UPDATE docgraph.saved_runs
SET name = :'name', note = :'note', pinned = :'pinned', said = :'said', deleted_at = :'deleted_at',
    content_revision = :'content_revision'
WHERE run_id = :'run_id';

-- name: put_baseline
INSERT INTO docgraph.saved_run_baselines (run_id, baseline, content_hash, run)
VALUES (:'run_id', :'baseline', :'content_hash', :'run'::json)
ON CONFLICT (run_id, baseline) DO UPDATE SET content_hash = excluded.content_hash, run = excluded.run;

-- name: delete
DELETE FROM docgraph.saved_runs WHERE run_id = :'run_id';

-- name: delete_state
DELETE FROM docgraph.corpus_states s
WHERE workspace = :'workspace' AND revision = :'corpus_revision' AND NOT EXISTS (
  SELECT 1 FROM docgraph.saved_runs r WHERE r.workspace = s.workspace AND r.corpus_revision = s.revision);

-- name: add_review
INSERT INTO docgraph.saved_run_reviews (run_id, place, kind, at, by, item, checked, text)
SELECT :'run_id', COALESCE(max(place), 0) + 1, :'kind', :'at', :'by', :'item', :'checked', :'text'
FROM docgraph.saved_run_reviews WHERE run_id = :'run_id';

-- name: new_state
INSERT INTO docgraph.corpus_states (workspace, revision, state)
VALUES (:'workspace', :'revision', :'state'::json) ON CONFLICT (workspace, revision) DO NOTHING;

-- name: lock_state
SELECT state::text FROM docgraph.corpus_states WHERE workspace = :'workspace' AND revision = :'revision' FOR UPDATE;

-- name: set_state
UPDATE docgraph.corpus_states SET state = :'state'::json WHERE workspace = :'workspace' AND revision = :'revision';
