-- name: interrupt_attempts
-- Mark attempts that a crashed process left running.
UPDATE attempts
SET status = 'interrupted', finished_at = :at, error = :error
WHERE product_id = :product_id AND status = 'running' AND id <> :id;

-- name: start_attempt
-- Start an attempt at a product.
INSERT INTO attempts (id, product_id, job_id, status, started_at, budget, spent, trace)
VALUES (:id, :product_id, :job_id, 'running', :started_at, :budget, :spent, :trace);

-- name: note_attempt
-- Save the spending and trace of a running attempt.
UPDATE attempts SET spent = :spent, trace = :trace WHERE id = :id AND status = 'running';

-- name: finish_attempt
-- End a running attempt; no row means that a later one took its place.
UPDATE attempts
SET status = :status, finished_at = :finished_at, spent = :spent, error = :error,
    accuracy = :accuracy, trace = :trace
WHERE id = :id AND status = 'running';

-- name: get_attempt
-- One attempt by its id.
SELECT id, product_id, job_id, status, started_at, finished_at, budget, spent, error, accuracy,
    trace
FROM attempts WHERE id = :id;

-- name: list_attempts
-- All attempts at a product, the latest first.
SELECT id, product_id, job_id, status, started_at, finished_at, budget, spent, error, accuracy,
    trace
FROM attempts WHERE product_id = :product_id
ORDER BY started_at DESC, id DESC;

-- name: attempt_traces
-- Traces of a product's attempts since an instant, the earliest first.
SELECT id, trace
FROM attempts WHERE product_id = :product_id AND started_at >= :since
ORDER BY started_at, id;
