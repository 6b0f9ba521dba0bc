-- Takes what workers that are gone left, and tells that this one is there.
--
-- KEYS  1 workers, 2 outbox, 3 outbox owners, 4 due, 5 pending
-- ARGV  worker, its lease, 1 to tell its own outcomes, too, until when a fan-out should have gone out, when it is
--       served again if this worker does not, how many fan-outs at most
-- Returns {{number, outcomes…}, {member, fan-out…}}.
local worker, isUnsure = ARGV[1], ARGV[3] == '1'
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZADD', KEYS[1], now + ARGV[2], worker)
local gone, areGone = {}, false
for _, name in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now)) do
    gone[name], areGone = true, true
end
local outcomes = {}
if areGone or isUnsure then
    local owners = redis.call('HGETALL', KEYS[3])
    for index = 1, #owners, 2 do
        local number, owner = owners[index], owners[index + 1]
        local border = owner:find('\0', 1, true)
        local name = owner:sub(1, border - 1)
        if gone[name] then redis.call('HSET', KEYS[3], number, worker .. owner:sub(border, -1)) end
        if gone[name] or (isUnsure and name == worker) then
            outcomes[#outcomes + 1] = number
            outcomes[#outcomes + 1] = redis.call('HGET', KEYS[2], number)
        end
    end
    for name in pairs(gone) do redis.call('ZREM', KEYS[1], name) end
end
local pushes = {}
for _, member in ipairs(redis.call('ZRANGEBYSCORE', KEYS[4], '-inf', ARGV[4], 'LIMIT', 0, ARGV[6])) do
    local push = redis.call('HGET', KEYS[5], member)
    if push then
        redis.call('ZADD', KEYS[4], ARGV[5], member)
        pushes[#pushes + 1] = member
        pushes[#pushes + 1] = push
    else
        redis.call('ZREM', KEYS[4], member)
    end
end
return {outcomes, pushes}
