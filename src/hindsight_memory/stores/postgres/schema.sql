-- name: is_there
-- In the schema that new tables would be made in.
SELECT to_regclass(format('%I.hindsight_migrations', current_schema())) IS NOT NULL;

-- name: make_ledger
CREATE TABLE IF NOT EXISTS hindsight_migrations (
    number      integer NOT NULL,
    half        text NOT NULL CHECK (half IN ('pre', 'post')),
    applied_at  timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (number, half)
);

-- name: applied
SELECT number, half FROM hindsight_migrations;

-- name: note_applied
INSERT INTO hindsight_migrations (number, half) VALUES (:number, :half);

-- name: hold_schema
SELECT pg_advisory_xact_lock(hashtext('hindsight_memory schema'), hashtext(current_schema()));

-- name: extension_version
SELECT extversion FROM pg_extension WHERE extname = 'vector';

-- name: make_extension
CREATE EXTENSION IF NOT EXISTS vector;

-- name: may_write
SELECT has_table_privilege(:role, 'memories', 'INSERT')
   AND has_function_privilege(:role, 'index_vectors(integer, integer)', 'EXECUTE');

-- name: grant
-- To the role that serves: rows of every table that has tenants, and no more.
DO $$
DECLARE
    role CONSTANT text := current_setting('hindsight_memory.role');
    name text;
BEGIN
    EXECUTE format('GRANT USAGE ON SCHEMA %I TO %I', current_schema(), role);
    EXECUTE format('GRANT SELECT ON hindsight_migrations TO %I', role);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE ON models TO %I', role);
    EXECUTE format('GRANT EXECUTE ON FUNCTION index_vectors TO %I', role);
    FOR name IN SELECT c.relname FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid
                 WHERE p.polname = 'of_tenant' AND c.relnamespace = current_schema()::regnamespace
    LOOP
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO %I', name, role);
    END LOOP;
END $$;

-- name: name_role
SELECT set_config('hindsight_memory.role', :role, true);

-- name: role
SELECT current_setting('server_version'), e.extversion, current_user,
       r.rolsuper OR r.rolbypassrls,
       pg_has_role(current_user, c.relowner, 'USAGE')
  FROM pg_roles r, pg_class c, pg_extension e
 WHERE r.rolname = current_user AND c.oid = to_regclass('memories') AND e.extname = 'vector';

-- name: who
SELECT current_user;
