-- What every SQL store asks in the same words: memories, and what is kept of them. What differs is beside each store.

-- name: page
SELECT /* use: columns */ FROM memories m
 WHERE /* wanted */
   AND (CAST(:before AS text) IS NULL OR m.id < :before)
 ORDER BY m.id DESC
 LIMIT :limit;

-- name: users
SELECT user_id FROM scopes WHERE tenant = :tenant AND user_id > :after
 ORDER BY user_id
 LIMIT :limit;

-- name: new_scope
INSERT INTO scopes (tenant, user_id) VALUES (:tenant, :user_id)
ON CONFLICT DO NOTHING;

-- name: sessions
-- In any state: that an episode was forgotten is a change of its session, too.
SELECT m.session_id, count(*), max(m.id), max(m.updated_at) FROM memories m
 WHERE m.tenant = :tenant AND m.user_id = :user_id
   AND (CAST(:agent_id AS text) IS NULL OR m.visibility = 'user' OR m.agent_id = :agent_id)
   AND m.session_id <> '' AND m.session_id > :after AND m.layer = 'episodic'
 GROUP BY m.session_id
 ORDER BY m.session_id
 LIMIT :limit;

-- name: injected
SELECT user_id, session_id, memory_id, digest, at FROM injections
 WHERE tenant = :tenant AND user_id = :user_id AND session_id = :session_id
 ORDER BY memory_id, digest;

-- name: insert_injection
INSERT INTO injections (tenant, user_id, session_id, memory_id, digest, at)
VALUES (:tenant, :user_id, :session_id, :memory_id, :digest, :at)
ON CONFLICT DO NOTHING;

-- name: insert_support
INSERT INTO supports (tenant, supporter_id, seq) VALUES (:tenant, :supporter_id, :seq)
ON CONFLICT DO NOTHING;

-- name: delete_supports
DELETE FROM supports WHERE seq = :seq;

-- name: rejected
SELECT key, user_id, memory_id, trust, at FROM rejections
 WHERE tenant = :tenant AND (user_id, key) > (:user_id, :key)
 ORDER BY user_id, key
 LIMIT :limit;

-- name: insert_rejection
INSERT INTO rejections (tenant, user_id, key, memory_id, trust, at)
VALUES (:tenant, :user_id, :key, :memory_id, :trust, :at)
ON CONFLICT (tenant, user_id, key) DO UPDATE
   SET memory_id = excluded.memory_id, trust = excluded.trust, at = excluded.at;

-- name: delete_rejection
DELETE FROM rejections WHERE tenant = :tenant AND user_id = :user_id AND key = :key;

-- name: insert_key
INSERT INTO keys (tenant, user_id, key, seq) VALUES (:tenant, :user_id, :key, :seq)
ON CONFLICT DO NOTHING;

-- name: delete_keys
DELETE FROM keys WHERE seq = :seq;

-- name: same_content
SELECT /* use: columns */ FROM memories m
 WHERE m.tenant = :tenant AND m.user_id = :user_id AND m.identity = :identity
   AND m.retired_at IS NULL AND m.deleted_at IS NULL;

-- name: history
SELECT r.memory_id, r.version, r.at, r.actor, r.operation, r.reason, r.before
  FROM revisions r JOIN memories m ON m.id = r.memory_id
 WHERE r.tenant = :tenant AND r.memory_id = :id AND /* use: visible */
 ORDER BY r.version;

-- name: receipt
SELECT key, user_id, request_digest, outcome, reason, memory_id FROM receipts
 WHERE tenant = :tenant AND user_id = :user_id AND key = :key;

-- name: new_model
INSERT INTO models (fingerprint) VALUES (:fingerprint) ON CONFLICT DO NOTHING;

-- name: old_version
SELECT /* use: columns */, m.seq, m.salt FROM memories m WHERE m.id = :id AND m.tenant = :tenant;

-- name: count_terms
UPDATE scopes SET documents = documents + :documents, terms = terms + :terms
 WHERE tenant = :tenant AND user_id = :user_id;

-- name: of_content
-- Only if the content is still the one that the vectors were made from, and wants any.
SELECT seq, user_id FROM memories
 WHERE id = :id AND tenant = :tenant AND content = :content AND tier <> 'archived';

-- name: insert_revision
INSERT INTO revisions (memory_id, version, tenant, at, actor, operation, reason, before)
VALUES (:id, :version, :tenant, :at, :actor, :operation, :reason, :before);

-- name: last_hash
SELECT hash FROM audit WHERE tenant = :tenant ORDER BY entry DESC LIMIT 1;

-- name: insert_audit
INSERT INTO audit (tenant, at, actor, operation, memory_id, version, seal, hash)
VALUES (:tenant, :at, :actor, :operation, :id, :version, :seal, :hash);

-- name: set_salt
UPDATE memories SET salt = :salt WHERE id = :id AND tenant = :tenant;

-- name: reason_of
SELECT reason FROM revisions WHERE memory_id = :id AND tenant = :tenant AND version = :version;

-- name: insert_receipt
INSERT INTO receipts (tenant, user_id, key, request_digest, outcome, reason, memory_id)
VALUES (:tenant, :user_id, :key, :request_digest, :outcome, :reason, :memory_id);

-- name: drop_other_models
DELETE FROM vectors
 WHERE model IN (SELECT model FROM models WHERE fingerprint <> :fingerprint);
