-- name: get_care
-- How a host is treated; no row: as the settings say.
SELECT care, paused_until FROM host_care WHERE host = :host;

-- name: list_cares
-- How all hosts are treated that ever ailed.
SELECT host, care, paused_until, updated_at FROM host_care ORDER BY host;

-- name: open_care
-- Make a row to hold, where there is none.
INSERT INTO host_care (host, care, paused_until, updated_at)
VALUES (:host, :care, 0, :now)
ON CONFLICT (host) DO NOTHING;

-- name: hold_care
-- Hold the care of a host until the transaction ends: one worker treats it at a time.
UPDATE host_care SET updated_at = updated_at WHERE host = :host
RETURNING care, paused_until;

-- name: put_care
-- Treat a host like this from now on.
INSERT INTO host_care (host, care, paused_until, updated_at)
VALUES (:host, :care, :paused_until, :now)
ON CONFLICT (host) DO UPDATE SET
    care = excluded.care, paused_until = excluded.paused_until, updated_at = excluded.updated_at;

-- name: claim_probe
-- Be the one who looks whether a host is well again; no row: another was quicker.
UPDATE host_care SET paused_until = :until
WHERE host = :host AND paused_until = :seen AND paused_until > 0 AND paused_until <= :now
RETURNING host;

-- name: put_off_probe
-- Let somebody else look whether a host is well again, from an instant on.
UPDATE host_care SET paused_until = :until WHERE host = :host AND paused_until > 0;

-- name: add_healing
-- Keep what was diagnosed and what is done about it.
INSERT INTO healing_events (host, failure_type, diagnosis, remediation, status, success, created_at,
    checked_at, reasons, params, before)
VALUES (:host, :failure_type, :diagnosis, :remediation, :status, :success, :created_at,
    :checked_at, :reasons, :params, :before)
RETURNING id;

-- name: change_healing
-- Say how a remedy stands.
UPDATE healing_events
SET status = :status, success = :success, checked_at = :checked_at, params = :params
WHERE id = :id;

-- name: get_healing
-- One healing event by its id.
SELECT id, host, failure_type, diagnosis, remediation, status, success, created_at, checked_at,
    reasons, params, before
FROM healing_events WHERE id = :id;

-- name: healings_of_host
-- The healing events of a host, the newest first.
SELECT id, host, failure_type, diagnosis, remediation, status, success, created_at, checked_at,
    reasons, params, before
FROM healing_events WHERE host = :host
ORDER BY created_at DESC, id DESC LIMIT :limit;

-- name: latest_healings
-- The healing events of all hosts, the newest first.
SELECT id, host, failure_type, diagnosis, remediation, status, success, created_at, checked_at,
    reasons, params, before
FROM healing_events
ORDER BY created_at DESC, id DESC LIMIT :limit;

-- name: open_healings
-- What is being tried or asked, for all hosts.
SELECT id, host, failure_type, diagnosis, remediation, status, success, created_at, checked_at,
    reasons, params, before
FROM healing_events WHERE status IN ('tried', 'asked')
ORDER BY created_at, id;

-- name: count_healings
-- How often what was diagnosed, by how that ended.
SELECT diagnosis, remediation, status, COUNT(*) AS events,
    COALESCE(SUM(checked_at - created_at), 0) / 1000.0 AS taken_seconds
FROM healing_events GROUP BY diagnosis, remediation, status
ORDER BY diagnosis, remediation, status;

-- name: prune_healings
-- Forget what was over before an instant.
DELETE FROM healing_events WHERE created_at < :before AND status NOT IN ('tried', 'asked');

-- name: categories_read_at
-- The categories that a host was read for, the most frequent first.
SELECT category FROM yields WHERE host = :host ORDER BY pages DESC, category;

-- name: dead_letters_of_host
-- Dead letters whose last error was at a host, since an instant, the oldest first.
SELECT jobs.id AS job_id, job_errors.cause, job_errors.page_cause
FROM jobs
JOIN job_errors ON job_errors.id = (
    SELECT MAX(latest.id) FROM job_errors AS latest WHERE latest.job_id = jobs.id
)
WHERE jobs.status = 'failed' AND jobs.status NOT IN ('queued', 'in_progress')
    AND job_errors.host = :host AND job_errors.at >= :since
ORDER BY jobs.id LIMIT :limit;
