-- name: save_lesson
-- Keep how sure a value was and whether it was right; the newest word about it counts.
INSERT INTO lessons (product_id, field, taught_by, confidence, is_right)
VALUES (:product_id, :field, :taught_by, :confidence, :is_right)
ON CONFLICT (product_id, field, taught_by) DO UPDATE SET
    confidence = excluded.confidence,
    is_right = excluded.is_right;

-- name: forget_lesson
-- A word about a field was taken back.
DELETE FROM lessons
WHERE product_id = :product_id AND field = :field AND taught_by = :taught_by;

-- name: save_lesson_voices
-- Keep how many voices of a kind spoke for the right value of a field, and against it.
INSERT INTO lesson_voices (product_id, field, taught_by, tier, method, right_count, wrong_count)
VALUES (:product_id, :field, :taught_by, :tier, :method, :right_count, :wrong_count);

-- name: forget_lesson_voices
-- A word about a field was taken back, or is said anew.
DELETE FROM lesson_voices
WHERE product_id = :product_id AND field = :field AND taught_by = :taught_by;

-- name: lessons_of_category
-- Every lesson of a category; a person's word about a golden value counts once.
SELECT l.field, l.confidence, l.is_right
FROM lessons AS l
JOIN products AS p ON p.id = l.product_id
WHERE p.category = :category
  AND (l.taught_by = 'golden' OR NOT EXISTS (
    SELECT 1 FROM lessons AS g
    WHERE g.product_id = l.product_id AND g.field = l.field AND g.taught_by = 'golden'
  ))
ORDER BY l.product_id, l.field;

-- name: voices_of_category
-- How often voices of each kind spoke for right and for wrong values.
SELECT v.tier, v.method,
       SUM(v.right_count) AS right_count, SUM(v.wrong_count) AS wrong_count
FROM lesson_voices AS v
JOIN products AS p ON p.id = v.product_id
WHERE p.category = :category
  AND (v.taught_by = 'golden' OR NOT EXISTS (
    SELECT 1 FROM lesson_voices AS g
    WHERE g.product_id = v.product_id AND g.field = v.field AND g.taught_by = 'golden'
  ))
GROUP BY v.tier, v.method
ORDER BY v.tier, v.method;
