-- name: save_product
-- Add or update a product; its record versions go on counting.
INSERT INTO products (id, category, brand, model, variant, hard_ids, brand_key, words)
VALUES (:id, :category, :brand, :model, :variant, :hard_ids, :brand_key, :words)
ON CONFLICT (id) DO UPDATE SET
    category = excluded.category,
    brand = excluded.brand,
    model = excluded.model,
    variant = excluded.variant,
    hard_ids = excluded.hard_ids,
    brand_key = excluded.brand_key,
    words = excluded.words;

-- name: get_product
-- One product by its id.
SELECT id, category, brand, model, variant, hard_ids FROM products WHERE id = :id;

-- name: find_products
-- Products whose words contain a piece of text; the caller checks the other words.
SELECT id, category, brand, model, variant, hard_ids, words
FROM products
WHERE words LIKE :pattern ESCAPE '!'
ORDER BY id;

-- name: products_of_brand
-- All products of one brand in a category: each other's siblings.
SELECT id, category, brand, model, variant, hard_ids
FROM products
WHERE category = :category AND brand_key = :brand_key
ORDER BY id;

-- name: list_products
-- All products, of one category or of all.
SELECT id, category, brand, model, variant, hard_ids
FROM products
WHERE CAST(:category AS TEXT) IS NULL OR category = :category
ORDER BY id;

-- name: stale_products
-- Products whose record no attempt has confirmed since an instant, by id.
SELECT id, category, brand, model, variant, hard_ids
FROM products
WHERE last_version > 0 AND id > :after AND NOT EXISTS (
    SELECT 1 FROM attempts
    WHERE attempts.product_id = products.id AND attempts.finished_at >= :oldest
)
ORDER BY id
LIMIT :limit;
