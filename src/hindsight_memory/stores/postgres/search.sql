-- name: beside
-- What was written next to each of :seqs in its session, before and after.
SELECT (SELECT m.seq FROM memories m
         WHERE m.session_id = c.session_id AND m.session_id <> '' AND m.id < c.id AND /* wanted */
         ORDER BY m.id DESC LIMIT 1),
       (SELECT m.seq FROM memories m
         WHERE m.session_id = c.session_id AND m.session_id <> '' AND m.id > c.id AND /* wanted */
         ORDER BY m.id LIMIT 1)
  FROM memories c
 WHERE c.tenant = :tenant AND c.seq = ANY (/* use: seqs */)
 ORDER BY array_position(/* use: seqs */, c.seq);

-- name: evidence
-- Whether it is a question, how many terms it has, and its neighbours in its session, the nearest
-- first.
SELECT c.seq, c.id, c.session_id,
       right(rtrim(c.content, E'\t\n\v\f\r \u3000'), 1) IN ('?', '？'),
       w.total,
       ARRAY(SELECT m.id FROM memories m
              WHERE m.session_id = c.session_id AND m.session_id <> '' AND m.id < c.id AND /* wanted */
              ORDER BY m.id DESC LIMIT :reach),
       ARRAY(SELECT m.id FROM memories m
              WHERE m.session_id = c.session_id AND m.session_id <> '' AND m.id > c.id AND /* wanted */
              ORDER BY m.id LIMIT :reach)
  FROM memories c JOIN words w ON w.seq = c.seq
 WHERE c.tenant = :tenant AND c.seq = ANY (/* use: seqs */)
 ORDER BY c.id;
