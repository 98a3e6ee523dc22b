-- name: ended_by_slot
-- Number of jobs that ended in each time slot since an instant, of one run or of all.
SELECT finished_at / CAST(:slot_ms AS BIGINT) AS slot, status, COUNT(*) AS jobs FROM jobs
WHERE status IN ('complete', 'failed') AND status NOT IN ('queued', 'in_progress')
    AND finished_at >= :since
    AND (CAST(:run_id AS BIGINT) IS NULL OR run_id = :run_id)
GROUP BY finished_at / CAST(:slot_ms AS BIGINT), status
ORDER BY slot;

-- name: jobs_at_work
-- Jobs in progress, of one run or of all, the longest leased first.
SELECT {job_columns}
FROM jobs
WHERE status = 'in_progress' AND (CAST(:run_id AS BIGINT) IS NULL OR run_id = :run_id)
ORDER BY lease_until, id LIMIT :limit;

-- name: count_overdue_leases
-- Number of jobs with an expired lease that was not rescued.
SELECT COUNT(*) AS jobs FROM jobs
WHERE status = 'in_progress' AND lease_until < :before
    AND (CAST(:run_id AS BIGINT) IS NULL OR run_id = :run_id);

-- name: latest_dead_letters
-- Dead letters, of one run or of all, the latest first.
SELECT {job_columns}
FROM jobs
WHERE status = 'failed' AND status NOT IN ('queued', 'in_progress')
    AND (CAST(:run_id AS BIGINT) IS NULL OR run_id = :run_id)
ORDER BY finished_at DESC, id DESC LIMIT :limit OFFSET :passed;

-- name: recent_causes
-- Causes of errors since an instant, among the latest errors, the most frequent first.
SELECT cause, station, COUNT(*) AS errors, MAX(at) AS last_at FROM job_errors
WHERE id > (SELECT COALESCE(MAX(id), 0) FROM job_errors) - CAST(:most AS BIGINT) AND at >= :since
    AND (CAST(:run_id AS BIGINT) IS NULL OR job_id IN (
        SELECT jobs.id FROM jobs WHERE jobs.run_id = :run_id
    ))
GROUP BY cause, station ORDER BY errors DESC, cause, station;

-- name: dead_causes
-- Causes of the latest dead letters, the most frequent first.
SELECT job_errors.cause, job_errors.station, COUNT(*) AS jobs
FROM (
    SELECT id FROM jobs
    WHERE status = 'failed' AND status NOT IN ('queued', 'in_progress')
        AND (CAST(:run_id AS BIGINT) IS NULL OR run_id = :run_id)
    ORDER BY finished_at DESC, id DESC LIMIT :most
) AS dead
JOIN job_errors ON job_errors.id = (
    SELECT MAX(latest.id) FROM job_errors AS latest WHERE latest.job_id = dead.id
)
GROUP BY job_errors.cause, job_errors.station
ORDER BY jobs DESC, job_errors.cause, job_errors.station;

-- name: database_size
-- The size of the database in bytes.
SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size();

-- name: waiting_for
-- What jobs that are not due wait for, among some thousands of them, the most frequent first.
SELECT host, COALESCE(cause, '') AS cause, COUNT(*) AS jobs, MIN(due_at) AS until
FROM (
    SELECT CASE WHEN last_cause IS NULL THEN waits_for ELSE '' END AS host,
        last_cause AS cause, due_at
    FROM jobs
    WHERE status = 'queued' AND due_at > :now
        AND (CAST(:run_id AS BIGINT) IS NULL OR run_id = :run_id)
    LIMIT :most
) AS later
GROUP BY host, COALESCE(cause, '')
ORDER BY jobs DESC, host, cause;

-- name: depth_of_run
-- Number of jobs of a run by status and priority.
SELECT status, priority, COUNT(*) AS jobs FROM jobs
WHERE run_id = :run_id AND run_id IS NOT NULL GROUP BY status, priority;

-- name: due_in_run
-- Number of jobs of a run that could be claimed now.
SELECT COUNT(*) AS jobs FROM jobs
WHERE run_id = :run_id AND run_id IS NOT NULL AND status IN ('queued', 'in_progress', 'paused')
    AND status = 'queued' AND due_at <= :now;

-- name: events_naming
-- The latest batches of events that contain a text, the first one first.
SELECT id, events FROM outbox
WHERE id > (SELECT COALESCE(MAX(id), 0) FROM outbox) - CAST(:most AS BIGINT)
    AND events LIKE :pattern
ORDER BY id;

-- name: visited_hosts
-- Visits by host since an instant and how many gave their page; those that fail most first.
SELECT host, COUNT(*) AS visits,
    CAST(SUM(CASE WHEN outcome IN (SELECT key FROM json_each(:good)) THEN 1 ELSE 0 END) AS BIGINT)
        AS good
FROM (
    SELECT host, outcome FROM visits WHERE at >= :since ORDER BY at DESC LIMIT :most
) AS latest
GROUP BY host
ORDER BY COUNT(*) - SUM(
    CASE WHEN outcome IN (SELECT key FROM json_each(:good)) THEN 1 ELSE 0 END
) DESC, visits DESC, host
LIMIT :limit;
