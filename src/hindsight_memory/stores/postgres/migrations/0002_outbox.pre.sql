-- What an index of vectors beside this database is still to be told: that those of a memory changed,
-- and no more, so that to tell it twice is harmless. Only where such an index is fed.
CREATE TABLE feeding (
    id  integer PRIMARY KEY CHECK (id = 1)
);

CREATE TABLE outbox (
    entry   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant  text COLLATE "C" NOT NULL,
    scope   integer NOT NULL,
    model   integer NOT NULL,
    seq     bigint NOT NULL
);
CREATE INDEX outbox_by_scope ON outbox (tenant, scope, model, entry);

CREATE FUNCTION promise_changed() RETURNS trigger
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM feeding) THEN
        INSERT INTO outbox (tenant, scope, model, seq)
        SELECT DISTINCT tenant, scope, model, seq FROM changed;
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER promise_added AFTER INSERT ON vectors REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION promise_changed();
CREATE TRIGGER promise_dropped AFTER DELETE ON vectors REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION promise_changed();

ALTER TABLE outbox ENABLE ROW LEVEL SECURITY;
ALTER TABLE outbox FORCE ROW LEVEL SECURITY;
CREATE POLICY of_tenant ON outbox USING (
    tenant = (SELECT nullif(current_setting('hindsight_memory.tenant', true), ''))
    OR (SELECT current_setting('hindsight_memory.upkeep', true)) = 'on');

ALTER TABLE feeding ENABLE ROW LEVEL SECURITY;
ALTER TABLE feeding FORCE ROW LEVEL SECURITY;
CREATE POLICY of_tenant ON feeding USING (true);
