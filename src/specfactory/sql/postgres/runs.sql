-- name: lock_runs
-- Some runs, locked in the order in which everybody locks them.
SELECT id, config_hash, config, status, created_at, finished_at, summary FROM runs
WHERE id IN (SELECT CAST(wanted.key AS BIGINT) FROM json_each(:ids) AS wanted)
ORDER BY id FOR NO KEY UPDATE;
