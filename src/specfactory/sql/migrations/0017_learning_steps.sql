-- Rules that were learned are noted, too, not only what pages say: a step is a page or a rule.
DROP TABLE learning_notes;
CREATE TABLE learning_notes (
    host TEXT NOT NULL,
    category TEXT NOT NULL,
    step TEXT NOT NULL,
    contract_digest TEXT NOT NULL,
    body {blob} NOT NULL,
    PRIMARY KEY (host, category, step)
);
