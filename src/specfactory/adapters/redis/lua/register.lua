redis.call('ZADD', KEYS[2], text(now), ARGV[3])
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', text(now - tonumber(ARGV[4])))
quiet_until(KEYS[1], tonumber(ARGV[2]))
local names, before = redis.call('ZRANGE', KEYS[2], 0, -1), 0
for _, name in ipairs(names) do
    if name < ARGV[3] then
        before = before + 1
    end
end
return {life(), before, #names}
