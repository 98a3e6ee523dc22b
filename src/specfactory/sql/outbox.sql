-- name: append_events
-- Keep a batch of events with the change that they tell of.
INSERT INTO outbox (events) VALUES (:events);

-- name: undelivered_events
-- Batches nobody has been told of, the first one first.
SELECT id, events FROM outbox WHERE delivered = 0 ORDER BY id LIMIT :limit;

-- name: events_delivered
-- Mark a batch as told.
UPDATE outbox SET delivered = 1 WHERE id = :id;

-- name: recent_events
-- The latest batches, the latest first.
SELECT id, events FROM outbox ORDER BY id DESC LIMIT :limit;

-- name: prune_events
-- Forget batches that were told, but for the latest ones.
DELETE FROM outbox
WHERE delivered = 1 AND id <= (SELECT COALESCE(MAX(id), 0) FROM outbox) - CAST(:keep AS BIGINT);
