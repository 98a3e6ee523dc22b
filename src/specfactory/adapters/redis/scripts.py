"""The Lua scripts of the Redis state: each does one step at once, by the server's own clock.

The first argument of each is the time in seconds; empty, as it always is outside tests, it is
asked of the server, so that machines with different clocks agree. In its first moments a
server has forgotten whom it let through: until all workers know that it was started anew
(``quiet`` seconds), nobody is let through.
"""

from __future__ import annotations

_BEGIN = """
local now = tonumber(ARGV[1])
if not now then
    local time = redis.call('TIME')
    now = tonumber(time[1]) + tonumber(time[2]) / 1000000
end

local function text(seconds)
    return string.format('%.6f', seconds)
end

local function keep(key, seconds)
    redis.call('PEXPIRE', key, math.ceil(math.max(seconds, 0) * 1000) + 1000)
end
"""

_LIFE = """
local function life()
    local about = redis.pcall('INFO', 'server')
    return type(about) == 'string' and string.match(about, 'run_id:(%w+)') or 'unknown'
end

local function quiet_until(key, quiet)
    local run, known = life(), redis.call('HMGET', key, 'run', 'quiet_until')
    if known[1] == run then
        return tonumber(known[2])
    end
    redis.call('HSET', key, 'run', run, 'quiet_until', text(now + quiet))
    return now + quiet
end
"""

RESERVE = (
    _BEGIN
    + _LIFE
    + """
local interval, burst = tonumber(ARGV[3]), tonumber(ARGV[4])
local kept = tonumber(redis.call('GET', KEYS[2]) or '0')
local slot = math.max(kept, now, quiet_until(KEYS[1], tonumber(ARGV[2])))
redis.call('SET', KEYS[2], text(slot + interval))
keep(KEYS[2], slot + interval - now)
return text(math.max(0, slot - now - (burst - 1) * interval))
"""
)

ENTER = (
    _BEGIN
    + _LIFE
    + """
local booked = ARGV[3] == '1'
local doors, tight = {}, nil
local free_at = math.max(now, quiet_until(KEYS[1], tonumber(ARGV[2])))
local waiting = free_at > now
for place = 2, #KEYS do
    local at = 4 + (place - 2) * 3
    local interval, burst = tonumber(ARGV[at]), tonumber(ARGV[at + 1])
    local kept = redis.call('HMGET', KEYS[place], 'free_at', 'booked_until')
    local door = {key = KEYS[place], interval = interval,
                  free_at = tonumber(kept[1] or '0'), booked_until = tonumber(kept[2] or '0')}
    local opens = door.free_at - (burst - 1) * interval
    if not booked then
        opens = math.max(opens, door.booked_until)
    end
    if opens - tonumber(ARGV[at + 2]) > free_at then
        free_at, tight, waiting = opens, door, true
    end
    doors[place - 1] = door
end
if not waiting then
    for _, door in ipairs(doors) do
        local free = math.max(door.free_at, now) + door.interval
        redis.call('HSET', door.key, 'free_at', text(free))
        keep(door.key, math.max(free, door.booked_until) - now)
    end
    return '0'
end
tight = tight or doors[1]
if booked and free_at - now <= tight.interval / 2 then
    return text(free_at - now)
end
local turn = math.max(free_at, tight.booked_until)
redis.call('HSET', tight.key, 'booked_until', text(turn + tight.interval))
keep(tight.key, math.max(turn + tight.interval, tight.free_at) - now)
return text(turn - now)
"""
)

PERMIT = (
    _BEGIN
    + """
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
"""
)

FAILED = (
    _BEGIN
    + """
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
"""
)

REMEMBER = (
    _BEGIN
    + """
local seconds = tonumber(ARGV[3])
if ARGV[4] == '1' and redis.call('EXISTS', KEYS[1]) == 1 then
    return 0
end
redis.call('SET', KEYS[1], text(now + seconds) .. ' ' .. ARGV[2])
keep(KEYS[1], seconds)
return 1
"""
)

RECALL = (
    _BEGIN
    + """
local kept = redis.call('GET', KEYS[1])
if not kept then
    return false
end
local gap = string.find(kept, ' ', 1, true)
if tonumber(string.sub(kept, 1, gap - 1)) <= now then
    return false
end
return string.sub(kept, gap + 1)
"""
)

REGISTER = (
    _BEGIN
    + _LIFE
    + """
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
"""
)
