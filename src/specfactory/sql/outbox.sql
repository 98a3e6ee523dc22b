-- name: append_events
-- Add a batch of events in the transaction of their change.
INSERT INTO outbox (events) VALUES (:events);

-- name: undelivered_events
-- Undelivered batches, the first one first.
SELECT id, events FROM outbox WHERE delivered = 0 ORDER BY id LIMIT :limit;

-- name: events_delivered
-- Mark a batch as delivered.
UPDATE outbox SET delivered = 1 WHERE id = :id;

-- name: recent_events
-- The latest batches, the latest first.
SELECT id, events FROM outbox ORDER BY id DESC LIMIT :limit;

-- name: prune_events
-- Delete delivered batches, but for the latest ones.
DELETE FROM outbox
WHERE delivered = 1 AND id <= (SELECT COALESCE(MAX(id), 0) FROM outbox) - CAST(:keep AS BIGINT);
