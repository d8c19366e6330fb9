-- Writes notices into players' feeds and moves the position of the table that they come from, all or nothing.
--
-- KEYS  1 the table's position   2 the webhooks that are due (zset by ms)   then for each player: his feed (stream with ids
--       <n>-0, n from 1 without a gap), the ids of his webhooks (set)
-- ARGV  1 the position that is expected   2 the new one   3 how many notices a feed keeps
--       then for each notice: the number of its player, from 0, and its JSON
-- Gives the position that was found; where it is not the expected one nothing was written.

local found = tonumber(redis.call('GET', KEYS[1]) or 0)
if found ~= tonumber(ARGV[1]) then return found end

local function is_type(key, kind)
  local is = redis.call('TYPE', key).ok
  return is == 'none' or is == kind
end

if not is_type(KEYS[2], 'zset') then return redis.error_reply('WRONGTYPE ' .. KEYS[2]) end
for i = 3, #KEYS, 2 do
  if not is_type(KEYS[i], 'stream') or not is_type(KEYS[i + 1], 'set') then
    return redis.error_reply('WRONGTYPE ' .. KEYS[i])
  end
end

local time = redis.call('TIME')
local now = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))

for i = 4, #ARGV, 2 do
  local feed, hooks = KEYS[3 + 2 * ARGV[i]], KEYS[4 + 2 * ARGV[i]]
  local last = redis.call('XREVRANGE', feed, '+', '-', 'COUNT', 1)[1]
  local id = (last and tonumber(string.match(last[1], '^%d+')) or 0) + 1
  redis.call('XADD', feed, 'MAXLEN', ARGV[3], id .. '-0', 'd', ARGV[i + 1])
  for _, hook in ipairs(redis.call('SMEMBERS', hooks)) do
    redis.call('ZADD', KEYS[2], now, hook)
  end
end
redis.call('SET', KEYS[1], ARGV[2])
return found
