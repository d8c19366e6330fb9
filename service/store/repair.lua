-- Rebuild a table's marks from its last entry, if that is still the one that the caller has read.
--
-- KEYS  1 stream   2 outbox   3 running tables
-- ARGV  1 version   2 hash   3 ms from that entry until something is due, '' nothing   4 '1' running, '0' not
--       5 table
-- Gives 1 where the marks now agree with the entry, 0 where the entry is no longer the last.
--
-- A mark that is there stays as it is: it may be leased. A lost one is counted from the entry's own time, never
-- from later than now, so that a clock that was ahead can't put it off.

local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
if not last or last[1] ~= ARGV[1] .. '-0' then return 0 end
local hash, at = '', nil
for i = 1, #last[2], 2 do
  if last[2][i] == 'h' then hash = last[2][i + 1] end
  if last[2][i] == 't' then at = tonumber(last[2][i + 1]) end
end
if hash ~= ARGV[2] then return 0 end

if ARGV[3] == '' then
  redis.call('ZREM', KEYS[2], ARGV[5])
elseif not redis.call('ZSCORE', KEYS[2], ARGV[5]) then
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  redis.call('ZADD', KEYS[2], string.format('%.0f', math.min(now, at or now) + ARGV[3]), ARGV[5])
end
if ARGV[4] == '1' then
  redis.call('SADD', KEYS[3], ARGV[5])
else
  redis.call('SREM', KEYS[3], ARGV[5])
end
return 1
