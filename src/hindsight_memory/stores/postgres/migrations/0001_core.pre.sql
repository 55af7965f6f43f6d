-- One row for each thing remembered. Text that is compared or sorted has the collation "C", so that
-- its order is that of every other store. JSON of the type json is kept as it was written: jsonb
-- refuses a NUL in a string.
CREATE TABLE memories (
    seq               bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,  -- what the indexes call it
    id                text COLLATE "C" NOT NULL UNIQUE,
    tenant            text COLLATE "C" NOT NULL,
    user_id           text COLLATE "C" NOT NULL,
    agent_id          text COLLATE "C" NOT NULL,
    project           text COLLATE "C" NOT NULL,
    session_id        text COLLATE "C" NOT NULL,
    visibility        text COLLATE "C" NOT NULL,
    content           text COLLATE "C" NOT NULL,
    layer             text COLLATE "C" NOT NULL,
    memory_type       text COLLATE "C" NOT NULL,
    scene             text COLLATE "C" NOT NULL,
    tags              text[] COLLATE "C" NOT NULL,
    metadata          json NOT NULL,
    related_ids       text[] COLLATE "C" NOT NULL,
    event             json,
    tool              text COLLATE "C",                -- of the event
    subject           text COLLATE "C" NOT NULL,
    status            text COLLATE "C" NOT NULL,
    source            text COLLATE "C" NOT NULL,
    trust             double precision NOT NULL,
    confidence        double precision NOT NULL,
    importance        double precision NOT NULL,
    evidence          text[] COLLATE "C" NOT NULL,
    counter_examples  text[] COLLATE "C" NOT NULL,
    superseded_by     text COLLATE "C",
    supersedes        text COLLATE "C",
    valid_from        timestamptz,
    valid_to          timestamptz,
    created_at        timestamptz NOT NULL,
    updated_at        timestamptz NOT NULL,
    retired_at        timestamptz,
    last_accessed_at  timestamptz,
    access_count      bigint NOT NULL,
    used_count        bigint NOT NULL,
    heat              double precision NOT NULL,
    tier              text COLLATE "C" NOT NULL,
    expires_at        timestamptz,
    deleted_at        timestamptz,
    version           integer NOT NULL,
    happened_at       timestamptz NOT NULL,            -- valid_from, else created_at
    identity          text COLLATE "C" NOT NULL,       -- core.identity: content and place
    salt              text COLLATE "C" NOT NULL,       -- of the seal in the audit log; goes with the row
    written           bigint NOT NULL                  -- that of its scope when it came
) WITH (fillfactor = 90);                              -- a read counts in place

CREATE INDEX memories_by_tenant ON memories (tenant, id);
CREATE INDEX memories_by_user ON memories (tenant, user_id, id);
CREATE INDEX memories_by_session ON memories (tenant, user_id, session_id, id) WHERE session_id <> '';
CREATE INDEX memories_by_tool ON memories (tenant, user_id, tool, id) WHERE tool IS NOT NULL;
CREATE INDEX memories_by_successor ON memories (superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX memories_by_predecessor ON memories (supersedes) WHERE supersedes IS NOT NULL;
CREATE INDEX memories_with_links ON memories (tenant)
    WHERE related_ids <> '{}' OR evidence <> '{}' OR counter_examples <> '{}';
CREATE UNIQUE INDEX memories_once ON memories (identity) WHERE retired_at IS NULL AND deleted_at IS NULL;

-- What lacks vectors, and how many its content needs; 1 where that is not counted yet. Apart from the
-- memories, because to change one field of a row is to write all of it anew.
CREATE TABLE unembedded (
    seq       bigint PRIMARY KEY REFERENCES memories ON DELETE CASCADE,
    tenant    text COLLATE "C" NOT NULL,
    missing   integer NOT NULL,
    retry_at  timestamptz                              -- when to embed again what could not be embedded
);

-- What the indexes know of one user's memories. ``written`` counts changes; who makes one holds the row.
CREATE TABLE scopes (
    scope      integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant     text COLLATE "C" NOT NULL,
    user_id    text COLLATE "C" NOT NULL,
    documents  bigint NOT NULL DEFAULT 0,
    terms      bigint NOT NULL DEFAULT 0,
    written    bigint NOT NULL DEFAULT 0,
    UNIQUE (tenant, user_id)
) WITH (fillfactor = 50);

-- core.kinship: under which keys a memory is compared with others.
CREATE TABLE keys (
    tenant   text COLLATE "C" NOT NULL,
    user_id  text COLLATE "C" NOT NULL,
    key      text COLLATE "C" NOT NULL,
    seq      bigint NOT NULL REFERENCES memories ON DELETE CASCADE,
    PRIMARY KEY (tenant, user_id, key, seq)
);
CREATE INDEX keys_by_memory ON keys (seq);

-- Which memories rest on which: evidence and counter-examples, the other way round.
CREATE TABLE supports (
    tenant        text COLLATE "C" NOT NULL,
    supporter_id  text COLLATE "C" NOT NULL,
    seq           bigint NOT NULL REFERENCES memories ON DELETE CASCADE,
    PRIMARY KEY (tenant, supporter_id, seq)
);
CREATE INDEX supports_by_memory ON supports (seq);

-- What is not to come back, also once its memory was purged: hence no text, and no reference.
CREATE TABLE rejections (
    tenant     text COLLATE "C" NOT NULL,
    user_id    text COLLATE "C" NOT NULL,
    key        text COLLATE "C" NOT NULL,
    memory_id  text COLLATE "C" NOT NULL,
    trust      double precision NOT NULL,
    at         timestamptz NOT NULL,
    PRIMARY KEY (tenant, user_id, key)
);

-- How many terms each memory has, and how often which.
CREATE TABLE words (
    seq     bigint PRIMARY KEY REFERENCES memories ON DELETE CASCADE,
    tenant  text COLLATE "C" NOT NULL,
    total   integer NOT NULL
);
CREATE TABLE postings (
    tenant  text COLLATE "C" NOT NULL,
    scope   integer NOT NULL,
    term    text COLLATE "C" NOT NULL,
    seq     bigint NOT NULL,
    count   integer NOT NULL,
    total   integer NOT NULL                           -- of the memory: no search has to look it up
);
-- All that a search reads, and so it reads nothing else.
CREATE UNIQUE INDEX postings_by_term ON postings (tenant, scope, term, seq) INCLUDE (count, total);
CREATE INDEX postings_by_memory ON postings (seq);

-- Of no tenant.
CREATE TABLE models (
    model        integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    fingerprint  text COLLATE "C" NOT NULL UNIQUE,
    dimensions   integer                               -- known with its first vector
);

-- Rows of up to a page stay in one piece: a search compares thousands of them.
CREATE TABLE vectors (
    tenant     text COLLATE "C" NOT NULL,
    scope      integer NOT NULL REFERENCES scopes,
    model      integer NOT NULL REFERENCES models,
    seq        bigint NOT NULL REFERENCES memories ON DELETE CASCADE,
    passage    integer NOT NULL,
    embedding  vector NOT NULL,
    PRIMARY KEY (seq, model, passage)
) WITH (toast_tuple_target = 8160);
CREATE INDEX vectors_by_scope ON vectors (tenant, scope, model);

-- Of each scope the sum of its vectors, whose direction is their middle.
CREATE TABLE middles (
    tenant   text COLLATE "C" NOT NULL,
    scope    integer NOT NULL REFERENCES scopes,
    model    integer NOT NULL REFERENCES models,
    vectors  bigint NOT NULL,
    total    vector NOT NULL,
    PRIMARY KEY (scope, model)
) WITH (fillfactor = 50);

-- Near neighbours of one model, in half precision: half the size, and what is found is compared anew.
-- Here, and not where vectors are written, because only the owner may make an index. Above 4,000
-- dimensions pgvector makes none, and every search compares all vectors of its scope.
CREATE FUNCTION index_vectors(model integer, dimensions integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    IF dimensions <= 4000 THEN
        EXECUTE format(
            'CREATE INDEX IF NOT EXISTS vectors_near_%s ON vectors'
            ' USING hnsw ((embedding::halfvec(%s)) halfvec_ip_ops) WHERE model = %s',
            model, dimensions, model);
    END IF;
END $$;
REVOKE ALL ON FUNCTION index_vectors FROM PUBLIC;

CREATE TABLE revisions (
    memory_id  text COLLATE "C" NOT NULL,
    version    integer NOT NULL,
    tenant     text COLLATE "C" NOT NULL,
    at         timestamptz NOT NULL,
    actor      text COLLATE "C" NOT NULL,
    operation  text COLLATE "C" NOT NULL,
    reason     text COLLATE "C" NOT NULL,
    before     json NOT NULL,                          -- field -> what it held
    PRIMARY KEY (memory_id, version)
);

-- No content here: an entry outlives a purge. Each hash covers the entry, letter by letter, and the
-- hash before it.
CREATE TABLE audit (
    entry      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant     text COLLATE "C" NOT NULL,
    at         text COLLATE "C" NOT NULL,
    actor      text COLLATE "C" NOT NULL,
    operation  text COLLATE "C" NOT NULL,
    memory_id  text COLLATE "C" NOT NULL,
    version    integer NOT NULL,
    seal       text COLLATE "C" NOT NULL,
    hash       text COLLATE "C" NOT NULL
);
CREATE INDEX audit_by_tenant ON audit (tenant, entry);
CREATE INDEX audit_by_memory ON audit (memory_id, entry);

CREATE TABLE receipts (
    tenant          text COLLATE "C" NOT NULL,
    user_id         text COLLATE "C" NOT NULL,
    key             text COLLATE "C" NOT NULL,
    request_digest  text COLLATE "C" NOT NULL,
    outcome         text COLLATE "C" NOT NULL,
    reason          text COLLATE "C" NOT NULL,
    memory_id       text COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant, user_id, key)
);
CREATE INDEX receipts_by_memory ON receipts (memory_id);

CREATE TABLE recalls (
    tenant    text COLLATE "C" NOT NULL,
    id        text COLLATE "C" NOT NULL,
    user_id   text COLLATE "C" NOT NULL,
    at        timestamptz NOT NULL,
    hit_ids   text[] COLLATE "C" NOT NULL,
    used_ids  text[] COLLATE "C" NOT NULL,
    helped    integer,
    PRIMARY KEY (tenant, id)
);

-- What memory itself has shown in a session, so that it is recognised when it comes back. Of the
-- text only a hash, and that goes with the memory.
CREATE TABLE injections (
    tenant      text COLLATE "C" NOT NULL,
    user_id     text COLLATE "C" NOT NULL,
    session_id  text COLLATE "C" NOT NULL,
    memory_id   text COLLATE "C" NOT NULL,
    digest      text COLLATE "C" NOT NULL,
    at          timestamptz NOT NULL,                  -- when it was first shown there
    PRIMARY KEY (tenant, user_id, session_id, memory_id, digest)
);
CREATE INDEX injections_by_memory ON injections (memory_id);

-- What agents have in hand in a session. It ends by itself; what is to last is a memory.
CREATE TABLE sessions (
    tenant      text COLLATE "C" NOT NULL,
    user_id     text COLLATE "C" NOT NULL,
    session_id  text COLLATE "C" NOT NULL,
    document    json NOT NULL,                         -- see core.working
    version     integer NOT NULL,                      -- of the document; an optimistic lock
    updated_at  timestamptz NOT NULL,
    expires_at  timestamptz NOT NULL,
    PRIMARY KEY (tenant, user_id, session_id)
);
CREATE INDEX sessions_by_end ON sessions (expires_at);

-- Work for later, core.jobs. What is done leaves no payload.
CREATE TABLE jobs (
    seq          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,  -- the order they came in
    id           text COLLATE "C" NOT NULL,
    tenant       text COLLATE "C" NOT NULL,
    user_id      text COLLATE "C" NOT NULL,
    kind         text COLLATE "C" NOT NULL,
    lane         text COLLATE "C" NOT NULL,
    payload      jsonb NOT NULL,
    state        text COLLATE "C" NOT NULL,
    attempts     integer NOT NULL,
    created_at   timestamptz NOT NULL,
    updated_at   timestamptz NOT NULL,
    due_at       timestamptz NOT NULL,
    holder       text COLLATE "C" NOT NULL,
    lease_until  timestamptz,
    result       jsonb NOT NULL,
    reason       text COLLATE "C" NOT NULL,
    UNIQUE (tenant, id)
);
CREATE INDEX jobs_to_do ON jobs (seq) WHERE state IN ('queued', 'running');
CREATE INDEX jobs_by_lane ON jobs (tenant, lane, seq) WHERE state IN ('queued', 'running') AND lane <> '';
CREATE INDEX jobs_by_state ON jobs (state, updated_at);

-- Rows of another tenant do not exist, also for the owner of the tables. Both settings are made for
-- one transaction; without them there are no rows. The subqueries are run once, not for each row.
DO $$
DECLARE
    of_tenants CONSTANT text[] := ARRAY[
        'memories', 'unembedded', 'scopes', 'keys', 'supports', 'rejections', 'words', 'postings',
        'vectors', 'middles', 'revisions', 'audit', 'receipts', 'recalls', 'injections', 'sessions',
        'jobs'];
    name text;
BEGIN
    FOREACH name IN ARRAY of_tenants LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format(
            'CREATE POLICY of_tenant ON %I USING ('
            '    tenant = (SELECT nullif(current_setting(''hindsight_memory.tenant'', true), ''''))'
            '    OR (SELECT current_setting(''hindsight_memory.upkeep'', true)) = ''on'')', name);
    END LOOP;
END $$;
