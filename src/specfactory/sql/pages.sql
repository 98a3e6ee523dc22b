-- name: save_body
-- Store bytes once, under their hash.
INSERT INTO bodies (content_hash, size_bytes, body)
VALUES (:content_hash, :size_bytes, :body)
ON CONFLICT (content_hash) DO NOTHING;

-- name: save_page
-- Store one fetched snapshot.
INSERT INTO pages (id, url, final_url, host, tier, fetched_at, outcome, outcome_evidence, status,
    headers, content_hash, media_type, charset, size_bytes, timings_ms, confirmed_at,
    rung, proxy, response_hash, substance_hash, cause, retry_at)
VALUES (:id, :url, :final_url, :host, :tier, :fetched_at, :outcome, :outcome_evidence, :status,
    :headers, :content_hash, :media_type, :charset, :size_bytes, :timings_ms, :confirmed_at,
    :rung, :proxy, :response_hash, :substance_hash, :cause, :retry_at);

-- name: get_page
-- One page by its id.
SELECT {page_columns}
FROM pages WHERE id = :id;

-- name: latest_page
-- The newest good page of a URL: a later failure does not hide it.
SELECT {page_columns}
FROM pages WHERE url = :url AND outcome = 'ok'
ORDER BY fetched_at DESC, id DESC
LIMIT 1;

-- name: get_body
-- The compressed bytes behind a hash.
SELECT body FROM bodies WHERE content_hash = :content_hash;

-- name: confirm_page
-- Note that a page has not changed; the name of its substance is kept unless a new one is given.
UPDATE pages SET confirmed_at = :at,
    substance_hash = COALESCE(NULLIF(CAST(:substance_hash AS TEXT), ''), substance_hash)
WHERE id = :id;
