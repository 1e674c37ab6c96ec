-- Records or reads a heartbeat of one process.
-- KEYS: the heartbeats of all processes (a sorted set of times by process id)
-- ARGV: the process id, whether to record (0 or 1), the lifetime of a heartbeat (microseconds), a time
-- Returns: the previous heartbeat of the process ('' if none), the time, how many processes are
--          alive, how many sent a heartbeat at or after the given time
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local before = redis.call('ZSCORE', KEYS[1], ARGV[1])
if ARGV[2] == '1' then
  redis.call('ZADD', KEYS[1], string.format('%.0f', now), ARGV[1])
  -- Two hours: longer than any time in a log counts.
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now - 7200000000))
  redis.call('PEXPIRE', KEYS[1], 7200000)
end
local function count (from) return redis.call('ZCOUNT', KEYS[1], string.format('%.0f', from), '+inf') end
return { before and tonumber(before) or '', now, count(now - tonumber(ARGV[3])), count(tonumber(ARGV[4])) }
