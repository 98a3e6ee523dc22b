-- One table of readings: a page is read for a product, or for a category and no product.
-- The column that does not apply is empty, since no part of a primary key may be NULL.
ALTER TABLE readings RENAME TO product_readings;

CREATE TABLE readings (
    page_id TEXT NOT NULL REFERENCES pages (id),
    product_id TEXT NOT NULL,
    category TEXT NOT NULL,
    contract_digest TEXT NOT NULL,
    body {blob} NOT NULL,
    PRIMARY KEY (page_id, product_id, category)
);

INSERT INTO readings (page_id, product_id, category, contract_digest, body)
SELECT page_id, product_id, '', contract_digest, body FROM product_readings;

INSERT INTO readings (page_id, product_id, category, contract_digest, body)
SELECT page_id, '', category, contract_digest, body FROM page_readings;

DROP TABLE product_readings;

DROP TABLE page_readings;

CREATE INDEX readings_by_product ON readings (product_id, page_id) WHERE product_id <> '';
