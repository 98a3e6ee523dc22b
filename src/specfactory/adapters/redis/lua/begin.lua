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
