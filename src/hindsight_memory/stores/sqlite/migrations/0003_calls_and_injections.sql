-- The calls of one tool, for advice before the next one.
CREATE INDEX memories_by_tool ON memories (tenant, user_id, event ->> '$.tool', id)
    WHERE event IS NOT NULL;

-- What memory itself has shown in a session, so that it is recognised when it comes back. Of the
-- text only a hash, and that goes with the memory.
CREATE TABLE injections (
    tenant      TEXT NOT NULL,
    user_id     TEXT NOT NULL,
    session_id  TEXT NOT NULL,
    memory_id   TEXT NOT NULL,
    digest      TEXT NOT NULL,
    at          TEXT NOT NULL,                 -- when it was first shown there
    PRIMARY KEY (tenant, user_id, session_id, memory_id, digest)
) STRICT, WITHOUT ROWID;
CREATE INDEX injections_by_memory ON injections (memory_id);
