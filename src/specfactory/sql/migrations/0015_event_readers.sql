-- Every event log is whole: what each has received is kept by its own name.
CREATE TABLE event_readers (
    reader TEXT PRIMARY KEY,
    seen_at BIGINT NOT NULL
);

CREATE TABLE event_deliveries (
    reader TEXT NOT NULL REFERENCES event_readers (reader) ON DELETE CASCADE,
    batch_id BIGINT NOT NULL,
    PRIMARY KEY (reader, batch_id)
);
