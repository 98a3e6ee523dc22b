-- name: worker_beat
-- Save a worker's heartbeat with its counts.
INSERT INTO workers (id, host, pid, kinds, started_at, seen_at, done, failed, status, busy_ms)
VALUES (:id, :host, :pid, :kinds, :started_at, :seen_at, :done, :failed, :status, :busy_ms)
ON CONFLICT (id) DO UPDATE SET
    host = excluded.host, pid = excluded.pid, kinds = excluded.kinds,
    started_at = excluded.started_at, seen_at = excluded.seen_at, done = excluded.done,
    failed = excluded.failed, status = excluded.status, busy_ms = excluded.busy_ms;

-- name: worker_gone
-- Mark a worker as stopped in order.
UPDATE workers SET status = 'gone', seen_at = :now WHERE id = :id;

-- name: list_workers
-- All known workers, the longest running first.
SELECT id, host, pid, kinds, started_at, seen_at, done, failed, status, busy_ms
FROM workers ORDER BY started_at, id;

-- name: forget_workers
-- Delete workers that have not been seen for long.
DELETE FROM workers WHERE seen_at < :before;
