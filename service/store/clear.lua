-- Take a mark away if it is still the one that was seen.
--
-- KEYS  1 outbox   ARGV  1 table   2 score seen   Gives 1 where it was taken away, else 0.

local score = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not score or tonumber(score) ~= tonumber(ARGV[2]) then return 0 end
return redis.call('ZREM', KEYS[1], ARGV[1])
