-- A sign of life of one process.
-- KEYS: the signs of all (times by process). ARGV: the process, whether to give a sign (0 or 1), for how long a sign is good (microseconds), a time
-- Answers: when its sign before this one was given ('' where there is none), the time, how many processes are alive, how many gave a sign since that time
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local before = redis.call('ZSCORE', KEYS[1], ARGV[1])
if ARGV[2] == '1' then
  redis.call('ZADD', KEYS[1], string.format('%.0f', now), ARGV[1])
  -- Older than any time that still counts in a log.
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now - 7200000000))
  redis.call('PEXPIRE', KEYS[1], 7200000)
end
local function count (from) return redis.call('ZCOUNT', KEYS[1], string.format('%.0f', from), '+inf') end
return { before and tonumber(before) or '', now, count(now - tonumber(ARGV[3])), count(tonumber(ARGV[4])) }
