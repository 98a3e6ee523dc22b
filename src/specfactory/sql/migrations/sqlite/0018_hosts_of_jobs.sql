UPDATE jobs
SET host = SUBSTR(
    LOWER(SUBSTR(key, INSTR(key, '://') + 3)), 1,
    INSTR(SUBSTR(key, INSTR(key, '://') + 3) || '/', '/') - 1
)
WHERE kind IN ('page', 'section', 'site', 'search') AND key LIKE 'http%://%'
    AND status IN ('queued', 'in_progress', 'awaiting_review', 'paused');
