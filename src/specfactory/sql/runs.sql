-- name: open_run
-- Begin a run, unless one of the same configuration is under way.
INSERT INTO runs (config_hash, config, status, created_at)
VALUES (:config_hash, :config, 'open', :now)
ON CONFLICT DO NOTHING
RETURNING id, config_hash, config, status, created_at, finished_at, summary;

-- name: run_under_way
-- The run of a configuration that is not over.
SELECT id, config_hash, config, status, created_at, finished_at, summary FROM runs
WHERE config_hash = :config_hash AND status IN ('open', 'post_processing');

-- name: lock_runs
-- Lock some runs, always in the same order, which prevents deadlocks.
SELECT id, config_hash, config, status, created_at, finished_at, summary FROM runs
WHERE id IN (SELECT CAST(wanted.key AS BIGINT) FROM json_each(:ids) AS wanted)
ORDER BY id;

-- name: close_run
-- Go on to post-processing if nothing is left to do; no row means that something is.
UPDATE runs SET status = 'post_processing'
WHERE id = :id AND status = 'open' AND NOT EXISTS (
    SELECT 1 FROM jobs
    WHERE jobs.run_id = runs.id AND jobs.run_id IS NOT NULL
        AND jobs.status IN ('queued', 'in_progress', 'paused')
)
RETURNING id;

-- name: reopen_run
-- Reopen a run, unless a later one of the same configuration is under way.
UPDATE runs SET status = :status, finished_at = NULL, summary = NULL
WHERE id = :id AND NOT EXISTS (
    SELECT 1 FROM runs AS later
    WHERE later.config_hash = runs.config_hash AND later.id <> runs.id
        AND later.status IN ('open', 'post_processing')
)
RETURNING id;

-- name: end_run
-- End a run that is under way, with its summary.
UPDATE runs SET status = :status, finished_at = :now, summary = :summary
WHERE id = :id AND status IN ('open', 'post_processing')
RETURNING id;

-- name: withdraw_run_job
-- Cancel the post-processing of a run that goes on; its worker loses the lease.
UPDATE jobs SET status = 'skipped', finished_at = :now, lease_until = NULL
WHERE kind = 'run' AND key = :key AND run_id IS NULL
    AND status IN ('queued', 'in_progress', 'awaiting_review', 'paused')
RETURNING id;

-- name: skip_jobs_of_run
-- Skip everything a run has left to do; workers lose their leases.
UPDATE jobs SET status = 'skipped', finished_at = :now, lease_until = NULL
WHERE run_id = :run_id AND run_id IS NOT NULL AND status IN ('queued', 'in_progress', 'paused')
RETURNING id;

-- name: resume_jobs_of_run
-- Queue what the cancellation of a run left undone; a job that a person skipped stays so.
UPDATE jobs SET status = 'queued', due_at = :now, finished_at = NULL, round = NULL
WHERE run_id = :run_id AND run_id IS NOT NULL AND status = 'skipped'
    AND finished_at = :cancelled_at
RETURNING id;

-- name: runs_left_behind
-- Open runs that had jobs and have none left to do.
SELECT id FROM runs
WHERE status = 'open'
    AND EXISTS (SELECT 1 FROM jobs WHERE jobs.run_id = runs.id)
    AND NOT EXISTS (
        SELECT 1 FROM jobs
        WHERE jobs.run_id = runs.id AND jobs.run_id IS NOT NULL
            AND jobs.status IN ('queued', 'in_progress', 'paused')
    )
ORDER BY id;

-- name: runs_without_post_processing
-- Runs in post-processing without the job for it.
SELECT id FROM runs
WHERE status = 'post_processing' AND NOT EXISTS (
    SELECT 1 FROM jobs
    WHERE jobs.kind = 'run' AND jobs.key = CAST(runs.id AS TEXT) AND jobs.run_id IS NULL
        AND jobs.status IN ('queued', 'in_progress', 'awaiting_review', 'paused')
)
ORDER BY id;

-- name: get_run
-- One run by its id.
SELECT id, config_hash, config, status, created_at, finished_at, summary FROM runs WHERE id = :id;

-- name: list_runs
-- Runs, of one status or of all, the latest first.
SELECT id, config_hash, config, status, created_at, finished_at, summary FROM runs
WHERE CAST(:status AS TEXT) IS NULL OR status = :status
ORDER BY id DESC LIMIT :limit;

-- name: run_progress
-- Number of jobs of a run in each state.
SELECT status, COUNT(*) AS jobs FROM jobs WHERE run_id = :run_id GROUP BY status;

-- name: run_causes
-- Number of errors of a run by cause, retries included.
SELECT job_errors.cause, COUNT(*) AS errors
FROM jobs JOIN job_errors ON job_errors.job_id = jobs.id
WHERE jobs.run_id = :run_id GROUP BY job_errors.cause ORDER BY errors DESC, job_errors.cause;
