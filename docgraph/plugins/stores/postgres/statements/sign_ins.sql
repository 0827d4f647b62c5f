-- Sign-ins: the hash of a token, whose it is, and whether it still counts; the token itself is kept nowhere.

-- name: begin
INSERT INTO docgraph.sign_ins (sign_in_id, name, subject, role, claims, browser, created, last_seen, expires, ended_at,
                               ended_by)
VALUES (:'sign_in_id', :'name', :'subject', :'role', :'claims', :'browser', :'created', :'last_seen', :'expires',
        :'ended_at', :'ended_by')
ON CONFLICT (sign_in_id) DO NOTHING;

-- name: forget
DELETE FROM docgraph.sign_ins WHERE expires < :'before';

-- name: of_ids
SELECT sign_in_id, name, subject, role, claims, browser, created, last_seen, expires, ended_at, ended_by
FROM docgraph.sign_ins WHERE sign_in_id = ANY(:'ids'::text[]);

-- name: open
SELECT sign_in_id, name, subject, role, claims, browser, created, last_seen, expires, ended_at, ended_by
FROM docgraph.sign_ins WHERE ended_at = '' AND expires > :'at';

-- name: are_shown
SELECT has_table_privilege(typrelid, 'INSERT') FROM pg_type WHERE oid = pg_typeof(NULL::docgraph.sign_ins);

-- name: give_role
UPDATE docgraph.sign_ins SET role = :'role' WHERE sign_in_id = :'sign_in_id' AND role <> :'role' AND ended_at = '';

-- name: saw
UPDATE docgraph.sign_ins SET last_seen = :'at' WHERE sign_in_id = :'sign_in_id' AND ended_at = '';

-- name: end
UPDATE docgraph.sign_ins SET ended_at = :'at', ended_by = :'by'
WHERE sign_in_id = ANY(:'ids'::text[]) AND ended_at = ''
RETURNING sign_in_id, name, subject, role, claims, browser, created, last_seen, expires, ended_at, ended_by;
