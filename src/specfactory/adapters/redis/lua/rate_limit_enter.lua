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
        keep_limit(door.key, math.max(free, door.booked_until))
    end
    return '0'
end
tight = tight or doors[1]
if booked and free_at - now <= tight.interval / 2 then
    return text(free_at - now)
end
local turn = math.max(free_at, tight.booked_until)
redis.call('HSET', tight.key, 'booked_until', text(turn + tight.interval))
keep_limit(tight.key, math.max(turn + tight.interval, tight.free_at))
return text(turn - now)
