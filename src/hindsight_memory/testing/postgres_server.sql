-- name: trust_the_system
-- To keep what was written while no test pulls the plug.
ALTER SYSTEM SET fsync = off;

-- name: reload
SELECT pg_reload_conf();

-- name: empty
-- Every table of ours, and the indexes that came with their rows.
DO $$
DECLARE
    name text;
BEGIN
    FOR name IN SELECT c.relname FROM pg_class c WHERE c.relname LIKE 'vectors_near_%' LOOP
        EXECUTE format('DROP INDEX %I', name);
    END LOOP;
    FOR name IN SELECT c.relname FROM pg_class c
                 WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
                   AND c.relname <> 'hindsight_migrations' LOOP
        EXECUTE format('TRUNCATE %I RESTART IDENTITY CASCADE', name);
    END LOOP;
END $$;
