-- name: save_reading
-- Keep what a page gave for a product or for a category; reading it again replaces it.
INSERT INTO readings (page_id, product_id, category, contract_digest, body)
VALUES (:page_id, :product_id, :category, :contract_digest, :body)
ON CONFLICT (page_id, product_id, category) DO UPDATE SET
    contract_digest = excluded.contract_digest,
    body = excluded.body;

-- name: reading_digest
-- The contract by which a page was read for a product or for a category.
SELECT contract_digest FROM readings
WHERE page_id = :page_id AND product_id = :product_id AND category = :category;

-- name: readings_for_product
-- The readings of the newest page of each URL: what the web says of a product now.
SELECT r.body
FROM readings AS r
JOIN pages AS p ON p.id = r.page_id
WHERE r.product_id = :product_id AND r.product_id <> ''
    AND NOT EXISTS (
        SELECT 1
        FROM readings AS newer
        JOIN pages AS page ON page.id = newer.page_id
        WHERE newer.product_id = r.product_id AND newer.product_id <> '' AND page.url = p.url
            AND (page.fetched_at > p.fetched_at
                OR (page.fetched_at = p.fetched_at AND page.id > p.id))
    )
ORDER BY p.fetched_at, p.id;

-- name: readings_for_category
-- What the newest page of each URL gave for a category alone, after a page, in the order of ids.
SELECT r.page_id, r.body, p.url, p.host, p.fetched_at
FROM readings AS r
JOIN pages AS p ON p.id = r.page_id
WHERE r.category = :category AND r.product_id = '' AND r.page_id > :after
    AND NOT EXISTS (
        SELECT 1
        FROM pages AS newer
        JOIN readings AS again
            ON again.page_id = newer.id AND again.product_id = '' AND again.category = :category
        WHERE newer.url = p.url AND newer.id > p.id
    )
ORDER BY r.page_id
LIMIT :limit;

-- name: categories_read
-- Categories for which pages were read, whatever product they are about.
SELECT DISTINCT category FROM readings WHERE product_id = '' ORDER BY category;

-- name: readings_of_host
-- What the newest page of each URL of a host gave in a category, after a page and a product.
SELECT r.page_id, r.product_id, r.body
FROM readings AS r
JOIN pages AS p ON p.id = r.page_id
LEFT JOIN products ON products.id = r.product_id
WHERE p.host = :host AND p.outcome = 'ok' AND COALESCE(products.category, r.category) = :category
    AND (r.page_id > :page_id OR (r.page_id = :page_id AND r.product_id > :product_id))
    AND NOT EXISTS (
        SELECT 1
        FROM pages AS newer
        JOIN readings AS again
            ON again.page_id = newer.id
            AND again.product_id = r.product_id AND again.category = r.category
        WHERE newer.url = p.url AND newer.id > p.id
    )
ORDER BY r.page_id, r.product_id
LIMIT :limit;

-- name: readings_elsewhere
-- What good pages of other hosts gave for products of a category, the latest page first.
SELECT r.body, p.host, p.url
FROM readings AS r
JOIN pages AS p ON p.id = r.page_id
JOIN products ON products.id = r.product_id
WHERE products.category = :category AND p.host <> :host AND p.outcome = 'ok'
ORDER BY p.fetched_at DESC, p.id DESC, r.product_id
LIMIT :limit;
