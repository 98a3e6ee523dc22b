-- The host that a job asks for pages, so that a claim takes from many hosts; the claim goes
-- through the hosts in line instead of meeting every job of the first. Jobs that are at no host
-- have "", and are claimed as before.
ALTER TABLE jobs ADD COLUMN host TEXT NOT NULL DEFAULT '';
DROP INDEX jobs_claim;
CREATE INDEX jobs_claim ON jobs (kind, priority, host, due_at, id) WHERE status = 'queued';
