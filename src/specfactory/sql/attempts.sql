-- name: interrupt_attempts
-- Mark attempts that a crashed process left running.
UPDATE attempts
SET status = 'interrupted', finished_at = :at, error = :error
WHERE product_id = :product_id AND status = 'running' AND id <> :id
RETURNING id, product_id, job_id, status, started_at, finished_at, budget, spent, error, accuracy;

-- name: interrupt_attempts_of_jobs
-- End the running attempts at jobs that were taken from their worker.
UPDATE attempts
SET status = 'interrupted', finished_at = :at, error = :error
WHERE status = 'running'
    AND job_id IN (SELECT CAST(taken.key AS BIGINT) FROM json_each(:job_ids) AS taken)
RETURNING id, product_id, job_id, status, started_at, finished_at, budget, spent, error, accuracy;

-- name: interrupt_orphans
-- End running attempts that began before an instant at jobs that nobody works on any more.
UPDATE attempts
SET status = 'interrupted', finished_at = :at, error = :error
WHERE status = 'running' AND job_id IS NOT NULL AND started_at < :before
    AND NOT EXISTS (
        SELECT 1 FROM jobs WHERE jobs.id = attempts.job_id AND jobs.status = 'in_progress'
    )
RETURNING id, product_id, job_id, status, started_at, finished_at, budget, spent, error, accuracy;

-- name: attempts_without_job
-- Running attempts that belong to no job, the earliest first.
SELECT id, product_id, job_id, status, started_at, finished_at, budget, spent, error, accuracy
FROM attempts WHERE status = 'running' AND job_id IS NULL
ORDER BY started_at, id;

-- name: interrupt_attempt
-- End one running attempt that its process left behind.
UPDATE attempts
SET status = 'interrupted', finished_at = :at, error = :error
WHERE id = :id AND status = 'running'
RETURNING id, product_id, job_id, status, started_at, finished_at, budget, spent, error, accuracy;

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
