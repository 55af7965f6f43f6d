-- What every SQL store asks in the same words: sessions and jobs. What differs is beside each store.

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
-- Names no tenant: what is over is over for all.
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
   AND (CAST(:session_id AS text) IS NULL OR session_id = :session_id);

-- name: replace_job
UPDATE jobs
   SET payload = :payload, state = :state, attempts = :attempts, updated_at = :updated_at,
       due_at = :due_at, holder = :holder, lease_until = :lease_until, result = :result,
       reason = :reason
 WHERE tenant = :tenant AND id = :id;

-- name: count_jobs
SELECT kind, state, count(*) FROM jobs GROUP BY kind, state;

-- name: expire_jobs
DELETE FROM jobs WHERE state = 'done' AND updated_at < :before;
