-- name: open_review
-- Open a question; opening it again refreshes and counts it.
INSERT INTO reviews (
    kind, subject, field, reason, opened_at, attempt_id, proposed, worth, confidence
)
VALUES (
    :kind, :subject, :field, :reason, :opened_at, :attempt_id, :proposed, :worth, :confidence
)
ON CONFLICT (kind, subject, field) WHERE closed_at IS NULL DO UPDATE SET
    reason = excluded.reason,
    attempt_id = excluded.attempt_id,
    proposed = excluded.proposed,
    worth = excluded.worth,
    confidence = excluded.confidence,
    times_asked = reviews.times_asked + 1
RETURNING id, kind, subject, field, reason, opened_at, attempt_id, proposed, worth, confidence,
    times_asked, closed_at;

-- name: get_review
-- One question by its id.
SELECT id, kind, subject, field, reason, opened_at, attempt_id, proposed, worth, confidence,
    times_asked, closed_at
FROM reviews WHERE id = :id;

-- name: open_reviews
-- Questions without an answer, of one subject or of all, the worthiest first.
SELECT id, kind, subject, field, reason, opened_at, attempt_id, proposed, worth, confidence,
    times_asked, closed_at
FROM reviews
WHERE closed_at IS NULL AND (CAST(:subject AS TEXT) IS NULL OR subject = :subject)
ORDER BY worth DESC, id;

-- name: open_reviews_after
-- Questions without an answer that come after one of them (0: all), the worthiest first.
SELECT r.id, r.kind, r.subject, r.field, r.reason, r.opened_at, r.attempt_id, r.proposed, r.worth,
    r.confidence, r.times_asked, r.closed_at
FROM reviews AS r
LEFT JOIN reviews AS last ON last.id = :after
WHERE r.closed_at IS NULL AND (CAST(:subject AS TEXT) IS NULL OR r.subject = :subject)
    AND (last.id IS NULL OR r.worth < last.worth OR (r.worth = last.worth AND r.id > last.id))
ORDER BY r.worth DESC, r.id
LIMIT :limit;

-- name: open_reviews_of_kind
-- Questions of a kind without an answer, subject by subject, after one subject and field.
SELECT id, kind, subject, field, reason, opened_at, attempt_id, proposed, worth, confidence,
    times_asked, closed_at
FROM reviews
WHERE closed_at IS NULL AND kind = :kind AND (subject, field) > (:subject, :field)
ORDER BY subject, field LIMIT :limit;

-- name: close_review
-- Close the open question that a decision answers.
UPDATE reviews SET closed_at = :at, decision_id = :decision_id
WHERE kind = :kind AND subject = :subject AND field = :field AND closed_at IS NULL;

-- name: reopen_review
-- Reopen the question of an undone decision, unless another answer or question exists.
UPDATE reviews SET closed_at = NULL, decision_id = NULL
WHERE decision_id = :decision_id
    AND NOT EXISTS (
        SELECT 1 FROM reviews AS other
        WHERE other.kind = reviews.kind AND other.subject = reviews.subject
            AND other.field = reviews.field AND other.closed_at IS NULL
    )
    AND NOT EXISTS (
        SELECT 1 FROM decisions AS d
        WHERE d.kind = reviews.kind AND d.subject = reviews.subject
            AND d.field = reviews.field AND d.undone_at IS NULL
    );

-- name: add_decision
-- Add a person's answer; answers are only ever added.
INSERT INTO decisions (kind, subject, field, action, value, reason, actor, decided_at)
VALUES (:kind, :subject, :field, :action, :value, :reason, :actor, :decided_at)
RETURNING id, kind, subject, field, action, value, reason, actor, decided_at, undone_at,
    undone_by;

-- name: undo_decision
-- Undo an answer; no row means that it was undone before or never given.
UPDATE decisions SET undone_at = :at, undone_by = :actor
WHERE id = :id AND undone_at IS NULL
RETURNING id, kind, subject, field, action, value, reason, actor, decided_at, undone_at,
    undone_by;

-- name: decisions_of
-- All answers about a subject, the first one first.
SELECT id, kind, subject, field, action, value, reason, actor, decided_at, undone_at, undone_by
FROM decisions WHERE subject = :subject
ORDER BY id;
