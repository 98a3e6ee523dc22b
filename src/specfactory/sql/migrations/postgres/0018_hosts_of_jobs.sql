UPDATE jobs SET host = LOWER(SPLIT_PART(key, '/', 3))
WHERE kind IN ('page', 'section', 'site', 'search') AND key LIKE 'http%://%'
    AND status IN ('queued', 'in_progress', 'awaiting_review', 'paused');
