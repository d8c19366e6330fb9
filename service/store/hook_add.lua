-- Keeps a webhook: row KEYS[1], how far it is KEYS[2], the slow ones KEYS[3], its player's list KEYS[4] and active ones
-- KEYS[5]; ARGV: the row, the notice that it begins behind, its id, its time, and how many a player may have.
-- Gives 1; 0 where the player has so many; the row that stands under this id already.
local before = redis.call('GET', KEYS[1])
if before then return before end
if redis.call('ZCARD', KEYS[4]) >= tonumber(ARGV[5]) then return 0 end
redis.call('SET', KEYS[1], ARGV[1])
redis.call('HSETNX', KEYS[2], 'upto', ARGV[2])
redis.call('SADD', KEYS[3], ARGV[3]) -- until it has answered once
redis.call('ZADD', KEYS[4], 'NX', ARGV[4], ARGV[3])
redis.call('SADD', KEYS[5], ARGV[3])
return 1
