-- What people decided about relationships, and what of it an import contests.

-- name: about_keys
-- One lookup in an index for each key (or document, below): of one condition over all of them (&&) the planner makes a
-- look at every entry. An entry that several of them found comes several times.
SELECT h.entry_id, h.act, h.at, h.by, h.reason, h.edit::text, h.before::text, h.after::text, h.undoes, u.entry_id
FROM (
  SELECT h.* FROM unnest(:'wanted'::text[]) AS wanted (value), LATERAL (
    SELECT * FROM docgraph.relationship_history
    WHERE keys @> ARRAY[wanted.value] AND workspace = :'workspace') AS h) AS h
LEFT JOIN docgraph.relationship_history u ON u.workspace = h.workspace AND u.undoes = h.entry_id;

-- name: at_documents
SELECT h.entry_id, h.undoes, u.entry_id,
       h.before->>'from_document_id', h.before->>'relation_type', h.before->>'to_document_id',
       h.after->>'from_document_id', h.after->>'relation_type', h.after->>'to_document_id'
FROM (
  SELECT h.* FROM unnest(:'wanted'::text[]) AS wanted (value), LATERAL (
    SELECT * FROM docgraph.relationship_history
    WHERE document_ids @> ARRAY[wanted.value] AND workspace = :'workspace') AS h) AS h
LEFT JOIN docgraph.relationship_history u ON u.workspace = h.workspace AND u.undoes = h.entry_id;

-- name: forget_contested
DELETE FROM docgraph.contested_relationships WHERE workspace = :'workspace' AND from_document_id = ANY(:'ids'::text[]);

-- name: forget_contested_keys
DELETE FROM docgraph.contested_relationships c
USING unnest(:'from'::text[], :'type'::text[], :'to'::text[]) AS k (f, t, d)
WHERE c.workspace = :'workspace' AND c.from_document_id = k.f AND c.relation_type = k.t AND c.to_document_id = k.d;

-- name: put_contested
INSERT INTO docgraph.contested_relationships
  (workspace, from_document_id, relation_type, to_document_id, kind, relationship, entry_id, at)
SELECT :'workspace', * FROM unnest(
  :'from'::text[], :'type'::text[], :'to'::text[], :'kind'::text[], :'relationship'::json[], :'entry_id'::bigint[],
  :'at'::text[]);
