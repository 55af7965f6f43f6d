-- What every SQL store asks in the same words: purging. What differs is beside each store.

-- name: purge_memory
-- With what hangs on its row: vectors, keys, counts of words.
DELETE FROM memories WHERE id = :id AND tenant = :tenant;

-- name: purge_revisions
DELETE FROM revisions WHERE memory_id = :id AND tenant = :tenant;

-- name: purge_receipts
DELETE FROM receipts WHERE memory_id = :id AND tenant = :tenant;

-- name: purge_supports
DELETE FROM supports WHERE tenant = :tenant AND supporter_id = :id;

-- name: link_successor
-- What a purged memory replaced is now replaced by what replaced that; it stays retired.
UPDATE memories SET superseded_by = :superseded_by
 WHERE superseded_by = :id AND tenant = :tenant;

-- name: link_predecessor
UPDATE memories SET supersedes = :supersedes
 WHERE supersedes = :id AND tenant = :tenant;
