-- What stores.checking asks, and what stores.repairing makes anew.

-- name: revisions_of
-- Times as the audit log writes them.
SELECT version, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"'), actor, operation
  FROM revisions
 WHERE tenant = :tenant AND memory_id = :id
 ORDER BY version;

-- name: sealed_after
-- The last entry of each memory is of its version as it is now.
SELECT /* use: columns */, m.salt, r.reason, a.version, a.seal, m.seq
  FROM memories m
 CROSS JOIN LATERAL (SELECT e.version, e.seal FROM audit e
                      WHERE e.memory_id = m.id AND e.tenant = m.tenant
                      ORDER BY e.entry DESC LIMIT 1) AS a
  LEFT JOIN revisions r ON r.memory_id = m.id AND r.version = m.version
 WHERE m.seq > :after
 ORDER BY m.seq
 LIMIT :limit;

-- name: vanished
-- What was purged has an entry without a seal.
SELECT a.memory_id
  FROM (SELECT DISTINCT ON (tenant, memory_id) tenant, memory_id, seal FROM audit
         ORDER BY tenant, memory_id, entry DESC) AS a
 WHERE a.seal <> ''
   AND NOT EXISTS (SELECT 1 FROM memories m WHERE m.id = a.memory_id AND m.tenant = a.tenant)
 ORDER BY a.memory_id;

-- name: unindexed
SELECT m.id FROM memories m WHERE NOT EXISTS (SELECT 1 FROM words w WHERE w.seq = m.seq);

-- name: orphaned_words
SELECT DISTINCT p.seq FROM postings p
 WHERE NOT EXISTS (SELECT 1 FROM words w WHERE w.seq = p.seq AND w.tenant = p.tenant);

-- name: orphaned_vectors
SELECT v.seq FROM vectors v WHERE NOT EXISTS (SELECT 1 FROM memories m WHERE m.seq = v.seq);

-- name: gaps_in_history
SELECT m.id FROM memories m
  LEFT JOIN (SELECT memory_id, count(*) AS versions, max(version) AS last FROM revisions
              GROUP BY memory_id) AS r ON r.memory_id = m.id
 WHERE (m.version, m.version) IS DISTINCT FROM (r.versions, r.last);

-- name: counts_of_words
SELECT m.tenant, m.user_id, count(*) AS documents, coalesce(sum(w.total), 0) AS terms
  FROM memories m LEFT JOIN words w ON w.seq = m.seq
 GROUP BY m.tenant, m.user_id

-- name: miscounted_scopes
SELECT s.user_id FROM scopes s LEFT JOIN (/* use: counts_of_words */) AS c
    ON c.tenant = s.tenant AND c.user_id = s.user_id
 WHERE s.documents <> coalesce(c.documents, 0);

-- name: miscounted_terms
-- In a scope, or in one memory.
SELECT s.user_id FROM scopes s LEFT JOIN (/* use: counts_of_words */) AS c
    ON c.tenant = s.tenant AND c.user_id = s.user_id
 WHERE s.terms <> coalesce(c.terms, 0)
UNION
SELECT m.user_id FROM words w JOIN memories m ON m.seq = w.seq
  LEFT JOIN (SELECT seq, sum(count) AS total, min(total) AS least, max(total) AS most,
                    min(scope) AS scope, max(scope) AS last_scope
               FROM postings GROUP BY seq) AS p ON p.seq = w.seq
  LEFT JOIN scopes s ON s.tenant = m.tenant AND s.user_id = m.user_id
 WHERE w.total <> coalesce(p.total, 0)
    OR (p.least, p.most, p.scope, p.last_scope) IS DISTINCT FROM (w.total, w.total, s.scope, s.scope)
       AND w.total > 0;

-- name: without_supports
SELECT DISTINCT m.id FROM memories m, unnest(m.evidence || m.counter_examples) AS e (id)
 WHERE NOT EXISTS (SELECT 1 FROM supports s
                    WHERE s.tenant = m.tenant AND s.supporter_id = e.id AND s.seq = m.seq);

-- name: orphaned_supports
SELECT DISTINCT s.supporter_id FROM supports s
 WHERE NOT EXISTS (SELECT 1 FROM memories m
                    WHERE m.seq = s.seq AND m.tenant = s.tenant
                      AND s.supporter_id = ANY (m.evidence || m.counter_examples));

-- name: misplaced_vectors
SELECT v.seq FROM vectors v JOIN memories m ON m.seq = v.seq
 WHERE NOT EXISTS (SELECT 1 FROM scopes s
                    WHERE s.scope = v.scope AND s.tenant = m.tenant AND s.user_id = m.user_id
                      AND s.tenant = v.tenant);

-- name: gapped_vectors
SELECT m.id FROM vectors v JOIN memories m ON m.seq = v.seq
 GROUP BY m.id, v.seq, v.model
HAVING count(*) <> max(v.passage) + 1;

-- name: moved_middles
-- Sums of single precision differ by the order in which they were made.
SELECT DISTINCT coalesce(m.scope, v.scope) AS scope
  FROM middles m
  FULL JOIN (SELECT scope, model, count(*) AS vectors, sum(embedding) AS total FROM vectors
              GROUP BY scope, model) AS v ON v.scope = m.scope AND v.model = m.model
 WHERE m.vectors IS DISTINCT FROM coalesce(v.vectors, 0)
    OR (m.total <-> v.total) > 0.001 * v.vectors
 ORDER BY scope;

-- name: unqueued
SELECT m.id FROM memories m
 WHERE m.tier <> 'archived'
   AND NOT EXISTS (SELECT 1 FROM unembedded u WHERE u.seq = m.seq)
   AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.seq = m.seq);

-- name: missing_evidence
SELECT DISTINCT m.id FROM supports s JOIN memories m ON m.seq = s.seq
 WHERE NOT EXISTS (SELECT 1 FROM memories e WHERE e.tenant = s.tenant AND e.id = s.supporter_id)
   AND s.supporter_id = ANY (m.evidence)
 ORDER BY m.id;

-- name: shared_keys
-- The memories under each key that several current ones share, the newest keys first.
SELECT json_agg(m.seq)::text FROM keys k JOIN memories m ON m.seq = k.seq
 WHERE m.retired_at IS NULL AND m.deleted_at IS NULL AND m.layer = 'semantic'
 GROUP BY k.tenant, k.user_id, k.key
HAVING count(*) > 1
 ORDER BY max(m.seq) DESC
 LIMIT :limit;

-- name: of_seqs
SELECT /* use: columns */ FROM memories m WHERE m.seq = ANY (/* use: seqs */) ORDER BY m.id;

-- name: empty_words
WITH gone AS (DELETE FROM postings)
DELETE FROM words;
