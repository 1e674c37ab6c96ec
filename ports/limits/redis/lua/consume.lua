-- Decides about one request and records it if it is allowed: an exact sliding hour.
-- KEYS: the bucket's list of times (microseconds, oldest first)
--       [, the epochs of its account: "<keys> <content>"]
-- ARGV: limit, cost [, the time]
-- Returns: allowed (0 or 1), requests in the window, when the oldest leaves, the recorded time,
--          the wait (all microseconds) [, the epochs]
local call = redis.call
local WINDOW, SPARE, MINUTE, EPOCHS_MS = 3600000000, 600000, 60000000, 604800000
local log, limit, cost, now = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
if not now then
  local clock = call('TIME')
  now = clock[1] * 1000000 + clock[2]
end

-- If the clock was set back, the log goes on from its newest entry: times must not fall.
local time, count, oldest, newest = now, call('LLEN', log), nil, nil
if count > 0 then
  newest = tonumber(call('LINDEX', log, -1))
  if newest > time then time = newest end
  oldest = tonumber(call('LINDEX', log, 0))
  if oldest <= time - WINDOW then
    -- Finds the number of expired entries by doubling steps, then by halves: most often only a few
    -- have expired, and Redis reads a list from its ends.
    local gone, stays = 1, 2
    while stays <= count and tonumber(call('LINDEX', log, stays - 1)) <= time - WINDOW do
      gone, stays = stays, stays * 2
    end
    if stays > count + 1 then stays = count + 1 end
    while stays - gone > 1 do
      local middle = math.floor((gone + stays) / 2)
      if tonumber(call('LINDEX', log, middle - 1)) <= time - WINDOW then gone = middle else stays = middle end
    end
    call('LTRIM', log, gone, -1)
    count = count - gone
    oldest = count > 0 and tonumber(call('LINDEX', log, 0)) or nil
  end
end

local allowed, wait = 0, 0
if count + cost <= limit then
  allowed = 1
  if cost > 0 then
    local entry = string.format('%.0f', time)
    for _ = 1, cost do call('RPUSH', log, entry) end
    -- Once a minute is enough: the list is kept ten minutes longer than needed.
    if count == 0 or time - time % MINUTE ~= newest - newest % MINUTE then
      call('PEXPIRE', log, WINDOW / 1000 + SPARE)
    end
    count = count + cost
    oldest = oldest or time
  end
elseif cost > limit then
  wait = WINDOW
else
  wait = tonumber(call('LINDEX', log, count + cost - limit - 1)) + WINDOW - now
end

local reply = { allowed, count, (oldest or time) + WINDOW, time, wait }
if KEYS[2] then
  local epochs = call('GET', KEYS[2])
  if not epochs then
    -- New epochs start from the clock, so that no used number returns.
    epochs = string.format('%.0f %.0f', now, now)
    call('SET', KEYS[2], epochs, 'PX', EPOCHS_MS)
  end
  reply[6] = epochs
end
return reply
