-- Tries, before anything depends on it, every command that changes something, so that no missing permission stops
-- another script halfway; and holds the layout of what is stored against this program's.
--
-- KEYS  1 layout, 2 something to try on
-- ARGV  this program's layout, 1 to note it where none is noted
-- Returns the layout that is there.
local layout, trial = KEYS[1], KEYS[2]
redis.call('SET', trial, '1', 'PX', 60000)
redis.call('INCR', trial)
redis.call('MSET', trial, '1')
redis.call('DEL', trial)
redis.call('HSET', trial, 'field', '1')
redis.call('HDEL', trial, 'field')
redis.call('ZADD', trial, 1, 'member')
redis.call('ZREM', trial, 'member')
redis.call('ZREMRANGEBYSCORE', trial, '-inf', '0')
for _, read in ipairs({'GET', 'HGETALL'}) do redis.call(read, trial) end
redis.call('GETRANGE', trial, 0, 1)
redis.call('EXISTS', trial)
redis.call('HGET', trial, 'field')
redis.call('ZRANGE', trial, 0, 0)
redis.call('ZRANGEBYSCORE', trial, 0, 0)
redis.call('TIME')
local known = redis.call('GET', layout)
if not known and ARGV[2] == '1' then redis.call('SET', layout, ARGV[1]) end
return known or ARGV[1]
