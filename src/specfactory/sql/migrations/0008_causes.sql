-- Facts beside the texts: why a page, a visit or a job ended as it did, filled in for old rows as
-- far as their texts allow. From here on no decision is made by such a text.
ALTER TABLE pages ADD COLUMN cause TEXT NOT NULL DEFAULT '';
ALTER TABLE pages ADD COLUMN retry_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE visits ADD COLUMN cause TEXT NOT NULL DEFAULT '';
ALTER TABLE job_errors ADD COLUMN page_cause TEXT NOT NULL DEFAULT '';
ALTER TABLE jobs ADD COLUMN last_cause TEXT;

UPDATE pages SET cause = 'robots'
WHERE outcome = 'refused' AND outcome_evidence LIKE 'robots.txt forbids%';
UPDATE pages SET cause = 'unwanted'
WHERE outcome = 'refused' AND outcome_evidence LIKE 'the page asks not to be used%';
UPDATE pages SET cause = 'gate' WHERE outcome = 'refused' AND outcome_evidence LIKE 'gate:%';
UPDATE pages SET cause = 'proxy'
WHERE outcome = 'network_error' AND outcome_evidence LIKE 'proxy: %';

UPDATE visits SET cause = CASE
    WHEN evidence LIKE 'robots.txt forbids%' THEN 'robots'
    WHEN evidence LIKE 'the page asks not to be used%' THEN 'unwanted'
    WHEN evidence LIKE 'gate:%' THEN 'gate'
    WHEN evidence LIKE '%(gzip)%' THEN 'broken_encoding'
    WHEN evidence LIKE 'binary bytes%declared as text%' THEN 'unreadable'
    ELSE '' END
WHERE outcome = 'refused';
UPDATE visits SET cause = 'no_connection'
WHERE outcome = 'timeout' AND LOWER(evidence) LIKE '%no connection%';
UPDATE visits SET cause = 'asked_to_wait'
WHERE outcome = 'rate_limited' AND evidence LIKE 'the server asked to come back%';
UPDATE visits SET cause = 'browser_unusable'
WHERE outcome IN ('js_required', 'consent_wall') AND evidence LIKE '%it cannot be used: %';
UPDATE visits SET cause = 'status_only' WHERE outcome = 'maintenance' AND evidence LIKE 'HTTP ___';
UPDATE visits SET cause = CASE
    WHEN LOWER(evidence) LIKE 'proxy:%' THEN 'proxy'
    WHEN LOWER(evidence) LIKE '%tls%' THEN 'tls'
    WHEN LOWER(evidence) LIKE '%certificate%' THEN 'tls'
    WHEN LOWER(evidence) LIKE '%redirects%' THEN 'redirect_loop'
    WHEN LOWER(evidence) LIKE '%browser crashed%' THEN 'browser_crashed'
    WHEN LOWER(evidence) LIKE '%broken %' THEN 'broken_encoding'
    WHEN LOWER(evidence) LIKE '%in the middle of its%' THEN 'broken_encoding'
    WHEN LOWER(evidence) LIKE '%content-encoding%' THEN 'broken_encoding'
    WHEN LOWER(evidence) LIKE '%before its announced end%' THEN 'cut_off'
    ELSE '' END
WHERE outcome = 'network_error';

UPDATE job_errors SET page_cause = 'robots' WHERE message LIKE '%robots.txt forbids%';
UPDATE jobs SET last_cause = 'lease_expired'
WHERE last_error LIKE 'lease expired: its worker fell silent%';
