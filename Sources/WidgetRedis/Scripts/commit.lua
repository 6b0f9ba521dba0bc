-- Compares, then writes a batch: all of it or nothing. What it is given, in this order, CommitCommand.swift writes.
--
-- KEYS  1 commit number, 2 this worker's last attempt, 3 workers, 4 outbox, 5 outbox owners, 6 index of widgets,
--       7 due, 8 pending; owner and deliveries of each queue; widgets; new inbox entries; recounted ones
-- Returns {number}, or where a comparison is lost {0, {queues…}, {widgets…}}, by their places.
local place = 0
local function take()
    place = place + 1
    return ARGV[place]
end
local function takeNumber() return tonumber(take()) end
local key = 8
local function takeKey()
    key = key + 1
    return KEYS[key]
end

local worker, attempt, lastNumber = take(), takeNumber(), takeNumber()
local lease, attemptLife, now, entryLife = takeNumber(), take(), takeNumber(), take()
local counts = {}
for _, name in ipairs({'queues', 'widgets', 'compared', 'inbox', 'recounted', 'pending', 'dropped', 'settled'}) do
    counts[name] = takeNumber()
end

-- The same attempt may come twice, when its first answer was lost; and late, behind another.
local known = redis.call('GET', KEYS[2])
if known then
    local before, number = known:match('^(%d+):(%d+)$')
    if tonumber(before) == attempt then return {tonumber(number), {}, {}} end
    if tonumber(before) > attempt then return redis.error_reply('WIDGETDLATE a commit came behind a later one') end
end
local function remember(number)
    redis.call('SET', KEYS[2], string.format('%.0f:%.0f', attempt, number), 'PX', attemptLife)
end

-- Comparisons.
local isLost, lostQueues, lostWidgets = false, {}, {}
local queues = {}
for index = 1, counts.queues do
    local queue = {
        owner = takeKey(), deliveries = takeKey(),
        name = take(), wanted = take(), forgotten = take(), fingerprints = take()
    }
    queues[index] = queue
    if queue.wanted ~= '' and queue.fingerprints ~= '' and redis.call('GET', queue.owner) ~= queue.wanted then
        isLost = true
        lostQueues[#lostQueues + 1] = index - 1
    end
end
local firstWidget = key + 1
local widgetPlace = place + 1
local wasLive = {}
for index = 0, counts.widgets - 1 do
    local old = redis.call('GETRANGE', KEYS[firstWidget + index], 0, 16)
    wasLive[index] = old:sub(17, 17) == '\1'
    if counts.compared == 1 and old:sub(1, 16) ~= ARGV[widgetPlace + 3 * index] then
        isLost = true
        lostWidgets[#lostWidgets + 1] = index
    end
end
key, place = key + counts.widgets, place + 3 * counts.widgets
local firstEntry = key + 1
for first = firstEntry, firstEntry + counts.inbox - 1, 1000 do
    local last = math.min(first + 999, firstEntry + counts.inbox - 1)
    if redis.call('EXISTS', unpack(KEYS, first, last)) > 0 then
        -- One that has ended may still lie there.
        for each = first, last do
            local entry = redis.call('GETRANGE', KEYS[each], 0, 7)
            if entry ~= '' and struct.unpack('<i8', entry) > now then isLost = true end
        end
    end
end
if isLost then
    remember(0)
    return {0, lostQueues, lostWidgets}
end

-- Writes.
local number = math.max(tonumber(redis.call('GET', KEYS[1]) or '0'), lastNumber) + 1
local numberText = string.format('%.0f', number)
redis.call('SET', KEYS[1], numberText)
local time = redis.call('TIME')
redis.call('ZADD', KEYS[3], time[1] * 1000 + math.floor(time[2] / 1000) + lease, worker)

for first = 0, counts.widgets - 1, 1000 do
    local states = {}
    for index = first, math.min(first + 999, counts.widgets - 1) do
        local state = ARGV[widgetPlace + 3 * index + 1]
        states[#states + 1] = KEYS[firstWidget + index]
        states[#states + 1] = state
        local isLive = state:sub(17, 17) == '\1'
        if isLive ~= wasLive[index] then
            local member = ARGV[widgetPlace + 3 * index + 2]
            if isLive then redis.call('ZADD', KEYS[6], 0, member) else redis.call('ZREM', KEYS[6], member) end
        end
    end
    redis.call('MSET', unpack(states))
end
for index = firstEntry, firstEntry + counts.inbox + counts.recounted - 1 do
    redis.call('SET', KEYS[index], take(), 'PX', entryLife)
end
for _ = 1, counts.pending do
    local member, due = take(), take()
    redis.call('HSET', KEYS[8], member, take())
    redis.call('ZADD', KEYS[7], due, member)
end
for _ = 1, counts.dropped do
    local member = take()
    redis.call('HDEL', KEYS[8], member)
    redis.call('ZREM', KEYS[7], member)
end
for _ = 1, counts.settled do
    local settled = take()
    redis.call('HDEL', KEYS[4], settled)
    redis.call('HDEL', KEYS[5], settled)
end
local outcomes = take()
local owner = worker .. '\0'
for _, queue in ipairs(queues) do
    if queue.forgotten ~= '' then redis.call('ZREMRANGEBYSCORE', queue.deliveries, '-inf', queue.forgotten) end
    if queue.fingerprints ~= '' then
        redis.call('ZADD', queue.deliveries, numberText, string.format('%016.0f', number) .. queue.fingerprints)
        owner = owner .. queue.name .. '\0'
    end
end
if outcomes ~= '' then
    redis.call('HSET', KEYS[4], numberText, outcomes)
    redis.call('HSET', KEYS[5], numberText, owner)
end
remember(number)
return {number, {}, {}}
