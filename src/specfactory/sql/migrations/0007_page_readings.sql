-- What pages gave by themselves: a page job names a category and no product.
CREATE TABLE page_readings (
    page_id TEXT NOT NULL REFERENCES pages (id),
    category TEXT NOT NULL,
    contract_digest TEXT NOT NULL,
    body {blob} NOT NULL,
    PRIMARY KEY (page_id, category)
);
