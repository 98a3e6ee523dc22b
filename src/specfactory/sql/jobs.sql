-- name: add_jobs
-- Queue a batch of jobs, each an array; one whose subject is active already is skipped.
WITH given AS MATERIALIZED (
    SELECT CAST(key AS BIGINT) AS place, value FROM json_each(:jobs)
)
INSERT INTO jobs (
    kind, key, category, status, priority, priority_reason, payload, run_id, tags, overrides,
    added_at, added_by, due_at, attempts, max_attempts, host
)
SELECT
    value ->> 0, value ->> 1, value ->> 2, 'queued', CAST(value ->> 3 AS BIGINT), value ->> 4,
    value ->> 5, CAST(value ->> 6 AS BIGINT), value ->> 7, value ->> 8,
    :now, value ->> 9, CAST(value ->> 10 AS BIGINT), 0, CAST(value ->> 11 AS BIGINT),
    value ->> 12
FROM given WHERE TRUE ORDER BY place
ON CONFLICT DO NOTHING
RETURNING id, kind, key, run_id;

-- name: restore_jobs
-- Restore exported jobs, each an array; an active subject is skipped.
WITH given AS MATERIALIZED (
    SELECT CAST(key AS BIGINT) AS place, value FROM json_each(:jobs)
)
INSERT INTO jobs (
    kind, key, category, status, priority, priority_reason, payload, tags, overrides, added_at,
    added_by, due_at, attempts, max_attempts, last_attempt_at, last_error, last_cause,
    finished_at, host
)
SELECT
    value ->> 0, value ->> 1, value ->> 2, value ->> 3, CAST(value ->> 4 AS BIGINT), value ->> 5,
    value ->> 6, value ->> 7, value ->> 8, CAST(value ->> 9 AS BIGINT), value ->> 10,
    CAST(value ->> 11 AS BIGINT), CAST(value ->> 12 AS BIGINT), CAST(value ->> 13 AS BIGINT),
    CAST(value ->> 14 AS BIGINT), value ->> 15, value ->> 16, CAST(value ->> 17 AS BIGINT),
    value ->> 18
FROM given WHERE TRUE ORDER BY place
ON CONFLICT DO NOTHING
RETURNING id, kind, key, added_at;

-- name: active_subjects
-- The active jobs outside runs with these keys.
SELECT jobs.id, jobs.kind, jobs.key, jobs.run_id
FROM json_each(:keys) AS wanted CROSS JOIN json_each(:kinds) AS lane CROSS JOIN jobs
WHERE jobs.kind = lane.key AND jobs.key = wanted.key AND jobs.run_id IS NULL
    AND jobs.status IN ('queued', 'in_progress', 'awaiting_review', 'paused');

-- name: subjects_of_run
-- The jobs of a run with these keys, in whatever state.
SELECT jobs.id, jobs.kind, jobs.key, jobs.run_id
FROM json_each(:keys) AS wanted CROSS JOIN json_each(:kinds) AS lane CROSS JOIN jobs
WHERE jobs.run_id = :run_id AND jobs.kind = lane.key AND jobs.key = wanted.key;

-- name: known_subjects
-- Times at which jobs with these keys were added, in whatever state.
SELECT jobs.id, jobs.kind, jobs.key, jobs.status, jobs.added_at
FROM jobs JOIN json_each(:keys) AS wanted ON jobs.key = wanted.key
WHERE jobs.run_id IS NULL
ORDER BY jobs.id;

-- name: claim_jobs
-- Lease the most urgent due jobs at no host: a short index range per kind and priority.
UPDATE jobs
SET status = 'in_progress', lease_token = lease_token + 1, attempts = attempts + 1,
    lease_owner = :owner, lease_until = :until, last_attempt_at = :now, round = NULL
WHERE id IN (
    SELECT head.id
    FROM json_each(:kinds) AS lane
    CROSS JOIN (
        SELECT 1 AS level UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4
        UNION ALL SELECT 5
    ) AS urgency
    CROSS JOIN json_each((
        SELECT json_group_array(due.id)
        FROM (
            SELECT id FROM jobs
            WHERE status = 'queued' AND kind = lane.key AND priority = urgency.level
                AND host = '' AND due_at <= :now
            ORDER BY due_at, id LIMIT :count
        ) AS due
    )) AS found
    CROSS JOIN jobs AS head ON head.id = found.value
    -- The order of claims; also above within a priority, in postgres/jobs.sql, in the index jobs_claim
    -- and as _urgency in store/queue/job_leases.py.
    ORDER BY head.priority, head.due_at, head.id
    LIMIT :count
)
RETURNING {job_columns};

-- name: hosts_in_line
-- Hosts with jobs that are due, per kind and priority: one index lookup for each, not one per job.
WITH RECURSIVE line (kind, priority, host, place) AS (
    SELECT lane.key, urgency.level, (
        SELECT jobs.host FROM jobs
        WHERE jobs.status = 'queued' AND jobs.kind = lane.key AND jobs.priority = urgency.level
            AND jobs.host >= :beginning
        ORDER BY jobs.host LIMIT 1
    ), 1
    FROM json_each(:kinds) AS lane
    CROSS JOIN (
        SELECT 1 AS level UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4
        UNION ALL SELECT 5
    ) AS urgency
    UNION ALL
    SELECT line.kind, line.priority, (
        SELECT jobs.host FROM jobs
        WHERE jobs.status = 'queued' AND jobs.kind = line.kind AND jobs.priority = line.priority
            AND jobs.host > line.host
        ORDER BY jobs.host LIMIT 1
    ), line.place + 1
    FROM line WHERE line.host IS NOT NULL AND line.place < :most
)
SELECT line.kind, line.priority, line.host, line.place, EXISTS (
    SELECT 1 FROM jobs
    WHERE jobs.status = 'queued' AND jobs.kind = line.kind AND jobs.priority = line.priority
        AND jobs.host = line.host AND jobs.due_at <= :now
) AS is_due
FROM line WHERE line.host IS NOT NULL;

-- name: claim_at_hosts
-- Lease the first due jobs of some hosts: kind, priority, host and number of each place.
UPDATE jobs
SET status = 'in_progress', lease_token = lease_token + 1, attempts = attempts + 1,
    lease_owner = :owner, lease_until = :until, last_attempt_at = :now, round = NULL
WHERE id IN (
    SELECT found.value
    FROM json_each(:places) AS place
    CROSS JOIN json_each((
        SELECT json_group_array(due.id)
        FROM (
            SELECT id FROM jobs
            WHERE status = 'queued' AND kind = place.value ->> 0
                AND priority = CAST(place.value ->> 1 AS BIGINT) AND host = place.value ->> 2
                AND due_at <= :now
            ORDER BY due_at, id LIMIT :most
        ) AS due
    )) AS found
    WHERE found.key < CAST(place.value ->> 3 AS BIGINT)
)
RETURNING {job_columns};

-- name: renew_leases
-- Renew leases that still hold.
UPDATE jobs SET lease_until = :until
FROM json_each(:leases) AS held
WHERE jobs.id = CAST(held.key AS BIGINT)
    AND jobs.lease_token = CAST(CAST(held.value AS TEXT) AS BIGINT)
    AND jobs.status = 'in_progress'
RETURNING jobs.id;

-- name: jobs_with_runs
-- Those of the leased jobs that belong to a run, or are the post-processing of one.
SELECT jobs.id, jobs.kind, jobs.key, jobs.run_id
FROM json_each(:leases) AS held
JOIN jobs ON jobs.id = CAST(held.key AS BIGINT)
WHERE jobs.run_id IS NOT NULL OR jobs.kind = 'run';

-- name: finish_jobs
-- Complete jobs, their runs locked; a job without a row has lost its lease.
UPDATE jobs SET status = 'complete', finished_at = :now, lease_until = NULL
FROM json_each(:leases) AS held
WHERE jobs.id = CAST(held.key AS BIGINT)
    AND jobs.lease_token = CAST(CAST(held.value AS TEXT) AS BIGINT)
    AND jobs.status = 'in_progress'
RETURNING jobs.id, jobs.kind, jobs.key, jobs.run_id;

-- name: release_jobs
-- Return unstarted claims; they do not count as attempts.
UPDATE jobs SET status = 'queued', attempts = attempts - 1, lease_until = NULL
FROM json_each(:leases) AS held
WHERE jobs.id = CAST(held.key AS BIGINT)
    AND jobs.lease_token = CAST(CAST(held.value AS TEXT) AS BIGINT)
    AND jobs.status = 'in_progress'
RETURNING jobs.id, jobs.run_id;

-- name: defer_job
-- Put a job back until its host may be asked again, without counting an attempt.
UPDATE jobs
SET status = 'queued', attempts = attempts - 1, due_at = :due_at, last_error = :reason,
    last_cause = NULL, waits_for = :host, lease_until = NULL, round = NULL
WHERE id = :id AND lease_token = :token AND status = 'in_progress'
RETURNING id, run_id;

-- name: hasten_pages
-- Make the waiting page jobs of a host due now.
UPDATE jobs SET due_at = :now
WHERE status = 'queued' AND kind = 'page' AND due_at > :now
    AND (key LIKE :plain OR key LIKE :secure)
RETURNING id;

-- name: hasten_job
-- Make a waiting job due now; no row: there is none, or it is due.
UPDATE jobs SET due_at = :now
WHERE kind = :kind AND key = :key AND status = 'queued' AND due_at > :now
RETURNING id;

-- name: retry_job
-- Put a failed job back for a retry; no row means that the lease is lost.
UPDATE jobs
SET status = 'queued', due_at = :due_at, last_error = :error, last_cause = :cause,
    waits_for = '', lease_until = NULL, round = NULL
WHERE id = :id AND lease_token = :token AND status = 'in_progress'
RETURNING id, kind, key, run_id;

-- name: fail_job
-- Make a job a dead letter; no row means that the lease is lost.
UPDATE jobs
SET status = 'failed', last_error = :error, last_cause = :cause, finished_at = :now,
    lease_until = NULL
WHERE id = :id AND lease_token = :token AND status = 'in_progress'
RETURNING id, kind, key, run_id;

-- name: ask_job
-- Set a job aside for review; no row means that the lease is lost.
UPDATE jobs SET status = 'awaiting_review', lease_until = NULL
WHERE id = :id AND lease_token = :token AND status = 'in_progress'
RETURNING id, kind, key, run_id;

-- name: note_round
-- Record the round that a job is in; no row means that the lease is lost.
UPDATE jobs SET round = :round
WHERE id = :id AND lease_token = :token AND status = 'in_progress';

-- name: expired_leases
-- Jobs whose worker has fallen silent, the longest silent first.
SELECT id, kind, key, run_id, lease_token FROM jobs
WHERE status = 'in_progress' AND lease_until <= :now
ORDER BY lease_until, id LIMIT :limit;

-- name: rescue_jobs
-- Take jobs from silent workers: queued again, or dead letters after the last attempt.
UPDATE jobs
SET status = CASE WHEN attempts >= max_attempts THEN 'failed' ELSE 'queued' END,
    finished_at = CASE WHEN attempts >= max_attempts THEN CAST(:now AS BIGINT) END,
    last_error = :error, last_cause = :cause, lease_until = NULL, round = NULL
FROM json_each(:leases) AS held
WHERE jobs.id = CAST(held.key AS BIGINT)
    AND jobs.lease_token = CAST(CAST(held.value AS TEXT) AS BIGINT)
    AND jobs.status = 'in_progress'
    AND jobs.lease_until <= :now
RETURNING {job_columns};

-- name: lock_job
-- Lock one job, for a change that depends on its state.
SELECT {job_columns}
FROM jobs WHERE id = :id;

-- name: move_job
-- Change a job for a person or the schedule; no row means that it has changed meanwhile.
UPDATE jobs
SET status = :status, priority = :priority, priority_reason = :priority_reason,
    due_at = :due_at, attempts = :attempts, finished_at = :finished_at, lease_until = NULL,
    waits_for = '',
    round = NULL
WHERE id = :id AND status = :before AND lease_token = :token
RETURNING {job_columns};

-- name: prioritize_job
-- Give a job another priority, in any state.
UPDATE jobs SET priority = :priority, priority_reason = :reason
WHERE id = :id
RETURNING {job_columns};

-- name: age_jobs
-- Mark jobs completed long ago as stale; only the latest job of a subject counts.
UPDATE jobs SET status = 'stale'
WHERE status = 'complete' AND status NOT IN ('queued', 'in_progress') AND kind = :kind
    AND finished_at < :before
    AND id IN (
        SELECT MAX(id) FROM jobs
        WHERE kind = :kind AND status NOT IN ('queued', 'in_progress') GROUP BY key
    )
RETURNING id;

-- name: delete_idle_jobs
-- Delete all but the latest jobs of a status; those of an open run stay, for its progress.
DELETE FROM jobs
WHERE id IN (
    SELECT id FROM jobs
    WHERE status = :status AND status NOT IN ('queued', 'in_progress')
        AND COALESCE(finished_at, added_at) < :before
        AND (run_id IS NULL OR run_id NOT IN (
            SELECT id FROM runs WHERE status IN ('open', 'post_processing')
        ))
    ORDER BY finished_at DESC, id DESC LIMIT :limit OFFSET :keep
)
RETURNING id, kind, status, category, COALESCE(finished_at, added_at) AS ended_at;

-- name: delete_queued_jobs
-- Delete queued jobs that belong to no run.
DELETE FROM jobs
WHERE id IN (
    SELECT id FROM jobs
    WHERE status = 'queued' AND run_id IS NULL AND added_at < :before
    ORDER BY id LIMIT :limit
)
RETURNING id, kind, status, category, added_at AS ended_at;

-- name: delete_job_errors
-- Delete the errors of deleted jobs.
DELETE FROM job_errors
WHERE job_id IN (SELECT CAST(gone.key AS BIGINT) FROM json_each(:ids) AS gone);

-- name: summarize_jobs
-- Count jobs that are no longer kept in full.
INSERT INTO job_summaries (day, kind, status, category, jobs)
VALUES (:day, :kind, :status, :category, :jobs)
ON CONFLICT (day, kind, status, category)
DO UPDATE SET jobs = job_summaries.jobs + excluded.jobs;

-- name: list_job_summaries
-- The counts of jobs that are no longer kept in full, the latest day first.
SELECT day, kind, status, category, jobs FROM job_summaries
ORDER BY day DESC, kind, status, category;

-- name: add_job_error
-- Add an error of a job.
INSERT INTO job_errors (job_id, attempt, at, worker, station, cause, message, host, permanent,
    page_cause)
VALUES (:job_id, :attempt, :at, :worker, :station, :cause, :message, :host, :permanent,
    :page_cause);

-- name: list_job_errors
-- All errors of a job, the first one first.
SELECT job_id, attempt, at, worker, station, cause, message, host, permanent, page_cause
FROM job_errors WHERE job_id = :job_id ORDER BY id;

-- name: dead_letter_errors
-- The last error of each dead letter, of one run or of all, the latest first.
SELECT job_errors.job_id, job_errors.attempt, job_errors.at, job_errors.worker,
    job_errors.station, job_errors.cause, job_errors.message, job_errors.host,
    job_errors.permanent, job_errors.page_cause
FROM jobs
JOIN job_errors ON job_errors.id = (
    SELECT MAX(latest.id) FROM job_errors AS latest WHERE latest.job_id = jobs.id
)
WHERE jobs.status = 'failed' AND jobs.status NOT IN ('queued', 'in_progress')
    AND (CAST(:run_id AS BIGINT) IS NULL OR jobs.run_id = :run_id)
ORDER BY job_errors.id DESC LIMIT :limit;

-- name: get_job
-- One job by its id.
SELECT {job_columns}
FROM jobs WHERE id = :id;

-- name: jobs_of_key
-- All jobs of a subject, the latest first; each part has its own index.
SELECT {job_columns}
FROM jobs
WHERE id IN (
    SELECT id FROM jobs
    WHERE key = :key AND run_id IS NULL
        AND status IN ('queued', 'in_progress', 'awaiting_review', 'paused')
    UNION ALL
    SELECT id FROM jobs WHERE key = :key AND status NOT IN ('queued', 'in_progress')
    UNION ALL
    SELECT jobs.id FROM runs CROSS JOIN jobs
    WHERE jobs.run_id = runs.id AND jobs.run_id IS NOT NULL AND jobs.key = :key
)
ORDER BY id DESC;

-- name: find_jobs
-- Jobs whose key contains a piece of text, the latest first; the caller checks the other words.
SELECT {job_columns}
FROM jobs WHERE key LIKE :pattern ESCAPE '!' ORDER BY id DESC;

-- name: list_jobs
-- Matching jobs after an id.
SELECT {job_columns}
FROM jobs
WHERE id > :after
    AND (CAST(:status AS TEXT) IS NULL OR status = :status)
    AND (CAST(:category AS TEXT) IS NULL OR category = :category)
    AND (CAST(:kind AS TEXT) IS NULL OR kind = :kind)
    AND (CAST(:run_id AS BIGINT) IS NULL OR run_id = :run_id)
ORDER BY id LIMIT :limit;

-- name: list_idle_jobs
-- Matching jobs of a status that few have, after an id: by its index, not through all jobs.
SELECT {job_columns}
FROM jobs
WHERE status = :status AND status NOT IN ('queued', 'in_progress') AND id > :after
    AND (CAST(:category AS TEXT) IS NULL OR category = :category)
    AND (CAST(:kind AS TEXT) IS NULL OR kind = :kind)
    AND (CAST(:run_id AS BIGINT) IS NULL OR run_id = :run_id)
ORDER BY id + 0 LIMIT :limit;

-- name: list_leased_jobs
-- Matching jobs in progress after an id.
SELECT {job_columns}
FROM jobs
WHERE status = 'in_progress' AND id + 0 > :after
    AND (CAST(:category AS TEXT) IS NULL OR category = :category)
    AND (CAST(:kind AS TEXT) IS NULL OR kind = :kind)
    AND (CAST(:run_id AS BIGINT) IS NULL OR run_id = :run_id)
ORDER BY id + 0 LIMIT :limit;

-- name: list_tagged_jobs
-- Matching jobs of a tag after an id.
SELECT {job_columns}
FROM job_tags CROSS JOIN jobs
WHERE job_tags.tag = :tag AND job_tags.job_id > :after AND jobs.id = job_tags.job_id
    AND (CAST(:status AS TEXT) IS NULL OR status = :status)
    AND (CAST(:category AS TEXT) IS NULL OR category = :category)
    AND (CAST(:kind AS TEXT) IS NULL OR kind = :kind)
    AND (CAST(:run_id AS BIGINT) IS NULL OR run_id = :run_id)
ORDER BY job_tags.job_id LIMIT :limit;

-- name: count_jobs
-- Number of jobs by status, kind and priority, as triggers keep it.
SELECT status, kind, priority, CAST(SUM(jobs) AS BIGINT) AS jobs
FROM job_counts GROUP BY status, kind, priority HAVING SUM(jobs) > 0;

-- name: sum_job_counts
-- Nothing to do here; PostgreSQL keeps a row for each change.
DELETE FROM job_counts WHERE jobs = 0;

-- name: count_due_jobs
-- Number of queued jobs of some kinds that could be claimed now.
SELECT COUNT(*) AS jobs
FROM json_each(:kinds) AS lane
JOIN jobs ON jobs.kind = lane.key
WHERE jobs.status = 'queued' AND jobs.due_at <= :now;

-- name: next_due
-- Time at which the next job of these kinds is due, by one index lookup per host in line.
WITH RECURSIVE line (kind, priority, host) AS (
    SELECT lane.key, urgency.level, (
        SELECT jobs.host FROM jobs
        WHERE jobs.status = 'queued' AND jobs.kind = lane.key AND jobs.priority = urgency.level
        ORDER BY jobs.host LIMIT 1
    )
    FROM json_each(:kinds) AS lane
    CROSS JOIN (
        SELECT 1 AS level UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4
        UNION ALL SELECT 5
    ) AS urgency
    UNION ALL
    SELECT line.kind, line.priority, (
        SELECT jobs.host FROM jobs
        WHERE jobs.status = 'queued' AND jobs.kind = line.kind AND jobs.priority = line.priority
            AND jobs.host > line.host
        ORDER BY jobs.host LIMIT 1
    )
    FROM line WHERE line.host IS NOT NULL
)
SELECT MIN((
    SELECT jobs.due_at FROM jobs
    WHERE jobs.status = 'queued' AND jobs.kind = line.kind AND jobs.priority = line.priority
        AND jobs.host = line.host
    ORDER BY jobs.due_at LIMIT 1
)) AS due_at
FROM line WHERE line.host IS NOT NULL;

-- name: newest_job
-- Time at which the newest job was added.
SELECT (SELECT added_at FROM jobs ORDER BY id DESC LIMIT 1) AS added_at;
