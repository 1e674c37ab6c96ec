-- The turns of the accounts of one queue. An account has at most one job in BullMQ's list `wait`
-- ("next"), and at most as many runs as its limit. Its other due jobs are parked: they are in
-- `delayed`, where tools of BullMQ find them, with scores that are never due, and in a list of the
-- account. So BullMQ, which starts jobs in the order of `wait`, serves the accounts in turn. In `wait`,
-- the jobs of accounts with nothing running are before the others, and first those of accounts whose
-- runs took little time lately or are short (`light`, as in lib/recent-use.ts and lib/run-lengths.ts); at every
-- eighth start, another one is next. Accounts whose runs were slow lately
-- leave a part of the runs of all processes to others: a job that would exceed it is held.
--
-- KEYS: wait, active, delayed, failed, marker, stalled; of the queue: the account limit,
--       the last jobs in `wait` of an account with nothing running and of a light one,
--       the time of the account that used most, the longest run, the number of starts,
--       when the runs in progress started, the held jobs, the workers;
--       of the account: parked, running, next, used, longest run, slow;
--       of the job: its hash, its lock, its deduplication key
-- ARGV: operation, job id, account limit ('' if unknown), now (ms), how long the run took (ms)
--       [, lock token [, data]]
-- Operations and replies:
--   admit     a job was added to `delayed`: gives it a place among the jobs of its account.
--   start     1: the job may run, and its deduplication key is free. 0: it was parked, because it
--             came to `wait` in another way, for example at the end of a delay, or because data is 'crowded'
--             and its account has something running: until a run of the account ends. Or it was held,
--             because its account is slow: until a run of a slow account ends.
--   finish    the run has ended.
--   continue  1: the job is parked behind those of its account. 0: another job has its key.
--   give-back 1: the job is the next of its account again, before the others in `wait`.
-- `start`, `continue` and `give-back` reply -1 if the lock of the job was lost.
local call = redis.call
local wait, active, delayed, failed, marker, stalled, limitKey, lastIdleKey, lastLightKey, mostKey, longestOfAllKey,
  startsKey, started, held, workers, parked, running, nextKey, usedKey, longestKey, slowKey, job, lock, jobKey =
  unpack(KEYS)
local operation, id, limit, now, took, token, data = unpack(ARGV)
-- Scores of BullMQ are 4,096 times a Unix time in milliseconds: these are far above. Multiples of
-- 256 are exact at this size.
local PARKED, PARKED_UNIT = 2 ^ 60, 256
-- Of keys that a crash may leave behind.
local DAY_MS = 86400000
local HALF_LIFE_MS, LIGHT_MS, LIGHT_SHARE = 300000, 500, 0.5
local LENGTH_HALF_LIFE_MS, SHORT_SHARE, REMAINDER, LONG_MS = 60000, 0.5, 0.8, 1000
-- Of so many starts, one is of an account that is not light.
local STARTS = 8
-- After this time, next to nothing of it is left.
local FORGET_MS = 3600000
-- A run that takes longer waits for something that does not respond. Its account counts as slow for a while.
local SLOW_MS, SLOW_FOR_MS = 6000, 600000
local jobPrefix = string.sub(job, 1, #job - #id)

if limit ~= '' then
  call('SET', limitKey, limit)
else
  limit = call('GET', limitKey) or 1
end
limit = tonumber(limit)

-- Whether a job is in `wait` or `active`, or is held. It may have left them through an older version of
-- the service or another tool.
local function isLive(other)
  return call('EXISTS', jobPrefix .. other) == 1 and not call('ZSCORE', failed, other)
    and (not call('ZSCORE', delayed, other) or call('ZSCORE', held, other) ~= false)
end

local function hasNext()
  local other = call('GET', nextKey)
  if other and not isLive(other) then
    call('DEL', nextKey)
    return false
  end
  return other ~= false
end

local function isFull()
  if call('SCARD', running) < limit then return false end
  for _, other in ipairs(call('SMEMBERS', running)) do
    if not isLive(other) then call('SREM', running, other) end
  end
  return call('SCARD', running) >= limit
end

local function isRunning()
  for _, other in ipairs(call('SMEMBERS', running)) do
    if isLive(other) then return true end
  end
  return false
end

local function timeLeft(key, halfLifeMs)
  local value = call('GET', key)
  if not value then return 0 end
  local ms, at = string.match(value, '^(%S+) (%S+)$')
  return tonumber(ms) * 0.5 ^ (math.max(0, now - at) / halfLifeMs)
end

local function setTime(key, ms)
  call('SET', key, string.format('%.3f %.0f', ms, now), 'PX', FORGET_MS)
end

local function addTime()
  local ms = tonumber(took)
  if ms <= 0 then return end
  local used = timeLeft(usedKey, HALF_LIFE_MS) + ms
  if used > timeLeft(mostKey, HALF_LIFE_MS) then setTime(mostKey, used) end
  setTime(usedKey, used)
  -- A run that is continued counts as a whole slice, because its job is long, however early the run ended.
  local length = operation == 'continue' and math.max(ms, LONG_MS) or ms
  local longest = math.max(length, REMAINDER * (call('GET', longestKey) or 0))
  call('SET', longestKey, string.format('%.3f', longest), 'PX', FORGET_MS)
  if length > timeLeft(longestOfAllKey, LENGTH_HALF_LIFE_MS) then setTime(longestOfAllKey, length) end
end

local function isLight()
  local used = timeLeft(usedKey, HALF_LIFE_MS)
  if used < LIGHT_MS or used < LIGHT_SHARE * timeLeft(mostKey, HALF_LIFE_MS) then return true end
  local longest = call('GET', longestKey)
  return longest and tonumber(longest) < SHORT_SHARE * timeLeft(longestOfAllKey, LENGTH_HALF_LIFE_MS)
end

local function isSlow()
  if call('EXISTS', slowKey) == 1 then return true end
  for _, other in ipairs(call('SMEMBERS', running)) do
    local since = call('ZSCORE', started, other)
    if since and now - since > SLOW_MS and isLive(other) then return true end
  end
  return false
end

-- Of all accounts. Runs of accounts that were slow when they started have the score 0.
local function countSlowRuns()
  local count = 0
  for _, other in ipairs(call('ZRANGEBYSCORE', started, '-inf', '(' .. now - SLOW_MS)) do
    if isLive(other) then count = count + 1 else call('ZREM', started, other) end
  end
  return count
end

-- How many runs of slow accounts all processes may have: the sum of what each one allows.
local function slowRunLimit()
  call('ZREMRANGEBYSCORE', workers, '-inf', now)
  local sum = 0
  for _, worker in ipairs(call('ZRANGE', workers, 0, -1)) do
    sum = sum + tonumber(string.match(worker, ':(%d+)$'))
  end
  return math.max(1, sum)
end

local function leaveWait()
  call('ZADD', delayed, string.format('%.0f', PARKED + now * PARKED_UNIT), id)
end

local function park(command)
  leaveWait()
  call(command, parked, id)
end

local function setNext(other, command)
  call('HSET', jobPrefix .. other, 'delay', 0)
  if command then call(command, wait, other) end
  call('SET', nextKey, other, 'PX', DAY_MS)
  call('ZADD', marker, 0, '0')
end

-- BullMQ takes jobs from the right end of `wait`. The jobs of light accounts are there, behind them
-- those of other accounts with nothing running. They are taken in their order: when the last of a kind has
-- left the list, all have.
local function place(other, lastKeys)
  local isPlaced = false
  for _, lastKey in ipairs(lastKeys) do
    local last = call('GET', lastKey)
    if last and not isPlaced then isPlaced = call('LINSERT', wait, 'BEFORE', last, other) > 0 end
  end
  if not isPlaced then call('RPUSH', wait, other) end
  call('SET', lastKeys[1], other, 'PX', DAY_MS)
end

-- Puts the first job behind those of light accounts before them, at every eighth start.
local function takeTurns()
  if call('INCR', startsKey) % STARTS ~= 0 then return end
  local lastLight, lastIdle = call('GET', lastLightKey), call('GET', lastIdleKey)
  local position = lastLight and lastIdle and call('LPOS', wait, lastLight)
  if not position or position == 0 or not call('LPOS', wait, lastIdle) then return end
  local other = call('LINDEX', wait, position - 1)
  call('LREM', wait, 1, other)
  call('RPUSH', wait, other)
  if other == lastIdle then call('DEL', lastIdleKey) end
end

local function setNextInOrder(other)
  if isRunning() then return setNext(other, 'LPUSH') end
  place(other, isLight() and { lastLightKey } or { lastIdleKey, lastLightKey })
  setNext(other)
end

-- Gives the job that was held first a place behind light accounts, if a slow account may start a run.
local function releaseHeld()
  if call('ZCARD', held) == 0 or countSlowRuns() >= slowRunLimit() then return end
  local other
  repeat
    other = call('ZPOPMIN', held)[1]
  until not other or (call('ZREM', delayed, other) == 1 and call('EXISTS', jobPrefix .. other) == 1)
  if not other then return end
  place(other, { lastIdleKey, lastLightKey })
  call('HSET', jobPrefix .. other, 'delay', 0)
  call('ZADD', marker, 0, '0')
end

-- Makes the first parked job the next one, if the account may start a job.
local function advance()
  releaseHeld()
  if hasNext() then
    -- The last run of the account may have ended while the job was in `wait`.
    local isEnd = operation == 'finish' or operation == 'continue'
    local other = call('GET', nextKey)
    local isInOrder = call('GET', lastIdleKey) == other or call('GET', lastLightKey) == other
    if isEnd and not isInOrder and not isRunning() and call('LREM', wait, 1, other) == 1 then
      setNextInOrder(other)
    end
    return
  end
  if isFull() then return end
  local other
  repeat
    other = call('LPOP', parked)
  until not other or (call('ZREM', delayed, other) == 1 and call('EXISTS', jobPrefix .. other) == 1)
  if other then setNextInOrder(other) end
end

local function holdsLock()
  return token == '0' or call('GET', lock) == token
end

local function leaveActive()
  call('DEL', lock)
  call('SREM', stalled, id)
  call('LREM', active, -1, id)
end

local function endRun()
  addTime()
  if tonumber(took) > SLOW_MS then call('SET', slowKey, 1, 'PX', SLOW_FOR_MS) end
  call('SREM', running, id)
  call('ZREM', started, id)
  if call('GET', nextKey) == id then call('DEL', nextKey) end
end

if operation == 'admit' then
  if call('ZSCORE', delayed, id) then park('RPUSH') end
  advance()
  return 1
end

if operation == 'finish' then
  endRun()
  advance()
  return 1
end

if operation == 'start' then
  for _, lastKey in ipairs({ lastIdleKey, lastLightKey }) do
    if call('GET', lastKey) == id then call('DEL', lastKey) end
  end
  if data == 'crowded' and isRunning() then
    if not holdsLock() then return -1 end
    if call('GET', nextKey) == id then call('DEL', nextKey) end
    leaveActive()
    park('LPUSH')
    return 0
  end
  local startsSlow = isSlow()
  if startsSlow and countSlowRuns() >= slowRunLimit() then
    if not holdsLock() then return -1 end
    leaveActive()
    leaveWait()
    -- Those of the same millisecond keep their order.
    local latest = tonumber(call('ZRANGE', held, -1, -1, 'WITHSCORES')[2] or 0)
    call('ZADD', held, string.format('%.0f', math.max(now, latest + 1)), id)
    call('PEXPIRE', held, DAY_MS)
    return 0
  end
  if call('GET', nextKey) == id then
    call('DEL', nextKey)
  elseif call('SISMEMBER', running, id) == 0 then
    -- A job that nobody else waits behind need not take a turn.
    local isAlone = call('LLEN', wait) == 0 and call('LLEN', parked) == 0 and not hasNext()
    if not isAlone or isFull() then
      if not holdsLock() then return -1 end
      leaveActive()
      park('RPUSH')
      advance()
      return 0
    end
  end
  takeTurns()
  call('SADD', running, id)
  call('PEXPIRE', running, DAY_MS)
  call('ZADD', started, startsSlow and 0 or now, id)
  call('PEXPIRE', started, DAY_MS)
  if jobKey and call('GET', jobKey) == id then call('DEL', jobKey) end
  advance()
  return 1
end

local holder = jobKey and call('GET', jobKey)
if operation == 'continue' and holder and holder ~= id then
  endRun()
  advance()
  return 0
end
if not holdsLock() then return -1 end
endRun()
leaveActive()
if jobKey then call('SET', jobKey, id, 'NX') end
call('HSET', job, 'data', data)
if operation == 'continue' then
  park('RPUSH')
elseif hasNext() then
  park('LPUSH')
else
  setNext(id, 'RPUSH')
  local lastLight = call('GET', lastLightKey)
  if not lastLight or not call('LPOS', wait, lastLight) then call('SET', lastLightKey, id, 'PX', DAY_MS) end
end
advance()
return 1
