-- Write entries behind the expected one, with the outbox mark of the last, all or nothing; the first entry too (expected 0).
--
-- KEYS  1 stream   2 outbox (zset table -> due ms)   3 running tables (set)   4 the table's secret
--       5 perhaps: the key of a proof
-- ARGV  1 expected version   2 expected hash   3 most entries of a tail to give back
--       4 ms until something is due, '' nothing   5 '1' the table is running, '0' not   6 secret, '' none
--       7 table   8 what the proof's key must hold   9 … 17 the values of an entry's fields, the command id first;
--       9 more for each further entry. A repeat is known by the first one's command id
-- Gives {'COMMITTED'} | {'DUPLICATE', position, tail} | {'CONFLICT', tail, 1 where it was cut}
--       | {'DIVERGED'} | {'GONE'} | {'UNPROVEN'}
--
-- Laws: reads and checks first, XADD first among the writes (it is the one that Redis refuses when memory is
-- full, and it looks at that once, before the script), and nothing after it that can fail: what is written stays.

local stream, outbox, running, secret = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local expected, limit = tonumber(ARGV[1]), tonumber(ARGV[3])
local due, table_id, command = ARGV[4], ARGV[7], ARGV[9]

local function field(entry, name)
  local pairs_of = entry[2]
  for i = 1, #pairs_of, 2 do
    if pairs_of[i] == name then return pairs_of[i + 1] end
  end
  return ''
end

local function version(entry)
  return tonumber(string.match(entry[1], '^%d+'))
end

local function is_type(key, kind)
  local found = redis.call('TYPE', key).ok
  return found == 'none' or found == kind
end

if KEYS[5] and redis.call('GET', KEYS[5]) ~= ARGV[8] then return {'UNPROVEN'} end

local last = redis.call('XREVRANGE', stream, '+', '-', 'COUNT', 1)[1]
local head = last and version(last) or 0

if head == 0 and expected > 0 then return {'GONE'} end
if head < expected then return {'DIVERGED'} end

if head > expected then
  if expected > 0 then
    local base = redis.call('XRANGE', stream, expected .. '-0', expected .. '-0')[1]
    if not base or field(base, 'h') ~= ARGV[2] then return {'DIVERGED'} end
  end
  local tail = redis.call('XRANGE', stream, (expected + 1) .. '-0', '+', 'COUNT', limit)
  for _, entry in ipairs(tail) do
    if field(entry, 'c') == command then return {'DUPLICATE', version(entry), tail} end
  end
  return {'CONFLICT', tail, head - expected > limit and 1 or 0}
end

if head > 0 and field(last, 'h') ~= ARGV[2] then return {'DIVERGED'} end

if not is_type(outbox, 'zset') or not is_type(running, 'set') or not is_type(secret, 'string') then
  return redis.error_reply('WRONGTYPE a key beside the stream ' .. stream .. ' is of another type')
end

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

for at = 9, #ARGV, 9 do
  expected = expected + 1
  redis.call('XADD', stream, expected .. '-0', 'c', ARGV[at], 'b', ARGV[at + 1], 'k', ARGV[at + 2], 'p', ARGV[at + 3],
    'd', ARGV[at + 4], 's', ARGV[at + 5], 'h', ARGV[at + 6], 'n', ARGV[at + 7], 't', ARGV[at + 8])
end
if ARGV[6] ~= '' then redis.call('SET', secret, ARGV[6]) end
if due ~= '' then
  redis.call('ZADD', outbox, string.format('%.0f', now + due), table_id)
else
  redis.call('ZREM', outbox, table_id)
end
if ARGV[5] == '1' then
  redis.call('SADD', running, table_id)
else
  redis.call('SREM', running, table_id)
end
return {'COMMITTED'}
