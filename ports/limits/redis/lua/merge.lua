-- Adds times to a bucket's log, in order. Skips times that are already in it, so it may be repeated.
-- KEYS: the list of times. ARGV: times (microseconds), oldest first
local log, first = KEYS[1], tonumber(ARGV[1])
local tail = {}
while true do
  local newest = redis.call('LINDEX', log, -1)
  if not newest or tonumber(newest) < first then break end
  tail[#tail + 1] = tonumber(redis.call('RPOP', log))
end

local merged, there, mine = {}, #tail, 1
while there > 0 or mine <= #ARGV do
  local known, added = tail[there], tonumber(ARGV[mine])
  if known and (not added or known <= added) then
    merged[#merged + 1] = string.format('%.0f', known)
    there = there - 1
    if added == known then mine = mine + 1 end
  else
    merged[#merged + 1] = string.format('%.0f', added)
    mine = mine + 1
  end
end
for start = 1, #merged, 1000 do
  redis.call('RPUSH', log, unpack(merged, start, math.min(start + 999, #merged)))
end
redis.call('PEXPIRE', log, 4200000)
return #merged
