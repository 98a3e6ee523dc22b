-- The host that a job waits for, so that the monitor can name it.
ALTER TABLE jobs ADD COLUMN waits_for TEXT NOT NULL DEFAULT '';
