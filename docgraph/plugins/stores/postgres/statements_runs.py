"""The statements for saved runs, in the schema ``docgraph``; every value is bound.

A run is kept as the text that was written (``json``, not ``jsonb``), so that its hash can be checked when it is read.
"""

from __future__ import annotations

APPROVED_BY = """
COALESCE((SELECT CASE v.kind WHEN 'approved' THEN COALESCE(NULLIF(v.by, ''), 'somebody') ELSE '' END
  FROM docgraph.saved_run_reviews v WHERE v.run_id = r.run_id AND v.kind IN ('approved', 'withdrawn')
  ORDER BY v.place DESC LIMIT 1), '')"""

SUMMARY = (
    "run_id, workspace, name, note, query, saved_at, saved_by, pinned, content_hash, plan_id, corpus_revision, "
    "embedder_id, n_seeds, n_expanded, n_chunks, n_tokens, deleted_at"
)

# ---------------------------------------------------------------- reading

MATCHING = """
SELECT run_id FROM docgraph.saved_runs
WHERE run_id LIKE %(prefix)s || '%%' AND (deleted_at = '' OR %(deleted)s) ORDER BY run_id"""

SUMMARY_OF = f"SELECT {SUMMARY}, {APPROVED_BY} FROM docgraph.saved_runs r WHERE run_id = %(run_id)s"

FIND = f"""
SELECT {SUMMARY}, {APPROVED_BY}
FROM docgraph.saved_runs r
WHERE (deleted_at <> '') = %(deleted)s AND (%(workspace)s::text IS NULL OR workspace = %(workspace)s)
  AND strpos(said, %(text)s) > 0
ORDER BY pinned DESC, saved_at DESC, run_id LIMIT %(limit)s"""

RUN = """
SELECT run_id, name, note, saved_at, saved_by, pinned, content_hash, run::text
FROM docgraph.saved_runs WHERE run_id = %(run_id)s"""

BASELINES = """
SELECT baseline, content_hash, run::text
FROM docgraph.saved_run_baselines WHERE run_id = %(run_id)s ORDER BY baseline"""

REVIEWS = """
SELECT kind, at, by, item, checked, text FROM docgraph.saved_run_reviews WHERE run_id = %(run_id)s ORDER BY place"""

STATE = "SELECT state::text FROM docgraph.corpus_states WHERE workspace = %(workspace)s AND revision = %(revision)s"

# ---------------------------------------------------------------- writing

INSERT = f"""
INSERT INTO docgraph.saved_runs ({SUMMARY}, said, run)
VALUES (%(run_id)s, %(workspace)s, %(name)s, %(note)s, %(query)s, %(saved_at)s, %(saved_by)s, %(pinned)s,
        %(content_hash)s, %(plan_id)s, %(corpus_revision)s, %(embedder_id)s, %(n_seeds)s, %(n_expanded)s, %(n_chunks)s,
        %(n_tokens)s, %(deleted_at)s, %(said)s, %(run)s::json)
ON CONFLICT (run_id) DO NOTHING"""

LOCK = "SELECT run_id FROM docgraph.saved_runs WHERE run_id = %(run_id)s FOR UPDATE"

SAY = """
UPDATE docgraph.saved_runs
SET name = %(name)s, note = %(note)s, pinned = %(pinned)s, said = %(said)s, deleted_at = %(deleted_at)s
WHERE run_id = %(run_id)s"""

PUT_BASELINE = """
INSERT INTO docgraph.saved_run_baselines (run_id, baseline, content_hash, run)
VALUES (%(run_id)s, %(baseline)s, %(content_hash)s, %(run)s::json)
ON CONFLICT (run_id, baseline) DO UPDATE SET content_hash = excluded.content_hash, run = excluded.run"""

DELETE = "DELETE FROM docgraph.saved_runs WHERE run_id = %(run_id)s"

DELETE_STATE = """
DELETE FROM docgraph.corpus_states s
WHERE workspace = %(workspace)s AND revision = %(corpus_revision)s AND NOT EXISTS (
  SELECT 1 FROM docgraph.saved_runs r WHERE r.workspace = s.workspace AND r.corpus_revision = s.revision)"""

ADD_REVIEW = """
INSERT INTO docgraph.saved_run_reviews (run_id, place, kind, at, by, item, checked, text)
SELECT %(run_id)s, COALESCE(max(place), 0) + 1, %(kind)s, %(at)s, %(by)s, %(item)s, %(checked)s, %(text)s
FROM docgraph.saved_run_reviews WHERE run_id = %(run_id)s"""

NEW_STATE = """
INSERT INTO docgraph.corpus_states (workspace, revision, state)
VALUES (%(workspace)s, %(revision)s, %(state)s::json) ON CONFLICT (workspace, revision) DO NOTHING"""

LOCK_STATE = STATE + " FOR UPDATE"

SET_STATE = """
UPDATE docgraph.corpus_states SET state = %(state)s::json WHERE workspace = %(workspace)s AND revision = %(revision)s"""
