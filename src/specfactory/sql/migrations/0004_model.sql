-- The language model: what it answered, kept by the hash of the question, and what it cost.

CREATE TABLE model_answers (
    question TEXT PRIMARY KEY,
    model TEXT NOT NULL,
    answer {blob} NOT NULL,
    prompt_tokens BIGINT NOT NULL,
    answer_tokens BIGINT NOT NULL,
    answered_at BIGINT NOT NULL
);

CREATE TABLE model_calls (
    id {bigserial},
    at BIGINT NOT NULL,
    day TEXT NOT NULL,
    attempt_id TEXT NOT NULL,
    product_id TEXT NOT NULL,
    page_id TEXT NOT NULL,
    model TEXT NOT NULL,
    question TEXT NOT NULL,
    ended TEXT NOT NULL,
    prompt_tokens BIGINT NOT NULL,
    answer_tokens BIGINT NOT NULL,
    cost_micros BIGINT NOT NULL
);
CREATE INDEX model_calls_by_day ON model_calls (day);
CREATE INDEX model_calls_by_attempt ON model_calls (attempt_id);
