-- One row for each thing remembered. Times are ISO 8601, UTC, with microseconds: text order is time order.
CREATE TABLE memories (
    seq               INTEGER PRIMARY KEY,     -- what the indexes call it
    id                TEXT NOT NULL UNIQUE,
    tenant            TEXT NOT NULL,
    user_id           TEXT NOT NULL,
    agent_id          TEXT NOT NULL,
    project           TEXT NOT NULL,
    session_id        TEXT NOT NULL,
    visibility        TEXT NOT NULL,
    content           TEXT NOT NULL,
    layer             TEXT NOT NULL,
    memory_type       TEXT NOT NULL,
    scene             TEXT NOT NULL,
    tags              TEXT NOT NULL,           -- JSON array, sorted; no quotation mark inside a tag
    metadata          TEXT NOT NULL,           -- JSON object
    related_ids       TEXT NOT NULL,           -- JSON array
    event             TEXT,                    -- JSON object
    subject           TEXT NOT NULL,
    status            TEXT NOT NULL,
    source            TEXT NOT NULL,
    trust             REAL NOT NULL,
    confidence        REAL NOT NULL,
    importance        REAL NOT NULL,
    evidence          TEXT NOT NULL,           -- JSON array
    counter_examples  TEXT NOT NULL,           -- JSON array
    superseded_by     TEXT,
    supersedes        TEXT,
    valid_from        TEXT,
    valid_to          TEXT,
    created_at        TEXT NOT NULL,
    updated_at        TEXT NOT NULL,
    retired_at        TEXT,
    last_accessed_at  TEXT,
    access_count      INTEGER NOT NULL,
    used_count        INTEGER NOT NULL,
    heat              REAL NOT NULL,
    tier              TEXT NOT NULL,
    expires_at        TEXT,
    deleted_at        TEXT,
    version           INTEGER NOT NULL,
    happened_at       TEXT NOT NULL,           -- valid_from, else created_at
    identity          TEXT NOT NULL,           -- core.identity: content and place
    missing           INTEGER NOT NULL,        -- vectors that its content still needs; 1 where not counted yet
    retry_at          TEXT                     -- when to embed again what could not be embedded
) STRICT;

CREATE INDEX memories_by_user ON memories (tenant, user_id, id);
-- With what most searches ask of a neighbour, so that they need not read its row.
CREATE INDEX memories_by_session ON memories (
    tenant, user_id, session_id, id, tier, deleted_at, retired_at, visibility, agent_id
) WHERE session_id <> '';
CREATE INDEX memories_by_successor ON memories (superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX memories_by_predecessor ON memories (supersedes) WHERE supersedes IS NOT NULL;
CREATE INDEX memories_with_links ON memories (tenant)
    WHERE related_ids <> '[]' OR evidence <> '[]' OR counter_examples <> '[]';
CREATE UNIQUE INDEX memories_once ON memories (identity) WHERE retired_at IS NULL AND deleted_at IS NULL;

CREATE INDEX memories_to_embed ON memories (id) WHERE missing > 0;
CREATE INDEX memories_postponed ON memories (id) WHERE retry_at IS NOT NULL;

-- core.kinship: under which keys a memory is compared with others.
CREATE TABLE keys (
    tenant   TEXT NOT NULL,
    user_id  TEXT NOT NULL,
    key      TEXT NOT NULL,
    seq      INTEGER NOT NULL REFERENCES memories ON DELETE CASCADE,
    PRIMARY KEY (tenant, user_id, key, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX keys_by_memory ON keys (seq);

-- Which memories rest on which: the evidence of each, the other way round.
CREATE TABLE supports (
    tenant        TEXT NOT NULL,
    supporter_id  TEXT NOT NULL,
    seq           INTEGER NOT NULL REFERENCES memories ON DELETE CASCADE,
    PRIMARY KEY (tenant, supporter_id, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX supports_by_memory ON supports (seq);

-- What is not to come back, also once its memory was purged: hence no text, and no reference.
CREATE TABLE rejections (
    tenant     TEXT NOT NULL,
    user_id    TEXT NOT NULL,
    key        TEXT NOT NULL,
    memory_id  TEXT NOT NULL,
    trust      REAL NOT NULL,
    at         TEXT NOT NULL,
    PRIMARY KEY (tenant, user_id, key)
) STRICT, WITHOUT ROWID;

-- What the indexes know of one user's memories. ``shrunk`` rises when a vector is removed, so that a
-- copy of the vectors in memory knows when adding the newer ones is not enough.
CREATE TABLE scopes (
    scope      INTEGER PRIMARY KEY,
    tenant     TEXT NOT NULL,
    user_id    TEXT NOT NULL,
    documents  INTEGER NOT NULL DEFAULT 0,
    terms      INTEGER NOT NULL DEFAULT 0,
    shrunk     INTEGER NOT NULL DEFAULT 0,
    UNIQUE (tenant, user_id)
) STRICT;

CREATE TABLE models (
    model        INTEGER PRIMARY KEY,
    fingerprint  TEXT NOT NULL UNIQUE
) STRICT;

-- AUTOINCREMENT: a number is never used again, so "newer than the last one seen" misses nothing.
CREATE TABLE vectors (
    vector     INTEGER PRIMARY KEY AUTOINCREMENT,
    scope      INTEGER NOT NULL REFERENCES scopes,
    model      INTEGER NOT NULL REFERENCES models,
    seq        INTEGER NOT NULL REFERENCES memories ON DELETE CASCADE,
    passage    INTEGER NOT NULL,
    embedding  BLOB NOT NULL,                  -- little-endian float32
    UNIQUE (seq, model, passage)
) STRICT;
CREATE INDEX vectors_by_scope ON vectors (scope, model, vector);

-- Terms are made in Python and joined by spaces; each begins with the number of its scope, so that a
-- search reads only the postings of its own scope. The tokenizer does nothing but split at spaces.
CREATE VIRTUAL TABLE words USING fts5 (
    terms,
    tokenize = "ascii tokenchars '!#$%&()*+,-./:;<=>?@[\]^_`{|}~'"
);
CREATE VIRTUAL TABLE words_vocabulary USING fts5vocab (words, row);

CREATE TABLE revisions (
    memory_id  TEXT NOT NULL,
    version    INTEGER NOT NULL,
    tenant     TEXT NOT NULL,
    at         TEXT NOT NULL,
    actor      TEXT NOT NULL,
    operation  TEXT NOT NULL,
    reason     TEXT NOT NULL,
    before     TEXT NOT NULL,                  -- JSON object: field -> what it held
    PRIMARY KEY (memory_id, version)
) STRICT, WITHOUT ROWID;

-- No content here: an entry outlives a purge. Each hash covers the entry and the hash before it.
CREATE TABLE audit (
    entry      INTEGER PRIMARY KEY,
    tenant     TEXT NOT NULL,
    at         TEXT NOT NULL,
    actor      TEXT NOT NULL,
    operation  TEXT NOT NULL,
    memory_id  TEXT NOT NULL,
    version    INTEGER NOT NULL,
    hash       TEXT NOT NULL
) STRICT;
CREATE INDEX audit_by_tenant ON audit (tenant, entry);

CREATE TABLE receipts (
    tenant          TEXT NOT NULL,
    user_id         TEXT NOT NULL,
    key             TEXT NOT NULL,
    request_digest  TEXT NOT NULL,
    outcome         TEXT NOT NULL,
    reason          TEXT NOT NULL,
    memory_id       TEXT NOT NULL,
    PRIMARY KEY (tenant, user_id, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX receipts_by_memory ON receipts (memory_id);

CREATE TABLE recalls (
    tenant    TEXT NOT NULL,
    id        TEXT NOT NULL,
    user_id   TEXT NOT NULL,
    at        TEXT NOT NULL,
    hit_ids   TEXT NOT NULL,                   -- JSON array
    used_ids  TEXT NOT NULL,                   -- JSON array
    helped    INTEGER,
    PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;
