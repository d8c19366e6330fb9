-- Write what an attempt to deliver changed, all or nothing, if the turn is still the sender's and the webhook is there.
--
-- KEYS  1 the turn   2 the webhook   3 its log (hash number -> JSON)   4 what is due once more (zset number -> ms)
--       5 how the webhook stands (hash)   6 the webhooks that are slow (set)
-- ARGV  1 webhook   2 who has the turn   3 the position   4 failures in a row   5 ms of rest   6 '1' it is slow
--       7 number, '' none   8 its JSON   9 ms until it is due once more, '' never   10 how many numbers the log keeps
-- Gives 1, or 0 where nothing was written.

if redis.call('GET', KEYS[1]) ~= ARGV[2] or redis.call('EXISTS', KEYS[2]) == 0 then return 0 end

local function is_type(key, kind)
  local found = redis.call('TYPE', key).ok
  return found == 'none' or found == kind
end

if not (is_type(KEYS[3], 'hash') and is_type(KEYS[4], 'zset') and is_type(KEYS[5], 'hash') and is_type(KEYS[6], 'set')) then
  return redis.error_reply('WRONGTYPE ' .. KEYS[2])
end

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local number = ARGV[7]
if number ~= '' then
  redis.call('HSET', KEYS[3], number, ARGV[8])
  if ARGV[9] == '' then
    redis.call('ZREM', KEYS[4], number)
  else
    redis.call('ZADD', KEYS[4], string.format('%.0f', now + ARGV[9]), number)
  end
  redis.call('HSET', KEYS[5], 'failures', ARGV[4], 'rest', string.format('%.0f', now + ARGV[5]))
  redis.call(ARGV[6] == '1' and 'SADD' or 'SREM', KEYS[6], ARGV[1])
end
if tonumber(ARGV[3]) > tonumber(redis.call('HGET', KEYS[5], 'upto') or 0) then
  redis.call('HSET', KEYS[5], 'upto', ARGV[3])
end

local excess = redis.call('HLEN', KEYS[3]) - ARGV[10]
if excess > 0 then
  local numbers = redis.call('HKEYS', KEYS[3])
  table.sort(numbers, function(a, b) return tonumber(a) < tonumber(b) end)
  for _, old in ipairs(numbers) do
    if excess <= 0 then break end
    if not redis.call('ZSCORE', KEYS[4], old) then
      redis.call('HDEL', KEYS[3], old)
      excess = excess - 1
    end
  end
end
return 1
