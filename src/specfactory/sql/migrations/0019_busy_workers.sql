-- Time that a worker was busy, so that the monitor can tell whether more of them would help.
ALTER TABLE workers ADD COLUMN busy_ms BIGINT NOT NULL DEFAULT 0;
