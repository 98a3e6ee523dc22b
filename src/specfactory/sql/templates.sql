-- name: add_template
-- Add a template as the next version of its layout.
INSERT INTO templates (host, category, layout, version, status, accuracy, lower_bound,
    sample_count, figures, digest, body, reason, created_at, created_by, reviewed_at, reviewed_by,
    replaces)
VALUES (:host, :category, :layout,
    (SELECT COALESCE(MAX(version), 0) + 1 FROM templates
     WHERE host = :host AND category = :category AND layout = :layout),
    :status, :accuracy, :lower_bound, :sample_count, :figures, :digest, :body, :reason,
    :created_at, :created_by, :reviewed_at, :reviewed_by, :replaces)
RETURNING id, version;

-- name: get_template
-- One template by its id, without its rules.
SELECT id, host, category, layout, version, status, accuracy, lower_bound, sample_count, figures,
    digest, reason, created_at, created_by, reviewed_at, reviewed_by, replaces, pages_read,
    drifted_at
FROM templates WHERE id = :id;

-- name: get_template_body
-- The rules of a template.
SELECT body FROM templates WHERE id = :id;

-- name: list_templates
-- Templates of one host or of all, of one status or of any, the latest first.
SELECT id, host, category, layout, version, status, accuracy, lower_bound, sample_count, figures,
    digest, reason, created_at, created_by, reviewed_at, reviewed_by, replaces, pages_read,
    drifted_at
FROM templates
WHERE (CAST(:host AS TEXT) IS NULL OR host = :host)
    AND (CAST(:status AS TEXT) IS NULL OR status = :status)
ORDER BY id DESC
LIMIT :limit;

-- name: templates_at_work
-- The templates that are used or tried on the pages of a source, the latest first.
SELECT id, status, digest FROM templates
WHERE host = :host AND category = :category AND status IN ('adopted', 'trial')
ORDER BY id DESC;

-- name: move_template
-- Change the status of a template; no row means that it was not the expected one.
UPDATE templates SET status = :status, reason = :reason, reviewed_at = :at, reviewed_by = :actor,
    replaces = COALESCE(CAST(:replaces AS BIGINT), replaces)
WHERE id = :id AND status = :expected;

-- name: note_drift
-- Mark a template as drifted; no row means that it was marked before.
UPDATE templates SET drifted_at = :at WHERE id = :id AND drifted_at IS NULL;

-- name: count_template_page
-- Count one more page read with a template.
UPDATE templates SET pages_read = pages_read + 1 WHERE id = :id RETURNING pages_read;

-- name: count_template_field
-- Count the result of a template for a field on one more page.
INSERT INTO template_counts (template_id, stretch, field, pages, filled, valid, agreed, disagreed)
VALUES (:template_id, :stretch, :field, 1, :filled, :valid, :agreed, :disagreed)
ON CONFLICT (template_id, stretch, field) DO UPDATE SET
    pages = template_counts.pages + 1,
    filled = template_counts.filled + excluded.filled,
    valid = template_counts.valid + excluded.valid,
    agreed = template_counts.agreed + excluded.agreed,
    disagreed = template_counts.disagreed + excluded.disagreed;

-- name: prune_template_counts
-- Delete old counts of a template.
DELETE FROM template_counts WHERE template_id = :template_id AND stretch < :before;

-- name: template_counts_since
-- Counts of a template over its latest pages, field by field.
SELECT field, SUM(pages) AS pages, SUM(filled) AS filled, SUM(valid) AS valid,
    SUM(agreed) AS agreed, SUM(disagreed) AS disagreed
FROM template_counts
WHERE template_id = :template_id AND stretch >= :since
GROUP BY field
ORDER BY field;

-- name: set_label
-- Save a person's label of a page; a later one of the same person replaces it.
INSERT INTO template_labels (page_id, field, actor, host, label_values, set_at)
VALUES (:page_id, :field, :actor, :host, :label_values, :set_at)
ON CONFLICT (page_id, field, actor) DO UPDATE SET
    label_values = excluded.label_values,
    set_at = excluded.set_at;

-- name: labels_of_host
-- People's labels of the pages of a host.
SELECT page_id, field, actor, host, label_values, set_at
FROM template_labels WHERE host = :host
ORDER BY page_id, field, actor;

-- name: note_misfit
-- Save a good page that no template fits; each address counts once.
INSERT INTO template_misfits (host, category, url, seen_at)
VALUES (:host, :category, :url, :seen_at)
ON CONFLICT (host, category, url) DO NOTHING;

-- name: count_misfits
-- Number of good pages that fit no template since the last learning, and of fruitless learnings.
SELECT (SELECT COUNT(*) FROM template_misfits WHERE host = :host AND category = :category)
        AS pages,
    COALESCE((SELECT fruitless FROM template_hosts WHERE host = :host AND category = :category), 0)
        AS fruitless;

-- name: clear_misfits
-- Restart the counting: these pages have been learned from.
DELETE FROM template_misfits WHERE host = :host AND category = :category;

-- name: note_learning
-- Save that a source was learned, and if it was fruitless.
INSERT INTO template_hosts (host, category, learned_at, fruitless)
VALUES (:host, :category, :learned_at, :fruitless)
ON CONFLICT (host, category) DO UPDATE SET
    learned_at = excluded.learned_at,
    fruitless = CASE WHEN excluded.fruitless = 0 THEN 0 ELSE template_hosts.fruitless + 1 END;

-- name: save_learning_note
-- Note the result of a step while its host is learned.
INSERT INTO learning_notes (host, category, step, contract_digest, body)
VALUES (:host, :category, :step, :contract_digest, :body)
ON CONFLICT (host, category, step) DO UPDATE SET
    contract_digest = excluded.contract_digest,
    body = excluded.body;

-- name: learning_notes
-- What was noted by a contract since the host was last learned.
SELECT step, body FROM learning_notes
WHERE host = :host AND category = :category AND contract_digest = :contract_digest
ORDER BY step;

-- name: clear_learning_notes
-- The host has been learned.
DELETE FROM learning_notes WHERE host = :host AND category = :category;

-- name: good_pages_of_host
-- The newest good page of each address of a host, the latest first.
SELECT {page_columns}
FROM pages AS p
WHERE host = :host AND outcome = 'ok'
    AND NOT EXISTS (
        SELECT 1 FROM pages AS newer
        WHERE newer.url = p.url AND newer.outcome = 'ok'
            AND (newer.fetched_at > p.fetched_at
                OR (newer.fetched_at = p.fetched_at AND newer.id > p.id))
    )
ORDER BY fetched_at DESC, id DESC
LIMIT :limit;

-- name: readings_of_page
-- Readings of a page for products.
SELECT r.body, p.category FROM readings AS r
JOIN products AS p ON p.id = r.product_id
WHERE r.page_id = :page_id
ORDER BY r.product_id;

-- name: categories_of_host
-- The categories in which good pages of a host were read, the most frequent first.
SELECT read_pages.category AS category, COUNT(*) AS pages FROM (
    SELECT COALESCE(products.category, readings.category) AS category FROM readings
    JOIN pages ON pages.id = readings.page_id
    LEFT JOIN products ON products.id = readings.product_id
    WHERE pages.host = :host AND pages.outcome = 'ok'
) AS read_pages
GROUP BY read_pages.category
ORDER BY COUNT(*) DESC, read_pages.category;

-- name: outcomes_of_host
-- Number of fetches of a host by outcome.
SELECT outcome, COUNT(*) AS pages FROM pages WHERE host = :host
GROUP BY outcome ORDER BY outcome;
