-- Takes up to ARGV[3] requests out of the bucket KEYS[1], into which one flows every ARGV[1] microseconds and of which
-- ARGV[2] fit. The key holds the time, in microseconds, at which the bucket will be full; no key: it is full.
-- Gives how many were taken and the room left, in microseconds of flow.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local each, room = tonumber(ARGV[1]), ARGV[1] * ARGV[2]
local full = tonumber(redis.call('GET', KEYS[1]) or 0)
if full < now then full = now end
if full > now + room then full = now + room end
local left = room - (full - now)
local count = math.min(tonumber(ARGV[3]), math.floor(left / each + 0.000001))
if count > 0 then
  full = full + count * each
  redis.call('SET', KEYS[1], string.format('%.0f', full), 'PX', math.ceil((full - now) / 1000) + 1)
end
return {count, string.format('%.0f', room - (full - now))}
