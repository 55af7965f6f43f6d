-- A digest of what each change left, and the salt that goes into it. Both are empty for what was
-- written before; the salt goes with its row, so that a purge leaves nothing to try out.
ALTER TABLE memories ADD COLUMN salt TEXT NOT NULL DEFAULT '';
ALTER TABLE audit ADD COLUMN seal TEXT NOT NULL DEFAULT '';
CREATE INDEX audit_by_memory ON audit (memory_id, entry);
