-- name: pages_after
-- Stored pages in the order of their ids, which is that of their time; optionally of one host.
SELECT {page_columns}
FROM pages
WHERE id > :after AND fetched_at >= :since
    AND (CAST(:host AS TEXT) IS NULL OR host = :host)
ORDER BY id
LIMIT :limit;

-- name: product_pages_after
-- Stored pages that were read for a product, in the order of their ids.
SELECT {page_columns}
FROM pages
WHERE id > :after AND fetched_at >= :since
    AND (CAST(:host AS TEXT) IS NULL OR host = :host)
    AND id IN (SELECT page_id FROM readings
        WHERE product_id = :product_id AND product_id <> '')
ORDER BY id
LIMIT :limit;

-- name: count_pages
-- How many pages are stored since an instant; optionally of one host.
SELECT count(*) AS pages FROM pages
WHERE fetched_at >= :since AND (CAST(:host AS TEXT) IS NULL OR host = :host);

-- name: newest_pages
-- The newest stored pages, by their ids, which are in the order of time; optionally of one host.
SELECT {page_columns}
FROM pages
WHERE fetched_at >= :since AND (CAST(:host AS TEXT) IS NULL OR host = :host)
ORDER BY id DESC
LIMIT :limit;

-- name: has_page_id
-- Whether a page of this id is stored.
SELECT 1 AS stored FROM pages WHERE id = :id;

-- name: has_page_content
-- Whether a page of this address and these bytes is stored.
SELECT 1 AS stored FROM pages WHERE url = :url AND content_hash = :content_hash LIMIT 1;
