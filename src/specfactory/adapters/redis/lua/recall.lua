local kept = redis.call('GET', KEYS[1])
if not kept then
    return false
end
local gap = string.find(kept, ' ', 1, true)
if tonumber(string.sub(kept, 1, gap - 1)) <= now then
    return false
end
return string.sub(kept, gap + 1)
