local kept = redis.call('HMGET', KEYS[1], 'open_until', 'probe_until')
if not kept[1] then
    return {1, 0, '0'}
end
local closed_until = math.max(tonumber(kept[1]), tonumber(kept[2] or '0'))
if now < closed_until then
    return {0, 0, text(closed_until - now)}
end
redis.call('HSET', KEYS[1], 'probe_until', text(now + tonumber(ARGV[2])))
return {1, 1, '0'}
