-- Edits of relationships and the entries that they make, inside one transaction.

-- name: delete_edge
DELETE FROM :"schema".document_relationships
WHERE from_document_id = :'from' AND relation_type = :'type' AND to_document_id = :'to'
RETURNING fingerprint, relationship_metadata;

-- name: is_there
SELECT EXISTS (SELECT 1 FROM :"schema".document_nodes WHERE document_id = :'start'), EXISTS (
  SELECT 1 FROM :"schema".document_relationships
  WHERE from_document_id = :'from' AND relation_type = :'type' AND to_document_id = :'to');

-- name: next_entry
SELECT COALESCE(max(entry_id), 0) + 1 FROM docgraph.relationship_history WHERE workspace = :'workspace';

-- name: undone_by
SELECT h.entry_id, u.entry_id FROM docgraph.relationship_history h
LEFT JOIN docgraph.relationship_history u ON u.workspace = h.workspace AND u.undoes = h.entry_id
WHERE h.workspace = :'workspace' AND h.entry_id = ANY(:'entry_ids'::bigint[]);

-- name: insert
INSERT INTO docgraph.relationship_history
  (workspace, entry_id, act, at, by, reason, edit, before, after, undoes, keys, document_ids)
VALUES (:'workspace', :'entry_id', :'act', :'at', :'by', :'reason', :'edit'::json, :'before'::json,
        :'after'::json, :'undoes', :'keys'::text[], :'document_ids'::text[]);

-- name: find
SELECT h.entry_id, h.act, h.at, h.by, h.reason, h.edit::text, h.before::text, h.after::text, h.undoes, u.entry_id
FROM docgraph.relationship_history h
LEFT JOIN docgraph.relationship_history u ON u.workspace = h.workspace AND u.undoes = h.entry_id
WHERE h.workspace = :'workspace' AND h.entry_id < :'before'/*and*/
ORDER BY h.entry_id DESC LIMIT :'limit';

-- part: of_key
AND h.keys @> ARRAY[:'key'::text]

-- part: of_document
AND h.document_ids @> ARRAY[:'document_id'::text]
