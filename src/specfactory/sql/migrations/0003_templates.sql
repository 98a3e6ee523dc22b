-- Templates: what was learned per layout of a source, a person's labels, and the watch at work.

CREATE TABLE templates (
    id {bigserial},
    host TEXT NOT NULL,
    category TEXT NOT NULL,
    layout TEXT NOT NULL,
    version BIGINT NOT NULL,
    status TEXT NOT NULL,
    accuracy DOUBLE PRECISION NOT NULL,
    lower_bound DOUBLE PRECISION NOT NULL,
    sample_count BIGINT NOT NULL,
    figures TEXT NOT NULL,
    digest TEXT NOT NULL,
    body {blob} NOT NULL,
    reason TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    created_by TEXT NOT NULL,
    reviewed_at BIGINT,
    reviewed_by TEXT,
    replaces BIGINT REFERENCES templates (id),
    pages_read BIGINT NOT NULL DEFAULT 0,
    drifted_at BIGINT
);
CREATE UNIQUE INDEX templates_versions ON templates (host, category, layout, version);
CREATE INDEX templates_by_status ON templates (status, id);

CREATE TABLE template_labels (
    page_id TEXT NOT NULL REFERENCES pages (id),
    field TEXT NOT NULL,
    actor TEXT NOT NULL,
    host TEXT NOT NULL,
    label_values TEXT NOT NULL,
    set_at BIGINT NOT NULL,
    PRIMARY KEY (page_id, field, actor)
);
CREATE INDEX template_labels_by_host ON template_labels (host, set_at);

CREATE TABLE template_counts (
    template_id BIGINT NOT NULL REFERENCES templates (id),
    stretch BIGINT NOT NULL,
    field TEXT NOT NULL,
    pages BIGINT NOT NULL,
    filled BIGINT NOT NULL,
    valid BIGINT NOT NULL,
    agreed BIGINT NOT NULL,
    disagreed BIGINT NOT NULL,
    PRIMARY KEY (template_id, stretch, field)
);

CREATE TABLE template_misfits (
    host TEXT NOT NULL,
    category TEXT NOT NULL,
    url TEXT NOT NULL,
    seen_at BIGINT NOT NULL,
    PRIMARY KEY (host, category, url)
);

CREATE TABLE template_hosts (
    host TEXT NOT NULL,
    category TEXT NOT NULL,
    learned_at BIGINT NOT NULL,
    fruitless BIGINT NOT NULL,
    PRIMARY KEY (host, category)
);

CREATE INDEX pages_by_host ON pages (host, outcome, fetched_at);
