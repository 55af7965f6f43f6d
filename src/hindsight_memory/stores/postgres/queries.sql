-- name: columns
m.id, m.tenant, m.user_id, m.agent_id, m.project, m.session_id, m.visibility, m.content, m.layer,
m.memory_type, m.scene, to_json(m.tags)::text, m.metadata, to_json(m.related_ids)::text, m.event,
m.subject, m.status, m.source, m.trust, m.confidence, m.importance, to_json(m.evidence)::text,
to_json(m.counter_examples)::text, m.superseded_by, m.supersedes, m.valid_from, m.valid_to,
m.created_at, m.updated_at, m.retired_at, m.last_accessed_at, m.access_count, m.used_count, m.heat,
m.tier, m.expires_at, m.deleted_at, m.version

-- name: ids
ARRAY(SELECT json_array_elements_text(:ids::json))

-- name: seqs
ARRAY(SELECT json_array_elements_text(:seqs::json)::bigint)

-- name: visible
m.tenant = :tenant AND (:user_id::text IS NULL OR m.user_id = :user_id)
   AND (:agent_id::text IS NULL OR m.visibility = 'user' OR m.agent_id = :agent_id)

-- name: in_tenant
-- This and the next ones are the conditions of core.filters, one each: stores.filtering puts those
-- that are asked where a query says "wanted".
m.tenant = :tenant

-- name: of_user
m.user_id = :user_id

-- name: seen_by_agent
(m.visibility = 'user' OR m.agent_id = :agent_id)

-- name: in_tiers
m.tier = ANY (ARRAY(SELECT json_array_elements_text(:tiers::json)))

-- name: forgotten
m.deleted_at IS NOT NULL

-- name: not_forgotten
m.deleted_at IS NULL

-- name: not_superseded
m.retired_at IS NULL

-- name: current_then
-- Comparisons with an absent time are never true, and that is not the same as false. Of what was
-- changed since, the history tells.
coalesce(m.retired_at IS NULL OR greatest(m.retired_at, m.updated_at) > :known_at::timestamptz
         OR m.valid_to > :as_of::timestamptz, false)

-- name: held_then
m.happened_at <= :as_of
AND (m.valid_to IS NULL OR m.valid_to > :as_of
     OR greatest(m.retired_at, m.updated_at) > :known_at::timestamptz)

-- name: known_then
m.created_at <= :known_at

-- name: of_project
m.project IN ('', :project)

-- name: in_session
m.session_id = :session_id

-- name: in_some_session
-- Lets the planner use memories_by_session, which has no others.
m.session_id <> ''

-- name: of_types
m.memory_type = ANY (ARRAY(SELECT json_array_elements_text(:memory_types::json)))

-- name: of_statuses
m.status = ANY (ARRAY(SELECT json_array_elements_text(:statuses::json)))

-- name: in_layers
m.layer = ANY (ARRAY(SELECT json_array_elements_text(:layers::json)))

-- name: happened_since
m.happened_at >= :since

-- name: happened_until
m.happened_at < :until

-- name: tentative_of_agent
(m.status <> 'tentative' OR m.agent_id = :tentative_of)

-- name: has_tag
(:tag::json #>> '{}') = ANY (m.tags)

-- name: get
SELECT /* use: columns */ FROM memories m
 WHERE m.id = ANY (/* use: ids */) AND /* use: visible */;

-- name: page
SELECT /* use: columns */ FROM memories m
 WHERE /* wanted */
   AND (:before::text IS NULL OR m.id < :before)
 ORDER BY m.id DESC
 LIMIT :limit;

-- name: every
SELECT /* use: columns */ FROM memories m
 WHERE m.tenant = :tenant AND m.id > :after
 ORDER BY m.id
 LIMIT :limit;

-- name: scope
SELECT scope, documents, terms FROM scopes WHERE tenant = :tenant AND user_id = :user_id;

-- name: users
SELECT user_id FROM scopes WHERE tenant = :tenant AND user_id > :after
 ORDER BY user_id
 LIMIT :limit;

-- name: new_scope
INSERT INTO scopes (tenant, user_id) VALUES (:tenant, :user_id)
ON CONFLICT DO NOTHING;

-- name: hold_users
-- In one order, or two writers wait for each other. From here on each statement sees what those who
-- held the rows before have committed.
INSERT INTO scopes (tenant, user_id, written)
SELECT :tenant, u.user_id, 1
  FROM (SELECT json_array_elements_text(:users::json) COLLATE "C" AS user_id
        UNION SELECT m.user_id FROM memories m WHERE m.tenant = :tenant AND m.id = ANY (/* use: ids */)) AS u
 ORDER BY u.user_id
ON CONFLICT (tenant, user_id) DO UPDATE SET written = scopes.written + 1
RETURNING user_id, scope;

-- name: sessions
-- In any state: that an episode was forgotten is a change of its session, too.
SELECT m.session_id, count(*), max(m.id), max(m.updated_at) FROM memories m
 WHERE m.tenant = :tenant AND m.user_id = :user_id
   AND (:agent_id::text IS NULL OR m.visibility = 'user' OR m.agent_id = :agent_id)
   AND m.session_id <> '' AND m.session_id > :after AND m.layer = 'episodic'
 GROUP BY m.session_id
 ORDER BY m.session_id
 LIMIT :limit;

-- name: calls
SELECT /* use: columns */ FROM memories m
 WHERE /* wanted */ AND m.tool = :tool
 ORDER BY m.id DESC
 LIMIT :limit;

-- name: injected
SELECT user_id, session_id, memory_id, digest, at FROM injections
 WHERE tenant = :tenant AND user_id = :user_id AND session_id = :session_id
 ORDER BY memory_id, digest;

-- name: insert_injection
INSERT INTO injections (tenant, user_id, session_id, memory_id, digest, at)
VALUES (:tenant, :user_id, :session_id, :memory_id, :digest, :at)
ON CONFLICT DO NOTHING;

-- name: purge_injections
DELETE FROM injections WHERE tenant = :tenant AND memory_id = ANY (/* use: ids */);

-- name: kin
-- The newest of each key: those that share one with many are not lost among these.
SELECT /* use: columns */ FROM memories m
 WHERE m.tenant = :tenant AND m.seq IN (
    SELECT near.seq
      FROM json_array_elements_text(:keys::json) AS given (key) CROSS JOIN LATERAL (
            SELECT m.seq FROM keys k JOIN memories m ON m.seq = k.seq
             WHERE k.tenant = :tenant AND k.user_id = :user_id AND k.key = given.key
               AND /* wanted */ AND m.project = :exact_project AND m.id <> :id
             ORDER BY k.seq DESC
             LIMIT :limit) AS near)
 ORDER BY m.id DESC;

-- name: dependants
SELECT /* use: columns */ FROM memories m
 WHERE /* wanted */
   AND m.seq IN (SELECT seq FROM supports
                  WHERE tenant = :tenant AND supporter_id = ANY (/* use: ids */))
 ORDER BY m.id;

-- name: insert_support
INSERT INTO supports (tenant, supporter_id, seq) VALUES (:tenant, :supporter_id, :seq)
ON CONFLICT DO NOTHING;

-- name: delete_supports
DELETE FROM supports WHERE seq = :seq;

-- name: rejections
SELECT key, user_id, memory_id, trust, at FROM rejections
 WHERE tenant = :tenant AND user_id = :user_id
   AND key = ANY (ARRAY(SELECT json_array_elements_text(:keys::json)));

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

-- name: mark
SELECT coalesce(max(written), 0) FROM scopes WHERE tenant = :tenant AND user_id = :user_id;

-- name: overtaken
SELECT 1 FROM keys k JOIN memories m ON m.seq = k.seq
 WHERE k.tenant = :tenant AND k.user_id = :user_id AND m.written > :seen
   AND k.key = ANY (ARRAY(SELECT json_array_elements_text(:keys::json)))
 LIMIT 1;

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

-- name: recall
SELECT id, tenant, user_id, at, to_json(hit_ids)::text, to_json(used_ids)::text, helped FROM recalls
 WHERE tenant = :tenant AND id = :id;

-- name: old_version
SELECT /* use: columns */, m.seq, m.salt FROM memories m WHERE m.id = :id AND m.tenant = :tenant;

-- name: insert
WITH new AS (
    INSERT INTO memories (
        id, tenant, user_id, agent_id, project, session_id, visibility, content, layer, memory_type,
        scene, tags, metadata, related_ids, event, tool, subject, status, source, trust, confidence,
        importance, evidence, counter_examples, superseded_by, supersedes, valid_from, valid_to,
        created_at, updated_at, retired_at, last_accessed_at, access_count, used_count, heat, tier,
        expires_at, deleted_at, version, happened_at, identity, salt, written)
    VALUES (
        :id, :tenant, :user_id, :agent_id, :project, :session_id, :visibility, :content, :layer,
        :memory_type, :scene, ARRAY(SELECT json_array_elements_text(:tags::json)), :metadata,
        ARRAY(SELECT json_array_elements_text(:related_ids::json)), :event, :tool, :subject,
        :status, :source, :trust, :confidence, :importance,
        ARRAY(SELECT json_array_elements_text(:evidence::json)),
        ARRAY(SELECT json_array_elements_text(:counter_examples::json)), :superseded_by,
        :supersedes, :valid_from, :valid_to, :created_at, :updated_at, :retired_at,
        :last_accessed_at, :access_count, :used_count, :heat, :tier, :expires_at, :deleted_at,
        :version, :happened_at, :identity, :salt,
        (SELECT written FROM scopes WHERE tenant = :tenant AND user_id = :user_id))
    RETURNING seq, tenant, tier
), waiting AS (
    INSERT INTO unembedded (seq, tenant, missing)
    SELECT seq, tenant, 1 FROM new WHERE tier <> 'archived'
)
SELECT seq FROM new;

-- name: replace
WITH old AS (
    SELECT seq, tenant, content, tier FROM memories
     WHERE id = :id AND tenant = :tenant AND user_id = :user_id AND version = :version - 1
       FOR UPDATE
), new AS (
    UPDATE memories m
       SET agent_id = :agent_id, project = :project, session_id = :session_id,
           visibility = :visibility, content = :content, layer = :layer,
           memory_type = :memory_type, scene = :scene,
           tags = ARRAY(SELECT json_array_elements_text(:tags::json)), metadata = :metadata,
           related_ids = ARRAY(SELECT json_array_elements_text(:related_ids::json)),
           event = :event, tool = :tool, subject = :subject, status = :status, source = :source,
           trust = :trust, confidence = :confidence, importance = :importance,
           evidence = ARRAY(SELECT json_array_elements_text(:evidence::json)),
           counter_examples = ARRAY(SELECT json_array_elements_text(:counter_examples::json)),
           superseded_by = :superseded_by, supersedes = :supersedes, valid_from = :valid_from,
           valid_to = :valid_to, created_at = :created_at, updated_at = :updated_at,
           retired_at = :retired_at, last_accessed_at = :last_accessed_at,
           access_count = :access_count, used_count = :used_count, heat = :heat, tier = :tier,
           expires_at = :expires_at, deleted_at = :deleted_at, version = :version,
           happened_at = :happened_at, identity = :identity, salt = :salt
      FROM old WHERE m.seq = old.seq
    RETURNING m.seq
), waiting AS (
    INSERT INTO unembedded (seq, tenant, missing)
    SELECT seq, tenant, 1 FROM old
     WHERE :tier <> 'archived' AND (tier = 'archived' OR content <> :content)
    ON CONFLICT (seq) DO UPDATE SET missing = 1, retry_at = NULL
), archived AS (
    DELETE FROM unembedded WHERE :tier = 'archived' AND seq IN (SELECT seq FROM old)
)
SELECT seq FROM new;

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

-- name: hold_log
-- Whoever writes at the end of a tenant's log waits for who did so before; collisions only wait too.
SELECT pg_advisory_xact_lock(hashtext('hindsight_memory audit'), hashtext(:tenant));

-- name: last_hash
SELECT hash FROM audit WHERE tenant = :tenant ORDER BY entry DESC LIMIT 1;

-- name: insert_audit
INSERT INTO audit (tenant, at, actor, operation, memory_id, version, seal, hash)
VALUES (:tenant, :at, :actor, :operation, :id, :version, :seal, :hash);

-- name: set_salt
UPDATE memories SET salt = :salt WHERE id = :id AND tenant = :tenant;

-- name: reason_of
SELECT reason FROM revisions WHERE memory_id = :id AND tenant = :tenant AND version = :version;

-- name: accessed
-- The latest counts, whichever is told last. In one order, here and below, or two writers wait for
-- each other.
WITH told AS (
    SELECT seq FROM memories WHERE tenant = :tenant AND id = ANY (/* use: ids */)
     ORDER BY seq FOR UPDATE
)
UPDATE memories m
   SET last_accessed_at = greatest(m.last_accessed_at, :at), access_count = m.access_count + 1
  FROM told WHERE m.seq = told.seq;

-- name: used
WITH told AS (
    SELECT seq FROM memories WHERE tenant = :tenant AND id = ANY (/* use: ids */)
     ORDER BY seq FOR UPDATE
)
UPDATE memories m SET used_count = m.used_count + 1, heat = m.heat + :heat
  FROM told WHERE m.seq = told.seq;

-- name: insert_recall
INSERT INTO recalls (id, tenant, user_id, at, hit_ids, used_ids, helped)
VALUES (:id, :tenant, :user_id, :at, ARRAY(SELECT json_array_elements_text(:hit_ids::json)),
        ARRAY(SELECT json_array_elements_text(:used_ids::json)), :helped)
ON CONFLICT (tenant, id) DO UPDATE SET used_ids = excluded.used_ids, helped = excluded.helped;

-- name: insert_receipt
INSERT INTO receipts (tenant, user_id, key, request_digest, outcome, reason, memory_id)
VALUES (:tenant, :user_id, :key, :request_digest, :outcome, :reason, :memory_id);
