-- name: insert_terms
-- Of terms joined by blanks.
WITH given AS (
    SELECT term, count(*)::integer AS count, sum(count(*)) OVER ()::integer AS total
      FROM string_to_table(:terms, ' ') AS term WHERE term <> '' GROUP BY term
), counted AS (
    INSERT INTO words (seq, tenant, total) VALUES (:seq, :tenant, coalesce((SELECT max(total) FROM given), 0))
)
INSERT INTO postings (tenant, scope, term, seq, count, total)
SELECT :tenant, :scope, term, :seq, count, total FROM given;

-- name: term_total
SELECT total FROM words WHERE seq = :seq;

-- name: delete_terms
WITH gone AS (DELETE FROM postings WHERE seq = :seq)
DELETE FROM words WHERE seq = :seq;

-- name: document_counts
SELECT term, count(*) FROM postings
 WHERE tenant = :tenant
   AND scope = (SELECT scope FROM scopes WHERE tenant = :tenant AND user_id = :user_id)
   AND term = ANY (ARRAY(SELECT json_array_elements_text(:terms::json)))
 GROUP BY term;

-- name: by_words
-- BM25 as in core.relevance; :rarities has a number for each term.
WITH ranked AS MATERIALIZED (
    SELECT p.seq,
           sum(asked.rarity * p.count * (:k1::float8 + 1)
               / (p.count + :k1 * (1 - :b::float8 + :b * p.total / :average::float8))) AS score
      FROM (SELECT key COLLATE "C" AS term, value::float8 AS rarity
              FROM json_each_text(:rarities::json)) AS asked
      JOIN postings p ON p.term = asked.term
     WHERE p.tenant = :tenant AND p.scope = :scope
     GROUP BY p.seq
     ORDER BY score DESC, p.seq
     LIMIT :depth
)
SELECT m.seq, /* current */
  FROM ranked r JOIN memories m ON m.seq = r.seq
 WHERE /* otherwise wanted */
 ORDER BY r.score DESC, r.seq;

-- name: term_counts
SELECT seq, term, count FROM postings
 WHERE tenant = :tenant AND scope = :scope
   AND term = ANY (ARRAY(SELECT json_array_elements_text(:terms::json)))
   AND seq = ANY (/* use: seqs */);
