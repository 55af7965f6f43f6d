-- name: job_columns
id, tenant, user_id, kind, lane, payload, state, attempts, created_at, updated_at, due_at, holder,
       lease_until, result, reason

-- name: job
SELECT /* use: job_columns */ FROM jobs WHERE tenant = :tenant AND id = :id;

-- name: hold_job
-- Writers of a file take turns: nobody else changes it meanwhile.
/* use: job */

-- name: insert_job
INSERT INTO jobs (/* use: job_columns */)
VALUES (:id, :tenant, :user_id, :kind, :lane, :payload, :state, :attempts, :created_at,
        :updated_at, :due_at, :holder, :lease_until, :result, :reason)
ON CONFLICT DO NOTHING;

-- name: next_job
-- A time too far ahead was set by a clock that has been set back since: core.jobs.is_due.
SELECT /* use: job_columns */ FROM jobs AS j
 WHERE state IN ('queued', 'running')
   AND kind IN (SELECT value FROM json_each(:kinds))
   AND (state <> 'queued' OR due_at <= :now OR due_at > :longest)
   AND (state <> 'running' OR lease_until <= :now OR lease_until > :lease)
   AND (lane = '' OR NOT EXISTS (
       SELECT 1 FROM jobs AS e
        WHERE e.tenant = j.tenant AND e.lane = j.lane AND e.lane <> '' AND e.seq < j.seq
          AND e.state IN ('queued', 'running')))
 ORDER BY seq
 LIMIT 1;

-- name: hold_next_job
/* use: next_job */

-- name: page_of_jobs
SELECT /* use: job_columns */ FROM jobs
 WHERE tenant = :tenant AND state IN (SELECT value FROM json_each(:states))
   AND (:before IS NULL
        OR seq < (SELECT b.seq FROM jobs AS b WHERE b.tenant = :tenant AND b.id = :before))
 ORDER BY seq DESC
 LIMIT :limit;

-- name: purge_jobs
DELETE FROM jobs
 WHERE tenant = :tenant AND user_id = :user_id AND payload ->> '$.content' = :content;
