-- A token bucket by the server's clock: what many processes take is taken in one order.
--
-- KEYS: 1 a hash of its level, and of when that was.
-- ARGV: 1 tokens a second; 2 the operation.
-- Returns how long to wait, in seconds, as text.

local per_second = tonumber(ARGV[1])
local capacity = math.max(1, per_second)
local time = redis.call('TIME')
local now = time[1] + time[2] / 1000000
local kept = redis.call('HMGET', KEYS[1], 'level', 'at')
-- A clock that was set back gains nothing, and has nothing to catch up with.
local gained = math.max(0, now - (tonumber(kept[2]) or now)) * per_second
local level = math.min(capacity, (tonumber(kept[1]) or capacity) + gained)

local operations = {
  -- Takes a token, also one that is still to come.
  wait = function()
    level = level - 1
    return math.max(0, -level / per_second)
  end,
  -- Takes a token where there is one.
  try = function()
    if level < 1 then return (1 - level) / per_second end
    level = level - 1
    return 0
  end,
}
local wait = operations[ARGV[2]]()

redis.call('HSET', KEYS[1], 'level', string.format('%.9f', level), 'at', string.format('%.6f', now))
-- One that is full again is as good as none.
redis.call('PEXPIRE', KEYS[1], math.ceil((capacity - level) / per_second * 1000) + 1000)
return string.format('%.9f', wait)
