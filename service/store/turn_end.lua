-- Give the turn at a webhook back, and say when it is due again, unless it became due meanwhile.
--
-- KEYS  1 the turn   2 the webhooks that are due (zset by ms)
-- ARGV  1 webhook   2 who has the turn   3 the mark that the turn has set   4 ms until it is due, '' not; 0: in any case
-- Gives 0 where it became due meanwhile: the turn is kept, and there is something to send. Else 1.

if redis.call('GET', KEYS[1]) ~= ARGV[2] then return 1 end
if ARGV[4] ~= '0' and tonumber(redis.call('ZSCORE', KEYS[2], ARGV[1]) or 0) ~= tonumber(ARGV[3]) then return 0 end

if ARGV[4] == '' then
  redis.call('ZREM', KEYS[2], ARGV[1])
else
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  redis.call('ZADD', KEYS[2], string.format('%.0f', now + ARGV[4]), ARGV[1])
end
redis.call('DEL', KEYS[1])
return 1
