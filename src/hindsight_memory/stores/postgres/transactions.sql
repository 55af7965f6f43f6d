-- name: begin_reading
BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;

-- name: begin_writing
-- Whatever the server's default: who waited for a row has to see what the other has made of it.
BEGIN ISOLATION LEVEL READ COMMITTED;

-- name: enter
-- For this transaction only, so that a pooled connection keeps nothing of it: whose rows there are,
-- and how long a statement may take. What is read is planned for the values asked for: a user with a
-- hundred thousand memories wants another plan than the rest.
SELECT set_config('hindsight_memory.tenant', :tenant, true),
       set_config('hindsight_memory.upkeep', :upkeep, true),
       set_config('statement_timeout', :statement_timeout, true),
       set_config('lock_timeout', :lock_timeout, true),
       set_config('plan_cache_mode', :plans, true),
       set_config('jit', 'off', true);

-- name: commit
COMMIT;

-- name: rollback
ROLLBACK;
