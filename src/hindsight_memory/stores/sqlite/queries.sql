-- name: columns
m.id, m.tenant, m.user_id, m.agent_id, m.project, m.session_id, m.visibility, m.content, m.layer,
m.memory_type, m.scene, m.tags, m.metadata, m.related_ids, m.event, m.subject, m.status, m.source,
m.trust, m.confidence, m.importance, m.evidence, m.counter_examples, m.superseded_by, m.supersedes,
m.valid_from, m.valid_to, m.created_at, m.updated_at, m.retired_at, m.last_accessed_at,
m.access_count, m.used_count, m.heat, m.tier, m.expires_at, m.deleted_at, m.version

-- name: in_tiers
m.tier IN (SELECT value FROM json_each(:tiers))

-- name: current_then
-- Comparisons with an absent time are never true. Of what was changed since, the history tells.
(m.retired_at IS NULL OR m.valid_to > :as_of
 OR max(m.retired_at, m.updated_at) > :known_at)

-- name: held_then
m.happened_at <= :as_of
AND (m.valid_to IS NULL OR m.valid_to > :as_of
     OR max(coalesce(m.retired_at, ''), m.updated_at) > :known_at)

-- name: of_types
m.memory_type IN (SELECT value FROM json_each(:memory_types))

-- name: of_statuses
m.status IN (SELECT value FROM json_each(:statuses))

-- name: in_layers
m.layer IN (SELECT value FROM json_each(:layers))

-- name: has_tag
-- Exact: in this column a quotation mark only ever delimits a tag, see stores.rows.
instr(m.tags, :tag)

-- name: get
-- CROSS JOIN: from ids to memories. Left to itself SQLite reads all of the tenant.
SELECT /* use: columns */ FROM json_each(:ids) AS wanted CROSS JOIN memories m ON m.id = wanted.value
 WHERE /* use: visible */;

-- name: every
-- +tenant: it walks the ids, where SQLite would else sort all of the tenant for each page.
SELECT /* use: columns */ FROM memories m
 WHERE +m.tenant = :tenant AND m.id > :after
 ORDER BY m.id
 LIMIT :limit;

-- name: by_words
-- A search inside its scope: every term of :match begins with the scope's number.
SELECT rowid FROM words WHERE words MATCH :match
 ORDER BY bm25(words), rowid
 LIMIT :limit;

-- name: wanted_of
-- From json_each outwards: left to itself, SQLite reads the index of all the user's memories.
-- Superseded ones come too, and say so: how many of them are left out is told.
SELECT m.seq, /* current */ FROM json_each(:seqs) AS given CROSS JOIN memories m
 WHERE m.seq = given.value AND /* otherwise wanted */;

-- name: all_wanted
SELECT m.seq, /* current */ FROM memories m WHERE /* otherwise wanted */;

-- name: beside
-- What was written next to each of :seqs in its session, before and after.
SELECT (SELECT m.seq FROM memories m
         WHERE m.session_id = c.session_id AND m.session_id <> '' AND m.id < c.id AND /* wanted */
         ORDER BY m.id DESC LIMIT 1),
       (SELECT m.seq FROM memories m
         WHERE m.session_id = c.session_id AND m.session_id <> '' AND m.id > c.id AND /* wanted */
         ORDER BY m.id LIMIT 1)
  FROM json_each(:seqs) AS given CROSS JOIN memories c
 WHERE c.seq = given.value;

-- name: evidence
-- Whether it is a question, its terms, and its neighbours in its session, the nearest first.
SELECT c.seq, c.id, c.session_id,
       substr(rtrim(c.content, char(9, 10, 11, 12, 13, 32, 12288)), -1) IN ('?', '？'),
       w.terms,
       (SELECT json_group_array(id) FROM (
            SELECT m.id FROM memories m
             WHERE m.session_id = c.session_id AND m.session_id <> '' AND m.id < c.id AND /* wanted */
             ORDER BY m.id DESC LIMIT :reach)),
       (SELECT json_group_array(id) FROM (
            SELECT m.id FROM memories m
             WHERE m.session_id = c.session_id AND m.session_id <> '' AND m.id > c.id AND /* wanted */
             ORDER BY m.id LIMIT :reach))
  FROM json_each(:seqs) AS given CROSS JOIN memories c CROSS JOIN words w
 WHERE c.seq = given.value AND w.rowid = c.seq;

-- name: scope
SELECT scope, documents, terms, shrunk FROM scopes WHERE tenant = :tenant AND user_id = :user_id;

-- name: calls
SELECT /* use: columns */ FROM memories m
 WHERE /* wanted */
   AND m.event IS NOT NULL AND m.event ->> '$.tool' = :tool
 ORDER BY m.id DESC
 LIMIT :limit;

-- name: purge_injections
DELETE FROM injections
 WHERE tenant = :tenant AND memory_id IN (SELECT value FROM json_each(:ids));

-- name: document_counts
SELECT v.term, v.doc FROM json_each(:terms) AS wanted CROSS JOIN words_vocabulary v
 WHERE v.term = wanted.value;

-- name: newer_vectors
SELECT vector, seq, passage, embedding FROM vectors
 WHERE scope = :scope AND model = :model AND vector > :after
 ORDER BY vector;

-- name: kin
-- The newest of each key: those that share one with many are not lost among these.
SELECT /* use: columns */ FROM memories m
 WHERE m.seq IN (
    SELECT near.value
      FROM json_each(:keys) AS given,
           json_each((SELECT json_group_array(seq) FROM (
                SELECT m.seq FROM keys k CROSS JOIN memories m ON m.seq = k.seq
                 WHERE k.tenant = :tenant AND k.user_id = :user_id AND k.key = given.value
                   AND /* wanted */ AND m.project = :exact_project AND m.id <> :id
                 ORDER BY k.seq DESC
                 LIMIT :limit))) AS near)
 ORDER BY m.id DESC;

-- name: dependants
SELECT /* use: columns */ FROM memories m
 WHERE /* wanted */
   AND m.seq IN (SELECT seq FROM supports
                  WHERE tenant = :tenant
                    AND supporter_id IN (SELECT value FROM json_each(:ids)))
 ORDER BY m.id;

-- name: rejections
SELECT key, user_id, memory_id, trust, at FROM rejections
 WHERE tenant = :tenant AND user_id = :user_id
   AND key IN (SELECT value FROM json_each(:keys));

-- name: mark
SELECT coalesce(max(seq), 0) FROM memories;

-- name: overtaken
SELECT 1 FROM keys k
 WHERE k.tenant = :tenant AND k.user_id = :user_id AND k.seq > :seen
   AND k.key IN (SELECT value FROM json_each(:keys))
 LIMIT 1;

-- name: recall
SELECT id, tenant, user_id, at, hit_ids, used_ids, helped FROM recalls
 WHERE tenant = :tenant AND id = :id;

-- name: unembedded
SELECT /* use: columns */,
       (SELECT count(*) FROM vectors v
         WHERE v.seq = m.seq
           AND v.model = (SELECT model FROM models WHERE fingerprint = :fingerprint))
  FROM memories m
 WHERE m.missing > 0 AND m.deleted_at IS NULL
   AND (:due_at IS NULL OR m.retry_at IS NULL OR m.retry_at <= :due_at)
 ORDER BY m.id
 LIMIT :limit;

-- name: unembedded_count
SELECT count(*) FROM memories WHERE missing > 0 AND deleted_at IS NULL;

-- name: unembeddable
SELECT id FROM memories
 WHERE retry_at IS NOT NULL AND missing > 0 AND deleted_at IS NULL
 ORDER BY id;

-- name: postpone
UPDATE memories SET retry_at = :retry_at WHERE id = :id AND tenant = :tenant AND missing > 0;

-- name: postpone_none
UPDATE memories SET retry_at = NULL WHERE retry_at IS NOT NULL;

-- name: expect_vectors
UPDATE memories SET missing = 1
 WHERE missing = 0 AND tier <> 'archived'
   AND NOT EXISTS (
       SELECT 1 FROM vectors v
        WHERE v.seq = memories.seq
          AND v.model = (SELECT model FROM models WHERE fingerprint = :fingerprint));

-- name: models
SELECT model, fingerprint FROM models ORDER BY model;

-- name: models_in_use
SELECT fingerprint FROM models
 WHERE EXISTS (SELECT 1 FROM vectors WHERE vectors.model = models.model)
 ORDER BY model;

-- name: insert
INSERT INTO memories (
    id, tenant, user_id, agent_id, project, session_id, visibility, content, layer, memory_type,
    scene, tags, metadata, related_ids, event, subject, status, source, trust, confidence,
    importance, evidence, counter_examples, superseded_by, supersedes, valid_from, valid_to,
    created_at, updated_at, retired_at, last_accessed_at, access_count, used_count, heat, tier,
    expires_at, deleted_at, version, happened_at, identity, salt, missing)
VALUES (
    :id, :tenant, :user_id, :agent_id, :project, :session_id, :visibility, :content, :layer,
    :memory_type, :scene, :tags, :metadata, :related_ids, :event, :subject, :status, :source,
    :trust, :confidence, :importance, :evidence, :counter_examples, :superseded_by, :supersedes,
    :valid_from, :valid_to, :created_at, :updated_at, :retired_at, :last_accessed_at,
    :access_count, :used_count, :heat, :tier, :expires_at, :deleted_at, :version, :happened_at,
    :identity, :salt, CASE WHEN :tier = 'archived' THEN 0 ELSE 1 END)
RETURNING seq;

-- name: replace
UPDATE memories
   SET agent_id = :agent_id, project = :project, session_id = :session_id, visibility = :visibility, content = :content, layer = :layer,
       memory_type = :memory_type, scene = :scene, tags = :tags, metadata = :metadata,
       related_ids = :related_ids, event = :event, subject = :subject, status = :status,
       source = :source, trust = :trust, confidence = :confidence, importance = :importance,
       evidence = :evidence, counter_examples = :counter_examples, superseded_by = :superseded_by,
       supersedes = :supersedes, valid_from = :valid_from, valid_to = :valid_to,
       created_at = :created_at, updated_at = :updated_at, retired_at = :retired_at, last_accessed_at = :last_accessed_at,
       access_count = :access_count, used_count = :used_count, heat = :heat, tier = :tier,
       expires_at = :expires_at, deleted_at = :deleted_at, version = :version,
       happened_at = :happened_at, identity = :identity, salt = :salt,
       missing = CASE WHEN :tier = 'archived' THEN 0
                      WHEN tier = 'archived' OR content <> :content THEN 1
                      ELSE missing END,
       retry_at = CASE WHEN content = :content THEN retry_at END
 WHERE id = :id AND tenant = :tenant AND user_id = :user_id AND version = :version - 1
RETURNING seq;

-- name: insert_terms
INSERT INTO words (rowid, terms) VALUES (:seq, :terms);

-- name: counted
CASE WHEN w.terms = '' THEN 0 ELSE length(w.terms) - length(replace(w.terms, ' ', '')) + 1 END

-- name: term_total
SELECT /* use: counted */ FROM words w WHERE w.rowid = :seq;

-- name: delete_terms
DELETE FROM words WHERE rowid = :seq;

-- name: delete_vectors
DELETE FROM vectors WHERE seq = :seq;

-- name: shrink
UPDATE scopes SET shrunk = shrunk + 1 WHERE scope = :scope;

-- name: count_missing
UPDATE memories
   SET missing = max(0, :total - (SELECT count(*) FROM vectors v
                                   WHERE v.seq = :seq AND v.model = :model)),
       retry_at = NULL
 WHERE seq = :seq;

-- name: insert_vector
INSERT INTO vectors (scope, model, seq, passage, embedding)
VALUES (:scope, :model, :seq, :passage, :embedding)
ON CONFLICT DO NOTHING;

-- name: hold_users
-- Writers of a file take turns anyway.
SELECT user_id, scope FROM scopes
 WHERE tenant = :tenant AND user_id IN (SELECT value FROM json_each(:users));

-- name: hold_log
SELECT 1;

-- name: sealed_after
-- The last entry of each memory is of its version as it is now.
SELECT /* use: columns */, m.salt, r.reason, a.version, a.seal, m.seq
  FROM memories m
  JOIN audit a ON a.entry = (SELECT max(entry) FROM audit e WHERE e.memory_id = m.id AND e.tenant = m.tenant)
  LEFT JOIN revisions r ON r.memory_id = m.id AND r.version = m.version
 WHERE m.seq > :after
 ORDER BY m.seq
 LIMIT :limit;

-- name: vanished
-- What was purged has an entry without a seal.
SELECT memory_id FROM audit a
 WHERE seal <> '' AND entry = (SELECT max(entry) FROM audit e WHERE e.memory_id = a.memory_id AND e.tenant = a.tenant)
   AND NOT EXISTS (SELECT 1 FROM memories m WHERE m.id = a.memory_id AND m.tenant = a.tenant)
 ORDER BY memory_id;

-- name: linked_to
-- Which rows lose a link when all of :ids are purged.
SELECT id FROM memories
 WHERE tenant = :tenant AND id NOT IN (SELECT value FROM json_each(:ids))
   AND id IN (
       SELECT id FROM memories WHERE superseded_by IN (SELECT value FROM json_each(:ids))
       UNION SELECT id FROM memories WHERE supersedes IN (SELECT value FROM json_each(:ids))
       UNION SELECT id FROM memories
        WHERE (related_ids <> '[]' OR evidence <> '[]' OR counter_examples <> '[]')
          AND tenant = :tenant
          AND (EXISTS (SELECT 1 FROM json_each(related_ids) WHERE value IN (SELECT value FROM json_each(:ids)))
               OR EXISTS (SELECT 1 FROM json_each(evidence) WHERE value IN (SELECT value FROM json_each(:ids)))
               OR EXISTS (SELECT 1 FROM json_each(counter_examples)
                           WHERE value IN (SELECT value FROM json_each(:ids)))))
 ORDER BY id;

-- name: accessed
-- The latest counts, whichever is told last. +tenant, here and below: by id, not over the tenant.
UPDATE memories
   SET last_accessed_at = max(coalesce(last_accessed_at, :at), :at), access_count = access_count + 1
 WHERE +tenant = :tenant AND id IN (SELECT value FROM json_each(:ids));

-- name: used
UPDATE memories SET used_count = used_count + 1, heat = heat + :heat
 WHERE +tenant = :tenant AND id IN (SELECT value FROM json_each(:ids));

-- name: insert_recall
INSERT INTO recalls (id, tenant, user_id, at, hit_ids, used_ids, helped)
VALUES (:id, :tenant, :user_id, :at, :hit_ids, :used_ids, :helped)
ON CONFLICT (tenant, id) DO UPDATE SET used_ids = excluded.used_ids, helped = excluded.helped;

-- name: rebuild_words
-- FTS5 only notes that a row is gone, and keeps terms to find its way; made anew it has neither.
INSERT INTO words (words) VALUES ('rebuild');

-- name: purge_recalls
DELETE FROM recalls
 WHERE tenant = :tenant
   AND (EXISTS (SELECT 1 FROM json_each(hit_ids) WHERE value IN (SELECT value FROM json_each(:ids)))
        OR EXISTS (SELECT 1 FROM json_each(used_ids) WHERE value IN (SELECT value FROM json_each(:ids))));

-- name: unlink
-- The first condition is that of the index memories_with_links.
UPDATE memories
   SET related_ids = (SELECT json_group_array(value) FROM json_each(related_ids)
                       WHERE value NOT IN (SELECT value FROM json_each(:ids))),
       evidence = (SELECT json_group_array(value) FROM json_each(evidence)
                    WHERE value NOT IN (SELECT value FROM json_each(:ids))),
       counter_examples = (SELECT json_group_array(value) FROM json_each(counter_examples)
                            WHERE value NOT IN (SELECT value FROM json_each(:ids)))
 WHERE (related_ids <> '[]' OR evidence <> '[]' OR counter_examples <> '[]')
   AND tenant = :tenant
   AND (EXISTS (SELECT 1 FROM json_each(related_ids) WHERE value IN (SELECT value FROM json_each(:ids)))
        OR EXISTS (SELECT 1 FROM json_each(evidence) WHERE value IN (SELECT value FROM json_each(:ids)))
        OR EXISTS (SELECT 1 FROM json_each(counter_examples)
                    WHERE value IN (SELECT value FROM json_each(:ids))));

-- name: unindexed
SELECT m.id FROM memories m WHERE NOT EXISTS (SELECT 1 FROM words w WHERE w.rowid = m.seq);

-- name: orphaned_words
SELECT w.rowid FROM words w WHERE NOT EXISTS (SELECT 1 FROM memories m WHERE m.seq = w.rowid);

-- name: orphaned_vectors
SELECT v.vector FROM vectors v WHERE NOT EXISTS (SELECT 1 FROM memories m WHERE m.seq = v.seq);

-- name: gaps_in_history
SELECT m.id FROM memories m
 WHERE m.version <> (SELECT count(*) FROM revisions r WHERE r.memory_id = m.id)
    OR m.version <> (SELECT max(version) FROM revisions r WHERE r.memory_id = m.id);

-- name: miscounted_scopes
SELECT s.user_id FROM scopes s
 WHERE s.documents <> (SELECT count(*) FROM memories m WHERE m.tenant = s.tenant AND m.user_id = s.user_id);

-- name: miscounted_terms
SELECT s.user_id FROM scopes s
 WHERE s.terms <> (SELECT coalesce(sum(/* use: counted */), 0)
                     FROM memories m JOIN words w ON w.rowid = m.seq
                    WHERE m.tenant = s.tenant AND m.user_id = s.user_id);

-- name: without_supports
SELECT DISTINCT m.id FROM memories m
 WHERE (m.evidence <> '[]' OR m.counter_examples <> '[]')
   AND EXISTS (SELECT 1 FROM (SELECT value FROM json_each(m.evidence)
                              UNION ALL SELECT value FROM json_each(m.counter_examples)) AS e
                WHERE NOT EXISTS (SELECT 1 FROM supports s
                                   WHERE s.tenant = m.tenant AND s.supporter_id = e.value
                                     AND s.seq = m.seq));

-- name: orphaned_supports
SELECT DISTINCT s.supporter_id FROM supports s
 WHERE NOT EXISTS (SELECT 1 FROM memories m
                    WHERE m.seq = s.seq AND m.tenant = s.tenant
                      AND (s.supporter_id IN (SELECT value FROM json_each(m.evidence))
                           OR s.supporter_id IN (SELECT value FROM json_each(m.counter_examples))));

-- name: misplaced_vectors
SELECT v.vector FROM vectors v JOIN memories m ON m.seq = v.seq
 WHERE NOT EXISTS (SELECT 1 FROM scopes s
                    WHERE s.scope = v.scope AND s.tenant = m.tenant AND s.user_id = m.user_id);

-- name: gapped_vectors
SELECT m.id FROM vectors v JOIN memories m ON m.seq = v.seq
 GROUP BY v.seq, v.model
HAVING count(*) <> max(v.passage) + 1;

-- name: unqueued
SELECT m.id FROM memories m
 WHERE m.missing = 0 AND m.tier <> 'archived'
   AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.seq = m.seq);

-- name: missing_evidence
SELECT DISTINCT m.id FROM supports s JOIN memories m ON m.seq = s.seq
 WHERE NOT EXISTS (SELECT 1 FROM memories e WHERE e.tenant = s.tenant AND e.id = s.supporter_id)
   AND s.supporter_id IN (SELECT value FROM json_each(m.evidence))
 ORDER BY m.id;

-- name: shared_keys
-- The memories under each key that several current ones share, the newest keys first.
SELECT json_group_array(m.seq) FROM keys k JOIN memories m ON m.seq = k.seq
 WHERE m.retired_at IS NULL AND m.deleted_at IS NULL AND m.layer = 'semantic'
 GROUP BY k.tenant, k.user_id, k.key
HAVING count(*) > 1
 ORDER BY max(m.seq) DESC
 LIMIT :limit;

-- name: of_seqs
SELECT /* use: columns */ FROM json_each(:seqs) AS given CROSS JOIN memories m
 WHERE m.seq = given.value
 ORDER BY m.id;

-- name: word_tables
SELECT name, sql FROM sqlite_schema WHERE name IN ('words', 'words_vocabulary');

-- name: drop_vocabulary
DROP TABLE words_vocabulary;

-- name: drop_words
DROP TABLE words;

-- name: empty_words
DELETE FROM words;

-- name: drop_orphaned_vectors
DELETE FROM vectors
 WHERE NOT EXISTS (SELECT 1 FROM memories m WHERE m.seq = vectors.seq AND m.tier <> 'archived');

-- name: drop_misplaced_vectors
DELETE FROM vectors
 WHERE NOT EXISTS (SELECT 1 FROM memories m JOIN scopes s
                       ON s.tenant = m.tenant AND s.user_id = m.user_id
                    WHERE m.seq = vectors.seq AND s.scope = vectors.scope);

-- name: expect_any_vectors
UPDATE memories SET missing = 1
 WHERE missing = 0 AND tier <> 'archived'
   AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.seq = memories.seq);

-- name: expect_no_archived_vectors
UPDATE memories SET missing = 0 WHERE missing > 0 AND tier = 'archived';

-- name: revisions_of
SELECT version, at, actor, operation FROM revisions
 WHERE tenant = :tenant AND memory_id = :id
 ORDER BY version;

-- name: shrink_all
UPDATE scopes SET shrunk = shrunk + 1;
