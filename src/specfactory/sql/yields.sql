-- name: add_yield
-- Count one page of a source.
INSERT INTO yields (host, category, pages, failures, seconds)
VALUES (:host, :category, 1, :failures, :seconds)
ON CONFLICT (category, host) DO UPDATE SET
    pages = yields.pages + 1,
    failures = yields.failures + excluded.failures,
    seconds = yields.seconds + excluded.seconds;

-- name: add_yield_field
-- Count a field that a page of a source gave.
INSERT INTO yield_fields (host, category, field, pages)
VALUES (:host, :category, :field, 1)
ON CONFLICT (category, host, field) DO UPDATE SET pages = yield_fields.pages + 1;

-- name: yields_of_category
-- Yields of each source, all pages together.
SELECT host, category, pages, failures, seconds FROM yields
WHERE category = :category ORDER BY host;

-- name: yield_fields_of_category
-- Number of pages of each source that gave each field.
SELECT host, field, pages FROM yield_fields
WHERE category = :category ORDER BY host, field;
