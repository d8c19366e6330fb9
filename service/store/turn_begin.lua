-- Take the turn at a webhook, or keep it, for so many ms; the webhook is due again then. The time is Redis's own.
--
-- KEYS  1 the turn: who has it   2 the webhooks that are due (zset by ms)   3 how the webhook stands (hash)
--       4 what is due once more (zset number -> ms)
-- ARGV  1 webhook   2 who asks   3 ms
-- Gives {} where another one has the turn (the webhook, if it is due, rests until that turn ends at the latest), else
--       {mark, position, failures, ms of rest, the lowest number that is due once more or 0, ms until the next is or -1}

local function is_type(key, kind)
  local found = redis.call('TYPE', key).ok
  return found == 'none' or found == kind
end

if not is_type(KEYS[2], 'zset') or not is_type(KEYS[3], 'hash') or not is_type(KEYS[4], 'zset') then
  return redis.error_reply('WRONGTYPE ' .. KEYS[3])
end

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[2] then
  if redis.call('ZSCORE', KEYS[2], ARGV[1]) then
    redis.call('ZADD', KEYS[2], string.format('%.0f', now + math.max(1, redis.call('PTTL', KEYS[1]))), ARGV[1])
  end
  return {}
end

local mark = string.format('%.0f', now + ARGV[3])
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
redis.call('ZADD', KEYS[2], mark, ARGV[1])

local upto = redis.call('HGET', KEYS[3], 'upto') or '0'
local failures = redis.call('HGET', KEYS[3], 'failures') or '0'
local rest = math.max(0, tonumber(redis.call('HGET', KEYS[3], 'rest') or 0) - now)
local again = 0
for _, number in ipairs(redis.call('ZRANGEBYSCORE', KEYS[4], '-inf', string.format('%.0f', now))) do
  if again == 0 or tonumber(number) < again then again = tonumber(number) end
end
local next = redis.call('ZRANGE', KEYS[4], 0, 0, 'WITHSCORES')
local wait = next[2] and math.max(0, next[2] - now) or -1
return {mark, upto, failures, string.format('%.0f', rest), string.format('%.0f', again), string.format('%.0f', wait)}
