-- name: append_events
-- Add a batch of events in the transaction of their change.
INSERT INTO outbox (events) VALUES (:events);

-- name: event_reader_seen
-- Note that an event log is being written.
INSERT INTO event_readers (reader, seen_at) VALUES (:reader, :now)
ON CONFLICT (reader) DO UPDATE SET seen_at = excluded.seen_at;

-- name: event_readers
-- Every event log, and when it was last written.
SELECT reader, seen_at FROM event_readers ORDER BY reader;

-- name: forget_event_readers
-- Forget event logs that nobody has written for long, so that they keep nothing from being pruned.
DELETE FROM event_readers WHERE seen_at < :before;

-- name: continue_event_log
-- Regard as received what any log has received: this one was written by an earlier version.
INSERT INTO event_deliveries (reader, batch_id)
SELECT CAST(:reader AS TEXT), id FROM outbox WHERE delivered = 1
ON CONFLICT (reader, batch_id) DO NOTHING;

-- name: undelivered_events
-- Batches after an id that an event log has not received, the first one first.
SELECT id, events FROM outbox
WHERE id > :after AND NOT EXISTS (
    SELECT 1 FROM event_deliveries
    WHERE event_deliveries.reader = :reader AND event_deliveries.batch_id = outbox.id
)
ORDER BY id LIMIT :limit;

-- name: deliver_events
-- Note that an event log has received a batch.
INSERT INTO event_deliveries (reader, batch_id) VALUES (:reader, :id)
ON CONFLICT (reader, batch_id) DO NOTHING;

-- name: events_delivered
-- Mark a batch as delivered to some event log.
UPDATE outbox SET delivered = 1 WHERE id = :id;

-- name: recent_events
-- The latest batches, the latest first.
SELECT id, events FROM outbox ORDER BY id DESC LIMIT :limit;

-- name: prune_events
-- Delete batches that every event log has received, but for the latest ones.
DELETE FROM outbox
WHERE delivered = 1 AND id <= (SELECT COALESCE(MAX(id), 0) FROM outbox) - CAST(:keep AS BIGINT)
    AND NOT EXISTS (
        SELECT 1 FROM event_readers WHERE NOT EXISTS (
            SELECT 1 FROM event_deliveries
            WHERE event_deliveries.reader = event_readers.reader
                AND event_deliveries.batch_id = outbox.id
        )
    );

-- name: prune_deliveries
-- Forget who has received batches that are gone.
DELETE FROM event_deliveries WHERE batch_id < (SELECT COALESCE(MIN(id), 0) FROM outbox);
