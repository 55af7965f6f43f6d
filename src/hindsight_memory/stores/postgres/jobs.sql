-- name: job_columns
j.id, j.tenant, j.user_id, j.kind, j.lane, j.payload, j.state, j.attempts, j.created_at,
       j.updated_at, j.due_at, j.holder, j.lease_until, j.result, j.reason

-- name: job
SELECT /* use: job_columns */ FROM jobs j WHERE j.tenant = :tenant AND j.id = :id;

-- name: hold_job
SELECT /* use: job_columns */ FROM jobs j WHERE j.tenant = :tenant AND j.id = :id FOR UPDATE;

-- name: insert_job
INSERT INTO jobs (id, tenant, user_id, kind, lane, payload, state, attempts, created_at, updated_at,
                  due_at, holder, lease_until, result, reason)
VALUES (:id, :tenant, :user_id, :kind, :lane, :payload, :state, :attempts, :created_at,
        :updated_at, :due_at, :holder, :lease_until, :result, :reason)
ON CONFLICT DO NOTHING;

-- name: next_job
-- A time too far ahead was set by a clock that has been set back since: core.jobs.is_due.
SELECT /* use: job_columns */ FROM jobs j
 WHERE j.state IN ('queued', 'running')
   AND j.kind = ANY (ARRAY(SELECT json_array_elements_text(:kinds::json)))
   AND (j.state <> 'queued' OR j.due_at <= :now OR j.due_at > :longest)
   AND (j.state <> 'running' OR j.lease_until <= :now OR j.lease_until > :lease)
   AND (j.lane = '' OR NOT EXISTS (
       SELECT 1 FROM jobs e
        WHERE e.tenant = j.tenant AND e.lane = j.lane AND e.lane <> '' AND e.seq < j.seq
          AND e.state IN ('queued', 'running')))
 ORDER BY j.seq
 LIMIT 1

-- name: hold_next_job
-- What another worker is just claiming is passed over.
/* use: next_job */
FOR UPDATE OF j SKIP LOCKED;

-- name: page_of_jobs
SELECT /* use: job_columns */ FROM jobs j
 WHERE j.tenant = :tenant
   AND j.state = ANY (ARRAY(SELECT json_array_elements_text(:states::json)))
   AND (:before::text IS NULL
        OR j.seq < (SELECT b.seq FROM jobs b WHERE b.tenant = :tenant AND b.id = :before))
 ORDER BY j.seq DESC
 LIMIT :limit;

-- name: purge_jobs
DELETE FROM jobs
 WHERE tenant = :tenant AND user_id = :user_id AND payload ->> 'content' = :content;
