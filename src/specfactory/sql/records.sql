-- name: next_record_version
-- Count up a product's record versions; no row means that there is no such product.
UPDATE products SET last_version = last_version + 1 WHERE id = :product_id RETURNING last_version;

-- name: publish_record
-- Add a version of a record; versions are never changed.
INSERT INTO records (product_id, version, attempt_id, category, generated_at, filled, total,
    confidence, body)
VALUES (:product_id, :version, :attempt_id, :category, :generated_at, :filled, :total,
    :confidence, :body);

-- name: latest_record
-- The newest version of a product's record.
SELECT body FROM records WHERE product_id = :product_id ORDER BY version DESC LIMIT 1;

-- name: get_record
-- One version of a product's record.
SELECT body FROM records WHERE product_id = :product_id AND version = :version;

-- name: record_history
-- All versions of a product's record, the first one first.
SELECT body FROM records WHERE product_id = :product_id ORDER BY version;

-- name: list_records
-- The newest version of each product, without its body, after a product, in the order of ids.
SELECT r.product_id, r.version, r.attempt_id, r.category, r.generated_at, r.filled, r.total,
    r.confidence
FROM records AS r
JOIN products AS p ON p.id = r.product_id AND p.last_version = r.version
WHERE p.id > :after
    AND (CAST(:category AS TEXT) IS NULL OR r.category = :category)
ORDER BY p.id
LIMIT :limit;

-- name: newest_records
-- The newest version of each product with its body, after a product, in the order of ids.
SELECT r.product_id, r.body
FROM records AS r
JOIN products AS p ON p.id = r.product_id AND p.last_version = r.version
WHERE p.id > :after
    AND (CAST(:category AS TEXT) IS NULL OR r.category = :category)
    AND (CAST(:since AS BIGINT) IS NULL OR r.generated_at >= :since)
ORDER BY p.id
LIMIT :limit;

-- name: count_records
-- The number of products that have a record, after a product.
SELECT COUNT(*) AS records FROM products
WHERE last_version > 0 AND id > :after
    AND (CAST(:category AS TEXT) IS NULL OR category = :category);
