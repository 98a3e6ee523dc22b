-- Changes are added as rows, never to rows: workers that claim at the same time would wait for one
-- another. The sweeper sums them up.
CREATE TABLE job_counts (
    status TEXT NOT NULL,
    kind TEXT NOT NULL,
    priority BIGINT NOT NULL,
    jobs BIGINT NOT NULL
);

CREATE FUNCTION note_jobs_added() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO job_counts (status, kind, priority, jobs)
    SELECT status, kind, priority, COUNT(*) FROM added GROUP BY status, kind, priority;
    INSERT INTO job_tags (tag, job_id)
    SELECT tag, id FROM added, json_array_elements_text(CAST(tags AS JSON)) AS tag
    WHERE tags LIKE '["%' ON CONFLICT DO NOTHING; RETURN NULL; END $$;
CREATE FUNCTION note_jobs_moved() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO job_counts (status, kind, priority, jobs)
    SELECT status, kind, priority, SUM(one) FROM (
        SELECT status, kind, priority, -1 AS one FROM before
        UNION ALL
        SELECT status, kind, priority, 1 FROM moved
    ) AS changed
    GROUP BY status, kind, priority HAVING SUM(one) <> 0; RETURN NULL; END $$;
CREATE FUNCTION note_jobs_deleted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO job_counts (status, kind, priority, jobs)
    SELECT status, kind, priority, -COUNT(*) FROM gone GROUP BY status, kind, priority;
    DELETE FROM job_tags WHERE (tag, job_id) IN (
        SELECT tag, id FROM gone, json_array_elements_text(CAST(tags AS JSON)) AS tag
        WHERE tags LIKE '["%'
    ); RETURN NULL; END $$;

CREATE TRIGGER jobs_added AFTER INSERT ON jobs
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_jobs_added();
CREATE TRIGGER jobs_moved AFTER UPDATE ON jobs
    REFERENCING OLD TABLE AS before NEW TABLE AS moved
    FOR EACH STATEMENT EXECUTE FUNCTION note_jobs_moved();
CREATE TRIGGER jobs_deleted AFTER DELETE ON jobs
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION note_jobs_deleted();

INSERT INTO job_counts (status, kind, priority, jobs)
SELECT status, kind, priority, COUNT(*) FROM jobs GROUP BY status, kind, priority;
INSERT INTO job_tags (tag, job_id)
SELECT DISTINCT tag, id FROM jobs, json_array_elements_text(CAST(tags AS JSON)) AS tag
WHERE tags LIKE '["%';
