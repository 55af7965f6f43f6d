-- name: model
SELECT model, dimensions FROM models WHERE fingerprint = :fingerprint;

-- name: set_dimensions
UPDATE models SET dimensions = :dimensions WHERE model = :model AND dimensions IS NULL;

-- name: index_vectors
SELECT index_vectors(:model, :dimensions);

-- name: models_in_use
SELECT fingerprint FROM models
 WHERE EXISTS (SELECT 1 FROM middles WHERE middles.model = models.model AND middles.vectors > 0)
 ORDER BY model;

-- name: insert_vector
-- What is there already stays, and is counted once.
WITH added AS (
    INSERT INTO vectors (tenant, scope, model, seq, passage, embedding)
    VALUES (:tenant, :scope, :model, :seq, :passage, :embedding::float8[]::vector)
    ON CONFLICT DO NOTHING
    RETURNING embedding
)
INSERT INTO middles (tenant, scope, model, vectors, total)
SELECT :tenant, :scope, :model, 1, embedding FROM added
ON CONFLICT (scope, model) DO UPDATE
   SET vectors = middles.vectors + 1, total = middles.total + excluded.total;

-- name: delete_vectors
-- Of every model. Where none are left, what was lost by rounding goes too.
WITH gone AS (
    DELETE FROM vectors WHERE seq = :seq RETURNING scope, model, embedding
), less AS (
    SELECT scope, model, count(*) AS vectors, sum(embedding) AS total FROM gone GROUP BY scope, model
)
UPDATE middles m
   SET vectors = m.vectors - less.vectors,
       total = CASE WHEN m.vectors = less.vectors THEN m.total - m.total ELSE m.total - less.total END
  FROM less
 WHERE m.scope = less.scope AND m.model = less.model;

-- name: count_missing
WITH lacking AS (
    SELECT greatest(0, :total - count(*))::integer AS missing FROM vectors
     WHERE seq = :seq AND model = :model
), done AS (
    DELETE FROM unembedded USING lacking WHERE seq = :seq AND lacking.missing = 0
)
INSERT INTO unembedded (seq, tenant, missing)
SELECT :seq, :tenant, missing FROM lacking WHERE missing > 0
ON CONFLICT (seq) DO UPDATE SET missing = excluded.missing, retry_at = NULL;

-- name: unembedded
SELECT /* use: columns */,
       (SELECT count(*) FROM vectors v
         WHERE v.seq = m.seq
           AND v.model = (SELECT model FROM models WHERE fingerprint = :fingerprint))
  FROM unembedded u JOIN memories m ON m.seq = u.seq
 WHERE m.deleted_at IS NULL
   AND (:due_at::timestamptz IS NULL OR u.retry_at IS NULL OR u.retry_at <= :due_at)
 ORDER BY m.id
 LIMIT :limit;

-- name: unembedded_count
SELECT count(*) FROM unembedded u JOIN memories m ON m.seq = u.seq WHERE m.deleted_at IS NULL;

-- name: unembeddable
SELECT m.id FROM unembedded u JOIN memories m ON m.seq = u.seq
 WHERE u.retry_at IS NOT NULL AND m.deleted_at IS NULL
 ORDER BY m.id;

-- name: postpone
UPDATE unembedded u SET retry_at = :retry_at FROM memories m
 WHERE m.seq = u.seq AND m.id = :id AND m.tenant = :tenant;

-- name: postpone_none
UPDATE unembedded SET retry_at = NULL WHERE retry_at IS NOT NULL;

-- name: expect_vectors
INSERT INTO unembedded (seq, tenant, missing)
SELECT m.seq, m.tenant, 1 FROM memories m
 WHERE m.tier <> 'archived'
   AND NOT EXISTS (
       SELECT 1 FROM vectors v
        WHERE v.seq = m.seq
          AND v.model = (SELECT model FROM models WHERE fingerprint = :fingerprint))
ON CONFLICT DO NOTHING;

-- name: empty_middles
DELETE FROM middles;

-- name: fill_middles
INSERT INTO middles (tenant, scope, model, vectors, total)
SELECT tenant, scope, model, count(*), sum(embedding) FROM vectors GROUP BY tenant, scope, model;

-- name: model_of_scope
-- Where the scope has vectors of it.
SELECT o.model, o.dimensions, i.vectors FROM models o JOIN middles i ON i.model = o.model
 WHERE o.fingerprint = :fingerprint AND i.tenant = :tenant AND i.scope = :scope AND i.vectors > 0;

-- name: nearest
-- All vectors of the scope are compared.
WITH ranked AS MATERIALIZED (
    SELECT v.seq, min(v.embedding <#> :query::float8[]::vector) AS distance FROM vectors v
     WHERE v.tenant = :tenant AND v.scope = :scope AND v.model = :model
     GROUP BY v.seq
     ORDER BY distance, v.seq
     LIMIT :depth
)
SELECT m.seq, /* current */
  FROM ranked r JOIN memories m ON m.seq = r.seq
 WHERE /* otherwise wanted */
 ORDER BY r.distance, r.seq;

-- name: nearest_indexed
-- By the index of the model, whose number and dimensions must be in the text for that; then compared
-- in full precision.
WITH near AS MATERIALIZED (
    SELECT v.seq, v.embedding FROM vectors v
     WHERE v.tenant = :tenant AND v.scope = :scope AND v.model = /* model */
     ORDER BY v.embedding::halfvec(/* dimensions */) <#> :query::float8[]::vector::halfvec(/* dimensions */)
     LIMIT :depth
), ranked AS MATERIALIZED (
    SELECT seq, min(embedding <#> :query::float8[]::vector) AS distance FROM near GROUP BY seq
)
SELECT m.seq, /* current */
  FROM ranked r JOIN memories m ON m.seq = r.seq
 WHERE /* otherwise wanted */
 ORDER BY r.distance, r.seq;

-- name: nearest_wanted
-- Where few are wanted: these are found first, and then compared.
SELECT m.seq, /* current */
  FROM memories m JOIN vectors v ON v.seq = m.seq
 WHERE /* otherwise wanted */ AND v.tenant = :tenant AND v.scope = :scope AND v.model = :model
 GROUP BY m.seq
 ORDER BY min(v.embedding <#> :query::float8[]::vector), m.seq;

-- name: nearness
-- Of the best passage of each memory, the earlier of two equals: cosine to the query, and to the
-- middle of the scope.
SELECT DISTINCT ON (v.seq) v.seq, -(v.embedding <#> :query::float8[]::vector),
       -(v.embedding <#> (SELECT l2_normalize(total) FROM middles
                           WHERE scope = :scope AND model = :model)),
       v.passage
  FROM vectors v
 WHERE v.tenant = :tenant AND v.model = :model
   AND v.seq = ANY (/* use: seqs */)
 ORDER BY v.seq, v.embedding <#> :query::float8[]::vector, v.passage;

-- name: drop_orphaned_vectors
DELETE FROM vectors v
 WHERE NOT EXISTS (SELECT 1 FROM memories m WHERE m.seq = v.seq AND m.tier <> 'archived');

-- name: drop_misplaced_vectors
DELETE FROM vectors v
 WHERE NOT EXISTS (SELECT 1 FROM memories m JOIN scopes s
                       ON s.tenant = m.tenant AND s.user_id = m.user_id
                    WHERE m.seq = v.seq AND s.scope = v.scope AND m.tenant = v.tenant);

-- name: expect_any_vectors
INSERT INTO unembedded (seq, tenant, missing)
SELECT m.seq, m.tenant, 1 FROM memories m
 WHERE m.tier <> 'archived' AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.seq = m.seq)
ON CONFLICT DO NOTHING;

-- name: expect_no_archived_vectors
DELETE FROM unembedded u USING memories m WHERE m.seq = u.seq AND m.tier = 'archived';

-- name: search_index
-- It goes on until enough of the scope are found: a filter comes after the index, and without this
-- most of what the index gives would be of others.
SELECT set_config('hnsw.iterative_scan', 'relaxed_order', true),
       set_config('hnsw.ef_search', '200', true),
       set_config('hnsw.max_scan_tuples', '40000', true);
