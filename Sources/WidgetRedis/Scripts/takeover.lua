-- Makes a worker the owner of a queue, and of what is left of it.
--
-- KEYS  1 commit number, 2 outbox, 3 outbox owners, 4 owner of the queue, 5 deliveries of the queue
-- ARGV  worker, queue
-- Returns {what commits are held against, {number, outcomes…}, {deliveries…}}.
local worker, queue = ARGV[1], '\0' .. ARGV[2] .. '\0'
local token = worker .. ':' .. redis.call('INCR', KEYS[1])
redis.call('SET', KEYS[4], token)
local outcomes = {}
local owners = redis.call('HGETALL', KEYS[3])
for index = 1, #owners, 2 do
    local number, owner = owners[index], owners[index + 1]
    if owner:find(queue, 1, true) then
        redis.call('HSET', KEYS[3], number, worker .. owner:sub(owner:find('\0', 1, true), -1))
        outcomes[#outcomes + 1] = number
        outcomes[#outcomes + 1] = redis.call('HGET', KEYS[2], number)
    end
end
return {token, outcomes, redis.call('ZRANGE', KEYS[5], 0, -1)}
