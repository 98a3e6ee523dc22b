-- How pages were fetched, how hosts are doing and how they are treated.
ALTER TABLE pages ADD COLUMN rung TEXT NOT NULL DEFAULT 'http';
ALTER TABLE pages ADD COLUMN proxy TEXT NOT NULL DEFAULT '';
ALTER TABLE pages ADD COLUMN response_hash TEXT REFERENCES bodies (content_hash);
ALTER TABLE pages ADD COLUMN substance_hash TEXT NOT NULL DEFAULT '';

CREATE TABLE visits (
    id {bigserial},
    host TEXT NOT NULL,
    url TEXT NOT NULL,
    at BIGINT NOT NULL,
    outcome TEXT NOT NULL,
    evidence TEXT NOT NULL,
    status BIGINT NOT NULL,
    rung TEXT NOT NULL,
    proxy TEXT NOT NULL,
    size_bytes BIGINT NOT NULL,
    confidence DOUBLE PRECISION,
    timings_ms TEXT,
    page_id TEXT NOT NULL,
    landed TEXT NOT NULL,
    garbled DOUBLE PRECISION NOT NULL
);
CREATE INDEX visits_of_host ON visits (host, at);
CREATE INDEX visits_by_age ON visits (at);

CREATE TABLE host_care (
    host TEXT PRIMARY KEY,
    care TEXT NOT NULL,
    paused_until BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);

CREATE TABLE healing_events (
    id {bigserial},
    host TEXT NOT NULL,
    failure_type TEXT NOT NULL,
    diagnosis TEXT NOT NULL,
    remediation TEXT NOT NULL,
    status TEXT NOT NULL,
    success BIGINT,
    created_at BIGINT NOT NULL,
    checked_at BIGINT,
    reasons TEXT NOT NULL,
    params TEXT NOT NULL,
    before TEXT NOT NULL
);
CREATE INDEX healing_by_host ON healing_events (host, created_at);
CREATE INDEX healing_open ON healing_events (host) WHERE status IN ('tried', 'asked');

CREATE TABLE proxies (
    url_hash TEXT PRIMARY KEY,
    url TEXT NOT NULL,
    place TEXT NOT NULL,
    tier TEXT NOT NULL,
    origin TEXT NOT NULL,
    position BIGINT NOT NULL,
    health TEXT NOT NULL,
    changed_at BIGINT NOT NULL
);
