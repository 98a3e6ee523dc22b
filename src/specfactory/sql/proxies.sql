-- name: load_proxies
-- All proxies that are known, those of fetched lists with their URL, in the order of the list.
SELECT url_hash, url, place, tier, origin, health FROM proxies ORDER BY position, url_hash;

-- name: keep_proxy
-- Keep the health of a proxy that the operator named, unless newer word is there.
INSERT INTO proxies (url_hash, url, place, tier, origin, position, health, changed_at)
VALUES (:url_hash, '', :place, :tier, :origin, 0, :health, :changed_at)
ON CONFLICT (url_hash) DO UPDATE SET
    tier = excluded.tier, origin = excluded.origin,
    health = excluded.health, changed_at = excluded.changed_at
WHERE proxies.changed_at <= excluded.changed_at;

-- name: keep_listed_proxy
-- Keep the health of a proxy of a fetched list; one that is listed no more stays forgotten.
UPDATE proxies SET health = :health, changed_at = :changed_at
WHERE url_hash = :url_hash AND changed_at <= :changed_at;

-- name: list_proxy
-- A fetched list holds this proxy; the health that is known of it stays.
INSERT INTO proxies (url_hash, url, place, tier, origin, position, health, changed_at)
VALUES (:url_hash, :url, :place, :tier, :origin, :position, :health, 0)
ON CONFLICT (url_hash) DO UPDATE SET
    url = excluded.url, tier = excluded.tier, origin = excluded.origin,
    position = excluded.position;

-- name: unlist_proxies
-- Fetched lists are about to be written anew: what is on them no more goes.
UPDATE proxies SET position = -1 WHERE origin = 'list';

-- name: forget_unlisted_proxies
-- Proxies that no list holds any more.
DELETE FROM proxies WHERE origin = 'list' AND position = -1;

-- name: forget_proxy
-- All that is known of a proxy.
DELETE FROM proxies WHERE url_hash = :url_hash;
