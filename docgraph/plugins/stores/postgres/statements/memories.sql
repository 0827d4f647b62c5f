-- Conversation memory of a workspace, and how its scores become confidences.

-- name: last_turn
SELECT COALESCE(max(turn), 0) FROM :"schema".memories;

-- name: put
INSERT INTO :"schema".memories (memory_id, conversation_id, turn, role, text, metadata, at, embedding)
VALUES (:'memory_id', :'conversation_id', :'turn', :'role', :'text', :'metadata', :'at', :'embedding')
ON CONFLICT (memory_id) DO UPDATE SET (conversation_id, turn, role, text, metadata, at, embedding) =
  (excluded.conversation_id, excluded.turn, excluded.role, excluded.text, excluded.metadata, excluded.at,
   excluded.embedding);

-- name: drop_of_conversations
WITH last AS MATERIALIZED (
  SELECT conversation_id, turn
  FROM (
    SELECT conversation_id, turn, row_number() OVER (PARTITION BY conversation_id ORDER BY turn DESC) AS place
    FROM :"schema".memories WHERE conversation_id = ANY(:'conversations'::text[])) ranked
  WHERE place = :'kept' + 1)
DELETE FROM :"schema".memories m USING last
WHERE m.conversation_id = last.conversation_id AND m.turn <= last.turn RETURNING memory_id;

-- name: drop_of_workspace
DELETE FROM :"schema".memories
WHERE turn <= (SELECT turn FROM :"schema".memories ORDER BY turn DESC OFFSET :'kept' LIMIT 1) RETURNING memory_id;

-- name: recall
WITH question AS MATERIALIZED (
  SELECT string_agg('''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || '''', ' | ')::tsquery AS query
  FROM unnest(tsvector_to_array(to_tsvector('pg_catalog.english', left(:'text', :max_question)))) AS lexeme),
near AS MATERIALIZED (
  SELECT memory_id, COALESCE(NULLIF(cosine_distance(embedding, :'vector'::vector), 'NaN'), 1) AS distance
  FROM :"schema".memories/*inside*/
  ORDER BY distance, turn DESC LIMIT :'depth'),
worded AS MATERIALIZED (
  SELECT memory_id, ts_rank_cd(words, query) AS rank FROM question JOIN :"schema".memories ON words @@ query/*inside*/
  ORDER BY rank DESC, turn DESC LIMIT :'depth')
SELECT memory_id, conversation_id, turn, role, text, metadata, at,
       1 - COALESCE(NULLIF(cosine_distance(embedding, :'vector'::vector), 'NaN'), 1),
       COALESCE(ts_rank_cd(words, query), 0)
FROM :"schema".memories CROSS JOIN question
WHERE memory_id IN (SELECT memory_id FROM near UNION SELECT memory_id FROM worded);

-- part: inside
WHERE conversation_id = :'conversation'

-- name: list
SELECT memory_id, conversation_id, turn, role, text, metadata, at FROM :"schema".memories
WHERE (:'conversation'::text IS NULL OR conversation_id = :'conversation')
  AND (:'before'::bigint IS NULL OR turn < :'before')
ORDER BY turn DESC LIMIT :'limit';

-- name: forget
DELETE FROM :"schema".memories
WHERE (:'conversation'::text IS NULL OR conversation_id = :'conversation')
  AND (:'ids'::text[] IS NULL OR memory_id = ANY(:'ids'::text[]));

-- name: calibrations
SELECT calibration::text FROM docgraph.calibrations WHERE workspace = :'workspace' ORDER BY embedder_id, score_kind;

-- name: set_calibration
INSERT INTO docgraph.calibrations (workspace, embedder_id, score_kind, calibration)
VALUES (:'workspace', :'embedder_id', :'score_kind', :'calibration')
ON CONFLICT (workspace, embedder_id, score_kind) DO UPDATE SET calibration = excluded.calibration;

-- name: no_calibrations
DELETE FROM docgraph.calibrations WHERE workspace = :'workspace';
