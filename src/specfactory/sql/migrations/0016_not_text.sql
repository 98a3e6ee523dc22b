-- "unreadable" is an outcome now: bytes that are no text, though declared as such, are "not_text".
UPDATE pages SET cause = 'not_text' WHERE cause = 'unreadable';
UPDATE visits SET cause = 'not_text' WHERE cause = 'unreadable';
UPDATE job_errors SET page_cause = 'not_text' WHERE page_cause = 'unreadable';
