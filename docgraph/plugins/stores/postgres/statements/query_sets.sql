-- Query sets and evaluations by the name of their workspace; what is written is kept as its text (json).

-- name: keep_set
INSERT INTO docgraph.query_sets (workspace, name, n, n_judged, fingerprint, note, by, at, query_set)
VALUES (:'workspace', :'name', :'n', :'n_judged', :'fingerprint', :'note', :'by', :'at', :'query_set'::json)
ON CONFLICT (workspace, name) DO UPDATE SET n = excluded.n, n_judged = excluded.n_judged,
  fingerprint = excluded.fingerprint, note = excluded.note, by = excluded.by, at = excluded.at,
  query_set = excluded.query_set;

-- name: sets
SELECT name, note, by, at, n, n_judged, fingerprint,
       (SELECT count(*) FROM docgraph.evaluations e WHERE e.workspace = s.workspace AND e.query_set = s.name)
FROM docgraph.query_sets s WHERE workspace = :'workspace' ORDER BY name;

-- name: set
SELECT name, note, by, at, query_set::text FROM docgraph.query_sets
WHERE workspace = :'workspace' AND name = :'name';

-- name: lock_set
SELECT name FROM docgraph.query_sets WHERE workspace = :'workspace' AND name = :'name' FOR UPDATE;

-- name: remove_set
DELETE FROM docgraph.query_sets WHERE workspace = :'workspace' AND name = :'name';

-- name: remove_evaluations
DELETE FROM docgraph.evaluations WHERE workspace = :'workspace' AND query_set = :'name';

-- name: begin
INSERT INTO docgraph.evaluations (workspace, evaluation_id, query_set, at, pinned, summary, beside, questions)
VALUES (:'workspace', :'evaluation_id', :'query_set', :'at', :'pinned', :'summary'::json, :'beside'::json,
        :'questions'::json)
ON CONFLICT (workspace, evaluation_id) DO NOTHING;

-- name: evaluations
SELECT workspace, pinned, summary::text,
       (SELECT count(*) FROM docgraph.evaluation_outcomes o
        WHERE o.workspace = e.workspace AND o.evaluation_id = e.evaluation_id)
FROM docgraph.evaluations e
WHERE workspace = :'workspace' AND (:'name'::text IS NULL OR query_set = :'name')
ORDER BY at DESC, evaluation_id DESC;

-- name: evaluation
SELECT workspace, pinned, summary::text,
       (SELECT count(*) FROM docgraph.evaluation_outcomes o
        WHERE o.workspace = e.workspace AND o.evaluation_id = e.evaluation_id),
       beside::text, questions::text
FROM docgraph.evaluations e WHERE workspace = :'workspace' AND evaluation_id = :'evaluation_id';

-- name: outcomes
SELECT place, outcome::text FROM docgraph.evaluation_outcomes
WHERE workspace = :'workspace' AND evaluation_id = :'evaluation_id' AND place > :'after'
ORDER BY place LIMIT :'limit';

-- name: add
INSERT INTO docgraph.evaluation_outcomes (workspace, evaluation_id, place, outcome)
SELECT workspace, evaluation_id, :'place', :'outcome'::json FROM docgraph.evaluations
WHERE workspace = :'workspace' AND evaluation_id = :'evaluation_id'
ON CONFLICT (workspace, evaluation_id, place) DO NOTHING;

-- name: sum_up
UPDATE docgraph.evaluations SET summary = :'summary'::json, beside = :'beside'::json, questions = :'questions'::json
WHERE workspace = :'workspace' AND evaluation_id = :'evaluation_id';

-- name: pin
UPDATE docgraph.evaluations SET pinned = :'pinned'
WHERE workspace = :'workspace' AND evaluation_id = :'evaluation_id';

-- name: remove
DELETE FROM docgraph.evaluations WHERE workspace = :'workspace' AND evaluation_id = :'evaluation_id';
