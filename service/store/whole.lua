-- Write a whole table that has ended, all or nothing, unless there is such a table already.
--
-- KEYS  1 stream   2 the table's secret
-- ARGV  1 secret   2 number of an entry's fields and values   3 … the fields and values of entry 1, 2, …
-- Gives 1 where it was written, 0 where there is such a table already.
--
-- Laws: as in commit.lua. Once the first XADD is through, memory that runs full refuses none of the others.

local stream, secret, width = KEYS[1], KEYS[2], tonumber(ARGV[2])

local kind = redis.call('TYPE', stream).ok
if kind == 'stream' then return 0 end
local beside = redis.call('TYPE', secret).ok
if kind ~= 'none' or (beside ~= 'none' and beside ~= 'string') then
  return redis.error_reply('WRONGTYPE the stream ' .. stream .. ' or a key beside it is of another type')
end

local version = 0
for first = 3, #ARGV, width do
  version = version + 1
  redis.call('XADD', stream, version .. '-0', unpack(ARGV, first, first + width - 1))
end
redis.call('SET', secret, ARGV[1])
return 1
