-- Work for later, core.jobs. What is done leaves no payload.
CREATE TABLE jobs (
    seq          INTEGER PRIMARY KEY AUTOINCREMENT,  -- the order they came in
    id           TEXT NOT NULL,
    tenant       TEXT NOT NULL,
    user_id      TEXT NOT NULL,
    kind         TEXT NOT NULL,
    lane         TEXT NOT NULL,
    payload      TEXT NOT NULL,                -- JSON object
    state        TEXT NOT NULL,
    attempts     INTEGER NOT NULL,
    created_at   TEXT NOT NULL,
    updated_at   TEXT NOT NULL,
    due_at       TEXT NOT NULL,
    holder       TEXT NOT NULL,
    lease_until  TEXT,
    result       TEXT NOT NULL,                -- JSON object
    reason       TEXT NOT NULL,
    UNIQUE (tenant, id)
) STRICT;
CREATE INDEX jobs_to_do ON jobs (seq) WHERE state IN ('queued', 'running');
CREATE INDEX jobs_by_lane ON jobs (tenant, lane, seq) WHERE state IN ('queued', 'running') AND lane <> '';
CREATE INDEX jobs_by_state ON jobs (state, updated_at);
