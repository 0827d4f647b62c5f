-- Imports: a row each; its state stands in it, or in the newest row before it that has one.

-- name: number
SELECT COALESCE(max(import_id), 0) + 1 FROM docgraph.imports WHERE workspace = :'workspace';

-- name: keep
INSERT INTO docgraph.imports (workspace, import_id, summary, state)
VALUES (:'workspace', :'import_id'::bigint, :'summary', :'state'::bytea);

-- name: oldest
-- The oldest row that stays, and whether it has a state of its own.
SELECT import_id, state IS NULL FROM docgraph.imports WHERE workspace = :'workspace'
ORDER BY import_id DESC OFFSET :'keep'::bigint - 1 LIMIT 1;

-- name: hand_on
-- What goes gives its state to the oldest row that stays without one.
UPDATE docgraph.imports SET state = (
  SELECT state FROM docgraph.imports
  WHERE workspace = :'workspace' AND import_id < :'import_id'::bigint AND state IS NOT NULL
  ORDER BY import_id DESC LIMIT 1)
WHERE workspace = :'workspace' AND import_id = :'import_id'::bigint;

-- name: drop_before
DELETE FROM docgraph.imports WHERE workspace = :'workspace' AND import_id < :'import_id'::bigint;

-- name: imports
SELECT summary::text FROM docgraph.imports WHERE workspace = :'workspace' ORDER BY import_id DESC;

-- name: state
SELECT state FROM docgraph.imports
WHERE workspace = :'workspace' AND import_id <= :'import_id'::bigint AND state IS NOT NULL
ORDER BY import_id DESC LIMIT 1;
