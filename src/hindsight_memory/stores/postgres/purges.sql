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

-- name: rebuild_words
-- What is deleted from a table leaves its indexes when it is vacuumed.
SELECT 1;

-- name: purge_recalls
DELETE FROM recalls
 WHERE tenant = :tenant AND (hit_ids && /* use: ids */ OR used_ids && /* use: ids */);

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
