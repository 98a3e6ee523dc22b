-- What pages say by themselves, noted while a host is learned: learning goes on from there.
CREATE TABLE learning_notes (
    host TEXT NOT NULL,
    category TEXT NOT NULL,
    page_id TEXT NOT NULL REFERENCES pages (id),
    contract_digest TEXT NOT NULL,
    body {blob} NOT NULL,
    PRIMARY KEY (host, category, page_id)
);
