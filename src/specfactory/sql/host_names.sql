-- name: hosts_by_name
-- The hosts that are known under a name: itself, and the name with any port.
SELECT host FROM pages WHERE host = :name OR SUBSTR(host, 1, :length) = :beginning
UNION SELECT host FROM visits WHERE host = :name OR SUBSTR(host, 1, :length) = :beginning
UNION SELECT host FROM healing_events WHERE host = :name OR SUBSTR(host, 1, :length) = :beginning
UNION SELECT host FROM templates WHERE host = :name OR SUBSTR(host, 1, :length) = :beginning
ORDER BY host;
