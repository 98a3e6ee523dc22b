-- name: set_golden
-- Keep the truth about a field, as a person verified it.
INSERT INTO goldens (product_id, field, value, actor, set_at)
VALUES (:product_id, :field, :value, :actor, :set_at)
ON CONFLICT (product_id, field) DO UPDATE SET
    value = excluded.value,
    actor = excluded.actor,
    set_at = excluded.set_at;

-- name: clear_goldens
-- A product is golden no more.
DELETE FROM goldens WHERE product_id = :product_id;

-- name: get_golden
-- The verified values of a product.
SELECT field, value FROM goldens WHERE product_id = :product_id ORDER BY field;

-- name: golden_products
-- The products that have verified values.
SELECT DISTINCT product_id FROM goldens ORDER BY product_id;

-- name: save_verdict
-- Note whether a source was right about a field of a golden product; each counts once.
INSERT INTO verdicts (product_id, host, field, is_right)
VALUES (:product_id, :host, :field, :is_right)
ON CONFLICT (product_id, host, field) DO UPDATE SET is_right = excluded.is_right;

-- name: accuracies_of_category
-- How often each source was right and wrong about each field.
SELECT v.host, v.field, SUM(v.is_right) AS right_count, SUM(1 - v.is_right) AS wrong_count
FROM verdicts AS v
JOIN products AS p ON p.id = v.product_id
WHERE p.category = :category
GROUP BY v.host, v.field
ORDER BY v.host, v.field;
