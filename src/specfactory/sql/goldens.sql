-- name: set_golden
-- Save the verified value of a field.
INSERT INTO goldens (product_id, field, value, actor, set_at)
VALUES (:product_id, :field, :value, :actor, :set_at)
ON CONFLICT (product_id, field) DO UPDATE SET
    value = excluded.value,
    actor = excluded.actor,
    set_at = excluded.set_at;

-- name: clear_goldens
-- Delete the verified values of a product.
DELETE FROM goldens WHERE product_id = :product_id;

-- name: get_golden
-- The verified values of a product.
SELECT field, value FROM goldens WHERE product_id = :product_id ORDER BY field;

-- name: golden_products
-- The products that have verified values.
SELECT DISTINCT product_id FROM goldens ORDER BY product_id;

-- name: save_verdict
-- Save the verdict on a source about a field of a golden product; each counts once.
INSERT INTO verdicts (product_id, host, field, is_right)
VALUES (:product_id, :host, :field, :is_right)
ON CONFLICT (product_id, host, field) DO UPDATE SET is_right = excluded.is_right;

-- name: accuracies_of_category
-- Number of right and wrong values per source and field.
SELECT v.host, v.field, SUM(v.is_right) AS right_count, SUM(1 - v.is_right) AS wrong_count
FROM verdicts AS v
JOIN products AS p ON p.id = v.product_id
WHERE p.category = :category
GROUP BY v.host, v.field
ORDER BY v.host, v.field;
