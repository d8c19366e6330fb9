-- Move a mark into the future if it is still the one that was seen; the time is Redis's own.
--
-- KEYS  1 outbox   ARGV  1 table   2 score seen   3 ms from now   Gives 1 where it moved, else 0.

local score = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not score or tonumber(score) ~= tonumber(ARGV[2]) then return 0 end

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZADD', KEYS[1], string.format('%.0f', now + ARGV[3]), ARGV[1])
return 1
