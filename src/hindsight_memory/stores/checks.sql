-- What every SQL store asks in the same words: checks and repair. What differs is beside each store.

-- name: audit_heads
SELECT tenant, count(*), (SELECT hash FROM audit a WHERE a.tenant = audit.tenant ORDER BY entry DESC LIMIT 1)
  FROM audit
 GROUP BY tenant
 ORDER BY tenant;

-- name: audit_entry
SELECT 1 FROM audit WHERE hash = :hash LIMIT 1;

-- name: audited_tenants
SELECT DISTINCT tenant FROM audit ORDER BY tenant;

-- name: audit_log
SELECT tenant, at, actor, operation, memory_id, version, seal, hash FROM audit
 WHERE tenant = :tenant
 ORDER BY entry;

-- name: identity_of
SELECT identity FROM memories WHERE tenant = :tenant AND id = :id;

-- name: archived_vectors
SELECT DISTINCT m.id FROM memories m JOIN vectors v ON v.seq = m.seq WHERE m.tier = 'archived';

-- name: orphaned_revisions
SELECT DISTINCT r.memory_id FROM revisions r
 WHERE NOT EXISTS (SELECT 1 FROM memories m WHERE m.id = r.memory_id);

-- name: broken_chains
SELECT m.id FROM memories m
 WHERE m.superseded_by IS NOT NULL
   AND NOT EXISTS (SELECT 1 FROM memories n WHERE n.id = m.superseded_by AND n.tenant = m.tenant);

-- name: uncounted
SELECT DISTINCT m.user_id FROM memories m
 WHERE NOT EXISTS (SELECT 1 FROM scopes s WHERE s.tenant = m.tenant AND s.user_id = m.user_id);

-- name: without_keys
SELECT m.id FROM memories m WHERE NOT EXISTS (SELECT 1 FROM keys k WHERE k.seq = m.seq);

-- name: orphaned_keys
SELECT k.key FROM keys k
 WHERE NOT EXISTS (SELECT 1 FROM memories m
                    WHERE m.seq = k.seq AND m.tenant = k.tenant AND m.user_id = k.user_id);

-- name: superseded_heads
SELECT m.id FROM memories m WHERE m.superseded_by IS NOT NULL AND m.retired_at IS NULL;

-- name: several_heads
-- One that was restored may stand beside what has taken the same place since.
SELECT m.supersedes FROM memories m
 WHERE m.supersedes IS NOT NULL AND m.retired_at IS NULL AND m.deleted_at IS NULL
   AND NOT EXISTS (SELECT 1 FROM revisions r
                    WHERE r.memory_id = m.id AND r.operation = 'restored')
 GROUP BY m.tenant, m.supersedes
HAVING count(*) > 1;

-- name: successors
SELECT id, superseded_by FROM memories WHERE superseded_by IS NOT NULL ORDER BY id;

-- name: rows_after
SELECT /* use: columns */, m.seq FROM memories m WHERE m.seq > :after ORDER BY m.seq LIMIT :limit;

-- name: memory_count
SELECT count(*) FROM memories;

-- name: scope_count
SELECT count(*) FROM scopes;

-- name: empty_keys
DELETE FROM keys;

-- name: empty_supports
DELETE FROM supports;

-- name: empty_counts
UPDATE scopes SET documents = 0, terms = 0;

-- name: drop_gapped_vectors
DELETE FROM vectors
 WHERE (seq, model) IN (SELECT seq, model FROM vectors GROUP BY seq, model
                        HAVING count(*) <> max(passage) + 1);
