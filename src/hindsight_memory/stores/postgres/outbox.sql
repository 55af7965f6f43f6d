-- name: begin_promising
-- Where nobody has begun yet, all that is there is promised.
WITH begun AS (
    INSERT INTO feeding (id) VALUES (1) ON CONFLICT DO NOTHING RETURNING id
)
INSERT INTO outbox (tenant, scope, model, seq)
SELECT DISTINCT v.tenant, v.scope, v.model, v.seq FROM vectors v, begun;

-- name: hold_feed
SELECT pg_try_advisory_xact_lock(hashtext('hindsight_memory feed'), hashtext(current_schema()));

-- name: promised
SELECT entry, seq FROM outbox
 WHERE model = (SELECT model FROM models WHERE fingerprint = :fingerprint)
 ORDER BY entry
 LIMIT :limit;

-- name: promised_count
SELECT count(*) FROM outbox;

-- name: promised_here
SELECT seq FROM outbox
 WHERE tenant = :tenant AND scope = :scope AND model = :model
 ORDER BY entry DESC
 LIMIT :limit;

-- name: points_of
SELECT seq, passage, tenant, scope, embedding::float4[] FROM vectors
 WHERE model = (SELECT model FROM models WHERE fingerprint = :fingerprint)
   AND seq = ANY (/* use: seqs */);

-- name: points_after
SELECT seq, passage FROM vectors
 WHERE model = :model AND (seq, passage) > (:seq, :passage)
 ORDER BY seq, passage
 LIMIT :limit;

-- name: promise
INSERT INTO outbox (tenant, scope, model, seq)
SELECT DISTINCT tenant, scope, model, seq FROM vectors
 WHERE model = (SELECT model FROM models WHERE fingerprint = :fingerprint)
   AND seq = ANY (/* use: seqs */);

-- name: keep_promises
DELETE FROM outbox WHERE entry = ANY (SELECT value::bigint FROM json_array_elements_text(:entries::json));

-- name: nearest_among
-- Of the memories that another index has found, compared here.
SELECT m.seq, /* current */
  FROM memories m JOIN vectors v ON v.seq = m.seq
 WHERE /* otherwise wanted */
   AND v.tenant = :tenant AND v.scope = :scope AND v.model = :model
   AND m.seq = ANY (/* use: seqs */)
 GROUP BY m.seq
 ORDER BY min(v.embedding <#> :query::float8[]::vector), m.seq;
