-- What agents have in hand in a session. It ends by itself; what is to last is a memory.
CREATE TABLE sessions (
    tenant      TEXT NOT NULL,
    user_id     TEXT NOT NULL,
    session_id  TEXT NOT NULL,
    document    TEXT NOT NULL,                 -- JSON, see core.working
    version     INTEGER NOT NULL,              -- of the document; an optimistic lock
    updated_at  TEXT NOT NULL,
    expires_at  TEXT NOT NULL,
    PRIMARY KEY (tenant, user_id, session_id)
) STRICT;
CREATE INDEX sessions_by_end ON sessions (expires_at);
