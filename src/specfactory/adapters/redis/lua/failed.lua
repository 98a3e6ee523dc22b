local most, window, open = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local kept = redis.call('HMGET', KEYS[1], 'failures', 'failed_at', 'open_until')
local failures = tonumber(kept[1] or '0')
if now - tonumber(kept[2] or '0') > window then
    failures = 0
end
redis.call('HSET', KEYS[1], 'failures', failures + 1, 'failed_at', text(now))
local open_until = tonumber(kept[3] or '')
if (open_until and now >= open_until) or (not open_until and failures + 1 >= most) then
    redis.call('HSET', KEYS[1], 'open_until', text(now + open), 'probe_until', '0')
end
keep(KEYS[1], math.max(window, open) * 2 + tonumber(ARGV[5]))
return 0
