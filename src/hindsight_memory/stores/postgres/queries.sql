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

-- name: in_tiers
m.tier = ANY (ARRAY(SELECT json_array_elements_text(:tiers::json)))

-- name: current_then
-- Comparisons with an absent time are never true, and that is not the same as false. Of what was
-- changed since, the history tells.
coalesce(m.retired_at IS NULL OR greatest(m.retired_at, m.updated_at) > :known_at::timestamptz
         OR m.valid_to > :as_of::timestamptz, false)

-- name: held_then
m.happened_at <= :as_of
AND (m.valid_to IS NULL OR m.valid_to > :as_of
     OR greatest(m.retired_at, m.updated_at) > :known_at::timestamptz)

-- name: of_types
m.memory_type = ANY (ARRAY(SELECT json_array_elements_text(:memory_types::json)))

-- name: of_statuses
m.status = ANY (ARRAY(SELECT json_array_elements_text(:statuses::json)))

-- name: in_layers
m.layer = ANY (ARRAY(SELECT json_array_elements_text(:layers::json)))

-- name: has_tag
(:tag::json #>> '{}') = ANY (m.tags)

-- name: get
SELECT /* use: columns */ FROM memories m
 WHERE m.id = ANY (/* use: ids */) AND /* use: visible */;

-- name: every
SELECT /* use: columns */ FROM memories m
 WHERE m.tenant = :tenant AND m.id > :after
 ORDER BY m.id
 LIMIT :limit;

-- name: scope
SELECT scope, documents, terms FROM scopes WHERE tenant = :tenant AND user_id = :user_id;

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

-- name: calls
SELECT /* use: columns */ FROM memories m
 WHERE /* wanted */ AND m.tool = :tool
 ORDER BY m.id DESC
 LIMIT :limit;

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

-- name: rejections
SELECT key, user_id, memory_id, trust, at FROM rejections
 WHERE tenant = :tenant AND user_id = :user_id
   AND key = ANY (ARRAY(SELECT json_array_elements_text(:keys::json)));

-- name: mark
SELECT coalesce(max(written), 0) FROM scopes WHERE tenant = :tenant AND user_id = :user_id;

-- name: overtaken
SELECT 1 FROM keys k JOIN memories m ON m.seq = k.seq
 WHERE k.tenant = :tenant AND k.user_id = :user_id AND m.written > :seen
   AND k.key = ANY (ARRAY(SELECT json_array_elements_text(:keys::json)))
 LIMIT 1;

-- name: recall
SELECT id, tenant, user_id, at, to_json(hit_ids)::text, to_json(used_ids)::text, helped FROM recalls
 WHERE tenant = :tenant AND id = :id;

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

-- name: hold_log
-- Whoever writes at the end of a tenant's log waits for who did so before; collisions only wait too.
SELECT pg_advisory_xact_lock(hashtext('hindsight_memory audit'), hashtext(:tenant));

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
