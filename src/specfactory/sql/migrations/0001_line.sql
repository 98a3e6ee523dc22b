-- The line: products, attempts, pages, readings, records, reviews, knowledge, events.
-- {blob} and {bigserial} are filled in by each database. Times are milliseconds since 1970.

CREATE TABLE products (
    id TEXT PRIMARY KEY,
    category TEXT NOT NULL,
    brand TEXT NOT NULL,
    model TEXT NOT NULL,
    variant TEXT NOT NULL,
    hard_ids TEXT NOT NULL,
    brand_key TEXT NOT NULL,
    words TEXT NOT NULL,
    last_version BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX products_by_brand ON products (category, brand_key);

CREATE TABLE contracts (
    digest TEXT PRIMARY KEY,
    category TEXT NOT NULL,
    body {blob} NOT NULL
);

CREATE TABLE attempts (
    id TEXT PRIMARY KEY,
    product_id TEXT NOT NULL REFERENCES products (id),
    job_id BIGINT,
    status TEXT NOT NULL,
    started_at BIGINT NOT NULL,
    finished_at BIGINT,
    budget TEXT NOT NULL,
    spent TEXT NOT NULL,
    error TEXT,
    accuracy DOUBLE PRECISION,
    trace TEXT NOT NULL
);
CREATE INDEX attempts_by_product ON attempts (product_id, started_at);

CREATE TABLE bodies (
    content_hash TEXT PRIMARY KEY,
    size_bytes BIGINT NOT NULL,
    body {blob} NOT NULL
);

CREATE TABLE pages (
    id TEXT PRIMARY KEY,
    url TEXT NOT NULL,
    final_url TEXT NOT NULL,
    host TEXT NOT NULL,
    tier TEXT NOT NULL,
    fetched_at BIGINT NOT NULL,
    outcome TEXT NOT NULL,
    outcome_evidence TEXT NOT NULL,
    status BIGINT NOT NULL,
    headers TEXT NOT NULL,
    content_hash TEXT REFERENCES bodies (content_hash),
    media_type TEXT NOT NULL,
    charset TEXT NOT NULL,
    size_bytes BIGINT NOT NULL,
    timings_ms TEXT NOT NULL,
    confirmed_at BIGINT
);
CREATE INDEX pages_by_url ON pages (url, fetched_at);

CREATE TABLE readings (
    product_id TEXT NOT NULL REFERENCES products (id),
    page_id TEXT NOT NULL REFERENCES pages (id),
    contract_digest TEXT NOT NULL,
    body {blob} NOT NULL,
    PRIMARY KEY (product_id, page_id)
);

CREATE TABLE records (
    product_id TEXT NOT NULL REFERENCES products (id),
    version BIGINT NOT NULL,
    attempt_id TEXT NOT NULL REFERENCES attempts (id),
    category TEXT NOT NULL,
    generated_at BIGINT NOT NULL,
    filled BIGINT NOT NULL,
    total BIGINT NOT NULL,
    confidence DOUBLE PRECISION NOT NULL,
    body {blob} NOT NULL,
    PRIMARY KEY (product_id, version)
);
CREATE INDEX records_by_category ON records (category, generated_at);

CREATE TABLE decisions (
    id {bigserial},
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    field TEXT NOT NULL,
    action TEXT NOT NULL,
    value TEXT NOT NULL,
    reason TEXT NOT NULL,
    actor TEXT NOT NULL,
    decided_at BIGINT NOT NULL,
    undone_at BIGINT,
    undone_by TEXT
);
CREATE INDEX decisions_by_subject ON decisions (subject, id);

CREATE TABLE reviews (
    id {bigserial},
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    field TEXT NOT NULL,
    reason TEXT NOT NULL,
    opened_at BIGINT NOT NULL,
    attempt_id TEXT,
    proposed TEXT NOT NULL,
    closed_at BIGINT,
    decision_id BIGINT REFERENCES decisions (id)
);
CREATE UNIQUE INDEX reviews_open ON reviews (kind, subject, field) WHERE closed_at IS NULL;

CREATE TABLE yields (
    host TEXT NOT NULL,
    category TEXT NOT NULL,
    pages BIGINT NOT NULL,
    failures BIGINT NOT NULL,
    seconds DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (category, host)
);

CREATE TABLE yield_fields (
    host TEXT NOT NULL,
    category TEXT NOT NULL,
    field TEXT NOT NULL,
    pages BIGINT NOT NULL,
    PRIMARY KEY (category, host, field)
);

CREATE TABLE goldens (
    product_id TEXT NOT NULL REFERENCES products (id),
    field TEXT NOT NULL,
    value TEXT NOT NULL,
    actor TEXT NOT NULL,
    set_at BIGINT NOT NULL,
    PRIMARY KEY (product_id, field)
);

CREATE TABLE verdicts (
    product_id TEXT NOT NULL REFERENCES products (id),
    host TEXT NOT NULL,
    field TEXT NOT NULL,
    is_right BIGINT NOT NULL,
    PRIMARY KEY (product_id, host, field)
);

CREATE TABLE outbox (
    id {bigserial},
    events TEXT NOT NULL,
    delivered BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX outbox_undelivered ON outbox (id) WHERE delivered = 0;
