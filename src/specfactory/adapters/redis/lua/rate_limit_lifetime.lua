local function keep_limit(key, free_at)
    keep(key, free_at - now)
end
