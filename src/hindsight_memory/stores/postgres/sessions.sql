-- name: session
SELECT tenant, user_id, session_id, document, version, updated_at, expires_at FROM sessions
 WHERE tenant = :tenant AND user_id = :user_id AND session_id = :session_id
   AND expires_at > :now;

-- name: sessions_of_user
SELECT tenant, user_id, session_id, document, version, updated_at, expires_at FROM sessions
 WHERE tenant = :tenant AND user_id = :user_id AND session_id > :after
   AND expires_at > :now
 ORDER BY session_id
 LIMIT :limit;

-- name: end_of_session
-- Of every tenant that the transaction may see.
DELETE FROM sessions WHERE expires_at <= :now;

-- name: insert_session
INSERT INTO sessions (tenant, user_id, session_id, document, version, updated_at, expires_at)
VALUES (:tenant, :user_id, :session_id, :document, 1, :updated_at, :expires_at)
ON CONFLICT DO NOTHING;

-- name: replace_session
UPDATE sessions
   SET document = :document, version = :version, updated_at = :updated_at,
       expires_at = :expires_at
 WHERE tenant = :tenant AND user_id = :user_id AND session_id = :session_id
   AND version = :version - 1;

-- name: delete_session
DELETE FROM sessions
 WHERE tenant = :tenant AND user_id = :user_id
   AND (:session_id::text IS NULL OR session_id = :session_id);
