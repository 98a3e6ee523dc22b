local seconds = tonumber(ARGV[3])
if ARGV[4] == '1' and redis.call('EXISTS', KEYS[1]) == 1 then
    return 0
end
redis.call('SET', KEYS[1], text(now + seconds) .. ' ' .. ARGV[2])
keep(KEYS[1], seconds)
return 1
