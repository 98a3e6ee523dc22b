-- name: save_reading
-- Keep what a page gave for a product; reading it again replaces it.
INSERT INTO readings (product_id, page_id, contract_digest, body)
VALUES (:product_id, :page_id, :contract_digest, :body)
ON CONFLICT (product_id, page_id) DO UPDATE SET
    contract_digest = excluded.contract_digest,
    body = excluded.body;

-- name: readings_of_product
-- All readings of a product's pages with the page's URL, the newest page of each URL last.
SELECT r.product_id, r.page_id, r.contract_digest, r.body, p.url
FROM readings AS r
JOIN pages AS p ON p.id = r.page_id
WHERE r.product_id = :product_id
ORDER BY p.fetched_at, p.id;

-- name: current_readings
-- The readings of the newest page of each URL: what the web says now.
SELECT r.product_id, r.page_id, r.contract_digest, r.body
FROM readings AS r
JOIN pages AS p ON p.id = r.page_id
WHERE r.product_id = :product_id
    AND NOT EXISTS (
        SELECT 1
        FROM readings AS newer
        JOIN pages AS page ON page.id = newer.page_id
        WHERE newer.product_id = r.product_id AND page.url = p.url
            AND (page.fetched_at > p.fetched_at
                OR (page.fetched_at = p.fetched_at AND page.id > p.id))
    )
ORDER BY p.fetched_at, p.id;
