-- Lookups that take as long with a million jobs as with ten thousand: the jobs of a key, of a tag,
-- and how many there are. The triggers that keep tags and counts stand in the folder of each
-- database. A waiting job is in no more indexes than before.
DROP INDEX jobs_active;
CREATE UNIQUE INDEX jobs_active ON jobs (key, kind)
    WHERE run_id IS NULL AND status IN ('queued', 'in_progress', 'awaiting_review', 'paused');
DROP INDEX jobs_of_run;
CREATE UNIQUE INDEX jobs_of_run ON jobs (run_id, key, kind) WHERE run_id IS NOT NULL;
CREATE INDEX jobs_idle_by_key ON jobs (key) WHERE status NOT IN ('queued', 'in_progress');

CREATE TABLE job_tags (
    tag TEXT NOT NULL,
    job_id BIGINT NOT NULL,
    PRIMARY KEY (tag, job_id)
);
