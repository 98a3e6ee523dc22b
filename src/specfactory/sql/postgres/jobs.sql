-- name: claim_jobs
-- Lease the most urgent due jobs at no host; rows that another worker is leasing are passed over.
WITH best AS MATERIALIZED (
    SELECT head.id
    FROM json_each(:kinds) AS lane
    CROSS JOIN generate_series(1, 5) AS level
    CROSS JOIN LATERAL (
        SELECT id, priority, due_at FROM jobs
        WHERE status = 'queued' AND kind = lane.key AND priority = level AND host = ''
            AND due_at <= :now
        ORDER BY due_at, id LIMIT :count
        FOR UPDATE SKIP LOCKED
    ) AS head
    -- The order of claims; also above within a priority, in ../jobs.sql, in the index jobs_claim
    -- and as _urgency in store/queue/job_leases.py.
    ORDER BY head.priority, head.due_at, head.id
    LIMIT :count
)
UPDATE jobs
SET status = 'in_progress', lease_token = lease_token + 1, attempts = attempts + 1,
    lease_owner = :owner, lease_until = :until, last_attempt_at = :now, round = NULL
FROM best WHERE jobs.id = best.id
RETURNING {job_columns};

-- name: claim_at_hosts
-- Lease the first due jobs of some hosts: kind, priority, host and number of each place.
WITH best AS MATERIALIZED (
    SELECT head.id
    FROM json_each(:places) AS place
    CROSS JOIN LATERAL (
        SELECT id FROM jobs
        WHERE status = 'queued' AND kind = place.value ->> 0
            AND priority = CAST(place.value ->> 1 AS BIGINT) AND host = place.value ->> 2
            AND due_at <= :now
        ORDER BY due_at, id LIMIT LEAST(CAST(place.value ->> 3 AS BIGINT), :most)
        FOR UPDATE SKIP LOCKED
    ) AS head
)
UPDATE jobs
SET status = 'in_progress', lease_token = lease_token + 1, attempts = attempts + 1,
    lease_owner = :owner, lease_until = :until, last_attempt_at = :now, round = NULL
FROM best WHERE jobs.id = best.id
RETURNING {job_columns};

-- name: renew_leases
-- Prolong leases that are still held, locking in the order of the ids.
WITH held AS MATERIALIZED (
    SELECT jobs.id FROM json_each(:leases) AS given
    JOIN jobs ON jobs.id = CAST(given.key AS BIGINT)
        AND jobs.lease_token = CAST(CAST(given.value AS TEXT) AS BIGINT)
    WHERE jobs.status = 'in_progress'
    ORDER BY jobs.id FOR UPDATE OF jobs
)
UPDATE jobs SET lease_until = :until
FROM held WHERE jobs.id = held.id
RETURNING jobs.id;

-- name: finish_jobs
-- Accept results, locking runs, then jobs by id; a job not in the answer has lost its lease.
WITH given AS MATERIALIZED (
    SELECT CAST(key AS BIGINT) AS id, CAST(CAST(value AS TEXT) AS BIGINT) AS token
    FROM json_each(:leases)
),
their_runs AS MATERIALIZED (
    SELECT runs.id FROM runs
    WHERE runs.id IN (
        SELECT CASE
            WHEN jobs.run_id IS NOT NULL THEN jobs.run_id
            WHEN jobs.kind = 'run' AND jobs.key ~ '^[0-9]{1,18}$' THEN CAST(jobs.key AS BIGINT)
        END
        FROM given JOIN jobs ON jobs.id = given.id
    )
    ORDER BY runs.id FOR NO KEY UPDATE OF runs
),
held AS MATERIALIZED (
    SELECT jobs.id FROM given
    JOIN jobs ON jobs.id = given.id AND jobs.lease_token = given.token
    WHERE jobs.status = 'in_progress' AND (SELECT COUNT(*) FROM their_runs) >= 0
    ORDER BY jobs.id FOR UPDATE OF jobs
)
UPDATE jobs SET status = 'complete', finished_at = :now, lease_until = NULL
FROM held WHERE jobs.id = held.id
RETURNING jobs.id, jobs.kind, jobs.key, jobs.run_id;

-- name: lock_job
-- One job, locked for a change that depends on how it stands.
SELECT {job_columns}
FROM jobs WHERE id = :id FOR UPDATE;

-- name: sum_job_counts
-- Replace many changes by their sums; another worker that does the same finds them gone.
WITH changes AS (
    DELETE FROM job_counts WHERE (SELECT COUNT(*) FROM job_counts) > 500
    RETURNING status, kind, priority, jobs
)
INSERT INTO job_counts (status, kind, priority, jobs)
SELECT status, kind, priority, SUM(jobs) FROM changes
GROUP BY status, kind, priority HAVING SUM(jobs) <> 0;
