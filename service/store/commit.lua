-- Write one entry behind the expected one, with its outbox mark, all or nothing; the first entry too (expected 0).
--
-- KEYS  1 stream   2 outbox (zset table -> due ms)   3 running tables (set)   4 the table's secret
--       5 perhaps: the key of a proof
-- ARGV  1 expected version   2 expected hash   3 command id   4 most entries of a tail to give back
--       5 ms until something is due, '' nothing   6 '1' the table is running, '0' not   7 secret, '' none
--       8 table   9 what the proof's key must hold   10 … the entry's fields and values
-- Gives {'COMMITTED'} | {'DUPLICATE', position, tail} | {'CONFLICT', tail, 1 where it was cut}
--       | {'DIVERGED'} | {'GONE'} | {'UNPROVEN'}
--
-- Laws: reads and checks first, XADD first among the writes (it is the one that Redis refuses when memory is
-- full), and nothing after it that can fail: what is written before an error stays.

local stream, outbox, running, secret = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local expected, limit = tonumber(ARGV[1]), tonumber(ARGV[4])

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

if KEYS[5] and redis.call('GET', KEYS[5]) ~= ARGV[9] then return {'UNPROVEN'} end

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
    if field(entry, 'c') == ARGV[3] then return {'DUPLICATE', version(entry), tail} end
  end
  return {'CONFLICT', tail, head - expected > limit and 1 or 0}
end

if head > 0 and field(last, 'h') ~= ARGV[2] then return {'DIVERGED'} end

if not is_type(outbox, 'zset') or not is_type(running, 'set') or not is_type(secret, 'string') then
  return redis.error_reply('WRONGTYPE a key beside the stream ' .. stream .. ' is of another type')
end

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

redis.call('XADD', stream, (expected + 1) .. '-0', unpack(ARGV, 10))
if ARGV[7] ~= '' then redis.call('SET', secret, ARGV[7]) end
if ARGV[5] ~= '' then
  redis.call('ZADD', outbox, string.format('%.0f', now + ARGV[5]), ARGV[8])
else
  redis.call('ZREM', outbox, ARGV[8])
end
if ARGV[6] == '1' then
  redis.call('SADD', running, ARGV[8])
else
  redis.call('SREM', running, ARGV[8])
end
return {'COMMITTED'}
