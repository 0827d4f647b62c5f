-- Rules, dismissals and contested relationships of a workspace, and the right to change them.

-- name: may_write
SELECT current_setting('transaction_read_only') = 'off'
  AND (SELECT bool_and(has_table_privilege(t, p)) FROM unnest(:'tables'::text[], :'rights'::text[]) AS needed (t, p));

-- name: rules
SELECT check_id, rule::text FROM docgraph.check_rules WHERE workspace = :'workspace' ORDER BY check_id;

-- name: no_rules
DELETE FROM docgraph.check_rules WHERE workspace = :'workspace';

-- name: set_rules
INSERT INTO docgraph.check_rules (workspace, check_id, rule)
SELECT :'workspace', * FROM unnest(:'check_ids'::text[], :'rules'::json[]);

-- name: dismissals
SELECT dismissal::text FROM docgraph.dismissals WHERE workspace = :'workspace' ORDER BY at DESC, subject_id;

-- name: dismiss
INSERT INTO docgraph.dismissals (workspace, subject_id, at, dismissal)
SELECT :'workspace', * FROM unnest(:'subject_ids'::text[], :'at'::text[], :'dismissals'::json[])
ON CONFLICT (workspace, subject_id) DO UPDATE SET at = excluded.at, dismissal = excluded.dismissal;

-- name: withdraw
DELETE FROM docgraph.dismissals WHERE workspace = :'workspace' AND subject_id = ANY(:'subject_ids'::text[]);

-- name: triage
SELECT entry::text FROM docgraph.triage WHERE workspace = :'workspace' AND entry IS NOT NULL ORDER BY entry_id;

-- name: last_triage
SELECT coalesce(max(entry_id), 0) FROM docgraph.triage WHERE workspace = :'workspace';

-- name: say_triage
INSERT INTO docgraph.triage (workspace, entry_id, entry)
SELECT :'workspace', * FROM unnest(:'entry_ids'::bigint[], :'entries'::json[]);

-- name: take_back_triage
UPDATE docgraph.triage SET entry = NULL
WHERE workspace = :'workspace' AND entry_id = ANY(:'entry_ids'::bigint[]) AND entry IS NOT NULL;

-- name: contested
-- In steps, as these tables may lie on different servers: only what is contested is looked for.
WITH c AS MATERIALIZED (SELECT * FROM docgraph.contested_relationships WHERE workspace = :'workspace'),
e AS MATERIALIZED (
  SELECT r.from_document_id, r.relation_type, r.to_document_id, r.relationship_metadata
  FROM :"schema".document_relationships r JOIN c USING (from_document_id, relation_type, to_document_id))
SELECT c.kind, c.relationship::text, c.entry_id, c.at, e.relationship_metadata
FROM c LEFT JOIN e USING (from_document_id, relation_type, to_document_id);
