-- A copy of a session that the store keeps, for a while, without ever being older than the store.
--
-- KEYS: 1 a hash of fields, one for each session of a user; 2 until when each field holds.
-- ARGV: 1 the operation; 2 the field; 3 the caller's token; 4 how long it holds, in milliseconds;
--       5 the copy.
--
-- A field holds a copy, or the lease of whoever is about to bring one. Whoever changes the store
-- takes a lease before and brings its copy after: between them nobody reads an old copy, and an
-- older one that a reader had under way finds its lease gone.
-- The id of the server's run stands before each: after a restart or a failover no copy counts that
-- came back from a disk or another server, which may have missed a change.

local field, token, holds = ARGV[2], ARGV[3], tonumber(ARGV[4])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local info = redis.pcall('INFO', 'server')
local run = type(info) == 'string' and info:match('run_id:(%w+)') or ''
local lease, copy = 'lease ' .. run .. ' ', 'copy ' .. run .. ' '

local function held()
  local ends = redis.call('ZSCORE', KEYS[2], field)
  return ends and tonumber(ends) > now and redis.call('HGET', KEYS[1], field) or ''
end

local function drop(name)
  redis.call('HDEL', KEYS[1], name)
  redis.call('ZREM', KEYS[2], name)
end

local function hold(value)
  for _, name in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now, 'LIMIT', 0, 100)) do
    drop(name)
  end
  redis.call('HSET', KEYS[1], field, value)
  redis.call('ZADD', KEYS[2], now + holds, field)
  redis.call('PEXPIRE', KEYS[1], holds)
  redis.call('PEXPIRE', KEYS[2], holds)
end

local operations = {
  -- The copy; where there is none a lease, and nothing is returned.
  look = function()
    local found = held()
    if found:sub(1, #copy) == copy then return found:sub(#copy + 1) end
    hold(lease .. token)
  end,
  -- A lease, in place of whatever is there.
  lease = function() hold(lease .. token) end,
  -- The copy, under the lease; where that is gone somebody changed the session, and nothing is kept.
  keep = function()
    if held() == lease .. token then hold(copy .. ARGV[5]) else drop(field) end
  end,
}
return operations[ARGV[1]]()
