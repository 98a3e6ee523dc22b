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
