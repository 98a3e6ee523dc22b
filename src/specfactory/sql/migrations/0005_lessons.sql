-- What golden products and reviews have taught: how sure a value was, whether it was right,
-- and which kinds of voices spoke for the right value and against it.
CREATE TABLE lessons (
    product_id TEXT NOT NULL REFERENCES products (id),
    field TEXT NOT NULL,
    taught_by TEXT NOT NULL,
    confidence DOUBLE PRECISION NOT NULL,
    is_right BIGINT NOT NULL,
    PRIMARY KEY (product_id, field, taught_by)
);

CREATE TABLE lesson_voices (
    product_id TEXT NOT NULL REFERENCES products (id),
    field TEXT NOT NULL,
    taught_by TEXT NOT NULL,
    tier TEXT NOT NULL,
    method TEXT NOT NULL,
    right_count BIGINT NOT NULL,
    wrong_count BIGINT NOT NULL,
    PRIMARY KEY (product_id, field, taught_by, tier, method)
);
