-- name: linked_to
-- Which rows lose a link when all of :ids are purged.
SELECT m.id FROM memories m
 WHERE m.tenant = :tenant AND m.id <> ALL (/* use: ids */)
   AND m.seq IN (
       SELECT seq FROM memories WHERE superseded_by = ANY (/* use: ids */)
       UNION SELECT seq FROM memories WHERE supersedes = ANY (/* use: ids */)
       UNION SELECT seq FROM memories
        WHERE tenant = :tenant AND (related_ids <> '{}' OR evidence <> '{}' OR counter_examples <> '{}')
          AND (related_ids && /* use: ids */ OR evidence && /* use: ids */
               OR counter_examples && /* use: ids */))
 ORDER BY m.id;

-- name: purge_memory
-- With what hangs on its row: vectors, keys, counts of words.
DELETE FROM memories WHERE id = :id AND tenant = :tenant;

-- name: purge_revisions
DELETE FROM revisions WHERE memory_id = :id AND tenant = :tenant;

-- name: purge_receipts
DELETE FROM receipts WHERE memory_id = :id AND tenant = :tenant;

-- name: purge_supports
DELETE FROM supports WHERE tenant = :tenant AND supporter_id = :id;

-- name: rebuild_words
-- What is deleted from a table leaves its indexes when it is vacuumed.
SELECT 1;

-- name: purge_recalls
DELETE FROM recalls
 WHERE tenant = :tenant AND (hit_ids && /* use: ids */ OR used_ids && /* use: ids */);

-- name: link_successor
-- What a purged memory replaced is now replaced by what replaced that; it stays retired.
UPDATE memories SET superseded_by = :superseded_by
 WHERE superseded_by = :id AND tenant = :tenant;

-- name: link_predecessor
UPDATE memories SET supersedes = :supersedes
 WHERE supersedes = :id AND tenant = :tenant;

-- name: unlink
-- The first condition is that of the index memories_with_links.
UPDATE memories
   SET related_ids = ARRAY(SELECT i FROM unnest(related_ids) WITH ORDINALITY AS r (i, n)
                            WHERE i <> ALL (/* use: ids */) ORDER BY n),
       evidence = ARRAY(SELECT i FROM unnest(evidence) WITH ORDINALITY AS r (i, n)
                         WHERE i <> ALL (/* use: ids */) ORDER BY n),
       counter_examples = ARRAY(SELECT i FROM unnest(counter_examples) WITH ORDINALITY AS r (i, n)
                                 WHERE i <> ALL (/* use: ids */) ORDER BY n)
 WHERE tenant = :tenant AND (related_ids <> '{}' OR evidence <> '{}' OR counter_examples <> '{}')
   AND (related_ids && /* use: ids */ OR evidence && /* use: ids */
        OR counter_examples && /* use: ids */);
