-- Raises one epoch of an account above every number that it had before.
-- KEYS: the epochs ("<keys> <content>"). ARGV: keys or content [, the time]. Returns the epochs.
local now = tonumber(ARGV[2])
if not now then
  local clock = redis.call('TIME')
  now = clock[1] * 1000000 + clock[2]
end
local keys, content = now, now
local epochs = redis.call('GET', KEYS[1])
if epochs then
  local first, second = string.match(epochs, '^(%d+) (%d+)$')
  keys, content = tonumber(first), tonumber(second)
  if ARGV[1] == 'keys' then keys = math.max(keys + 1, now) else content = math.max(content + 1, now) end
end
epochs = string.format('%.0f %.0f', keys, content)
redis.call('SET', KEYS[1], epochs, 'PX', 604800000)
return epochs
