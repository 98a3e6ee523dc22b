-- The queue: jobs with their leases, what went wrong with them, runs, workers.
-- Every index of jobs is partial: a waiting job is in two, and the claim never meets others.

CREATE TABLE runs (
    id {bigserial},
    config_hash TEXT NOT NULL,
    config TEXT NOT NULL,
    status TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    finished_at BIGINT,
    summary TEXT
);
CREATE UNIQUE INDEX runs_open ON runs (config_hash) WHERE status IN ('open', 'post_processing');

CREATE TABLE jobs (
    id {bigserial},
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    category TEXT NOT NULL,
    status TEXT NOT NULL,
    priority BIGINT NOT NULL,
    priority_reason TEXT NOT NULL,
    payload TEXT NOT NULL,
    run_id BIGINT REFERENCES runs (id),
    tags TEXT NOT NULL,
    overrides TEXT NOT NULL,
    added_at BIGINT NOT NULL,
    added_by TEXT NOT NULL,
    due_at BIGINT NOT NULL,
    attempts BIGINT NOT NULL,
    max_attempts BIGINT NOT NULL,
    round BIGINT,
    last_attempt_at BIGINT,
    last_error TEXT,
    finished_at BIGINT,
    lease_token BIGINT NOT NULL DEFAULT 0,
    lease_owner TEXT,
    lease_until BIGINT
);
CREATE UNIQUE INDEX jobs_active ON jobs (kind, key)
    WHERE run_id IS NULL AND status IN ('queued', 'in_progress', 'awaiting_review', 'paused');
CREATE UNIQUE INDEX jobs_of_run ON jobs (run_id, kind, key) WHERE run_id IS NOT NULL;
CREATE INDEX jobs_claim ON jobs (kind, priority, due_at, id) WHERE status = 'queued';
CREATE INDEX jobs_leased ON jobs (lease_until, id) WHERE status = 'in_progress';
CREATE INDEX jobs_idle ON jobs (status, finished_at, id)
    WHERE status NOT IN ('queued', 'in_progress');
CREATE INDEX jobs_left_in_run ON jobs (run_id)
    WHERE run_id IS NOT NULL AND status IN ('queued', 'in_progress', 'paused');

CREATE TABLE job_errors (
    id {bigserial},
    job_id BIGINT NOT NULL,
    attempt BIGINT NOT NULL,
    at BIGINT NOT NULL,
    worker TEXT NOT NULL,
    station TEXT NOT NULL,
    cause TEXT NOT NULL,
    message TEXT NOT NULL,
    host TEXT NOT NULL,
    permanent BIGINT NOT NULL
);
CREATE INDEX job_errors_by_job ON job_errors (job_id, id);

CREATE TABLE job_summaries (
    day BIGINT NOT NULL,
    kind TEXT NOT NULL,
    status TEXT NOT NULL,
    category TEXT NOT NULL,
    jobs BIGINT NOT NULL,
    PRIMARY KEY (day, kind, status, category)
);

CREATE TABLE workers (
    id TEXT PRIMARY KEY,
    host TEXT NOT NULL,
    pid BIGINT NOT NULL,
    kinds TEXT NOT NULL,
    started_at BIGINT NOT NULL,
    seen_at BIGINT NOT NULL,
    done BIGINT NOT NULL,
    failed BIGINT NOT NULL,
    status TEXT NOT NULL
);
