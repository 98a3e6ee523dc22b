-- name: save_lesson
-- Save the confidence of a value and if it was right; the latest verdict counts.
INSERT INTO lessons (product_id, field, taught_by, confidence, is_right)
VALUES (:product_id, :field, :taught_by, :confidence, :is_right)
ON CONFLICT (product_id, field, taught_by) DO UPDATE SET
    confidence = excluded.confidence,
    is_right = excluded.is_right;

-- name: forget_lesson
-- Delete a lesson that was taken back.
DELETE FROM lessons
WHERE product_id = :product_id AND field = :field AND taught_by = :taught_by;

-- name: save_lesson_voices
-- Save the votes of a kind for and against the right value of a field.
INSERT INTO lesson_voices (product_id, field, taught_by, tier, method, right_count, wrong_count)
VALUES (:product_id, :field, :taught_by, :tier, :method, :right_count, :wrong_count);

-- name: forget_lesson_voices
-- Delete the votes of a lesson that was taken back or replaced.
DELETE FROM lesson_voices
WHERE product_id = :product_id AND field = :field AND taught_by = :taught_by;

-- name: lessons_of_category
-- Every lesson of a category; a review of a golden value counts once.
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
-- Number of votes of each kind for right and wrong values.
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
