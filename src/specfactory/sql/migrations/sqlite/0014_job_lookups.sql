-- One row for each status, kind and priority: there is one writer at a time.
CREATE TABLE job_counts (
    status TEXT NOT NULL,
    kind TEXT NOT NULL,
    priority BIGINT NOT NULL,
    jobs BIGINT NOT NULL,
    PRIMARY KEY (status, kind, priority)
) WITHOUT ROWID;

CREATE TRIGGER jobs_added AFTER INSERT ON jobs BEGIN
    INSERT INTO job_counts (status, kind, priority, jobs)
    VALUES (NEW.status, NEW.kind, NEW.priority, 1)
    ON CONFLICT (status, kind, priority) DO UPDATE SET jobs = jobs + 1; END;

CREATE TRIGGER jobs_tagged AFTER INSERT ON jobs WHEN NEW.tags LIKE '["%' BEGIN
    INSERT INTO job_tags (tag, job_id)
    SELECT tag.value, NEW.id FROM json_each(NEW.tags) AS tag WHERE TRUE ON CONFLICT DO NOTHING; END;

CREATE TRIGGER jobs_moved AFTER UPDATE OF status, kind, priority ON jobs
WHEN NEW.status <> OLD.status OR NEW.kind <> OLD.kind OR NEW.priority <> OLD.priority BEGIN
    UPDATE job_counts SET jobs = jobs - 1
    WHERE status = OLD.status AND kind = OLD.kind AND priority = OLD.priority;
    INSERT INTO job_counts (status, kind, priority, jobs)
    VALUES (NEW.status, NEW.kind, NEW.priority, 1)
    ON CONFLICT (status, kind, priority) DO UPDATE SET jobs = jobs + 1; END;

CREATE TRIGGER jobs_deleted AFTER DELETE ON jobs BEGIN
    UPDATE job_counts SET jobs = jobs - 1
    WHERE status = OLD.status AND kind = OLD.kind AND priority = OLD.priority; END;

CREATE TRIGGER jobs_untagged AFTER DELETE ON jobs WHEN OLD.tags LIKE '["%' BEGIN
    DELETE FROM job_tags
    WHERE job_id = OLD.id AND tag IN (SELECT tag.value FROM json_each(OLD.tags) AS tag); END;

INSERT INTO job_counts (status, kind, priority, jobs)
SELECT status, kind, priority, COUNT(*) FROM jobs GROUP BY status, kind, priority;
INSERT INTO job_tags (tag, job_id)
SELECT DISTINCT tag.value, jobs.id FROM jobs, json_each(jobs.tags) AS tag WHERE jobs.tags LIKE '["%';
