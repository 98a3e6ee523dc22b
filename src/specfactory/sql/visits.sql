-- name: add_visit
-- Note one fetch of a page, as it ended.
INSERT INTO visits (host, url, at, outcome, evidence, status, rung, proxy, size_bytes, confidence,
    timings_ms, page_id, landed, garbled, cause)
VALUES (:host, :url, :at, :outcome, :evidence, :status, :rung, :proxy, :size_bytes, :confidence,
    :timings_ms, :page_id, :landed, :garbled, :cause);

-- name: recent_visits
-- The latest visits of a host, the newest first.
SELECT host, url, at, outcome, evidence, status, rung, proxy, size_bytes, confidence, timings_ms,
    page_id, landed, garbled, cause
FROM visits WHERE host = :host
ORDER BY at DESC, id DESC
LIMIT :limit;

-- name: timed_visits
-- Visits of a host since an instant whose timings were sampled, the newest first.
SELECT host, url, at, outcome, evidence, status, rung, proxy, size_bytes, confidence, timings_ms,
    page_id, landed, garbled, cause
FROM visits WHERE host = :host AND at >= :since AND timings_ms IS NOT NULL
ORDER BY at DESC, id DESC
LIMIT :limit;

-- name: timed_visits_anywhere
-- Visits of all hosts since an instant whose timings were sampled, the newest first.
SELECT host, url, at, outcome, evidence, status, rung, proxy, size_bytes, confidence, timings_ms,
    page_id, landed, garbled, cause
FROM visits WHERE at >= :since AND timings_ms IS NOT NULL
ORDER BY at DESC, id DESC
LIMIT :limit;

-- name: prune_visits
-- Forget visits from before an instant.
DELETE FROM visits WHERE at < :before;
