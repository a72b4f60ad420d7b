/*
 * The scripts that Redis runs, each as one step. Their first keys belong to a run: its lines (a stream), its claims (by
 * job, who has the line) and its results (a stream).
 */

/** The name of the consumer group with all workers, which share the lines of a run. */
export const group = "workers";
export const nowSource = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

/**
 * Defines `replicas()`. It returns how many replicas must have a script's writes before anybody relies on them: Redis
 * confirms a write earlier, and any replica may become the master. A replica that was connected once always counts,
 * even while it is disconnected, until another Redis is the master. `second_repl_offset` is set on a master that was a
 * replica before.
 */
const replicasSource = `
local function replicas()
  local text = redis.call('INFO', 'replication')
  local count = tonumber(string.match(text, 'connected_slaves:(%d+)'))
  local master = string.match(text, 'master_replid:(%x+)')
  local known = redis.call('HMGET', KEYS[2], 'begun', 'master', 'replicas')
  local isPromoted = known[2] ~= master and string.match(text, 'second_repl_offset:(%-?%d+)') ~= '-1'
  if known[3] and not isPromoted then count = math.max(count, tonumber(known[3])) end
  if known[1] and (known[2] ~= master or known[3] ~= tostring(count)) then
    redis.call('HSET', KEYS[2], 'master', master, 'replicas', count)
  end
  return count
end`;

/**
 * Registers a run, renews its lease, or ends it. Only the first registration sets `begun`, which proves that Redis has
 * not lost the run since.
 */
export const leaseScript = `${nowSource}
${replicasSource}
local lines, claims, runs, rates = KEYS[1], KEYS[2], KEYS[4], KEYS[5]
local run, ms, leftover, rate = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
if ARGV[5] == '1' then
  redis.call('HSET', claims, 'begun', '1', 'open', '1')
  if ARGV[6] ~= '' then redis.call('HSET', claims, 'max', ARGV[6], 'price', ARGV[7]) end
end
if redis.call('HEXISTS', claims, 'begun') == 0 then return {'forgotten', 0} end
local isOpen = redis.call('HEXISTS', claims, 'open') == 1
if not isOpen and ARGV[5] ~= '2' then return {'over', 0} end
for _, gone in ipairs(redis.call('ZRANGEBYSCORE', runs, '-inf', now)) do
  redis.call('ZREM', runs, gone)
  redis.call('HDEL', rates, gone)
end
local answer = 'kept'
if isOpen and redis.call('EXISTS', lines) == 0 then
  redis.call('XGROUP', 'CREATE', lines, '${group}', '0', 'MKSTREAM')
  answer = 'emptied'
end
redis.call('ZADD', runs, now + ms, run)
if rate ~= '' then redis.call('HSET', rates, run, rate) end
redis.call('PEXPIRE', lines, ms)
redis.call('EXPIRE', claims, leftover)
return {answer, replicas()}`;

/**
 * Adds a line once, even if the command is repeated because its response was lost. A worker may already have the line
 * then.
 */
export const addScript = `
if redis.call('HEXISTS', KEYS[2], 'open') == 0 or redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
if redis.call('HEXISTS', KEYS[2], ARGV[1]) == 1 then return 1 end
redis.call('XADD', KEYS[1], '*', 'job', ARGV[1], 'text', ARGV[2])
redis.call('HSET', KEYS[2], ARGV[1], '')
return 1`;

/**
 * Claims a line for a worker. Succeeds once, only while the run is registered, and only if all lines in progress stay
 * within the run's cost limit.
 */
export const claimScript = `${replicasSource}
local by = redis.call('HGET', KEYS[2], ARGV[1])
local function claim()
  redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
  return {'taken', replicas()}
end
if by == ARGV[2] then return claim() end
if by and by ~= '' then return {'held', 0} end
if redis.call('EXISTS', KEYS[1]) == 0 then return {'gone', 0} end
if redis.call('HEXISTS', KEYS[2], 'open') == 0 then return {'gone', 0} end
if not by then return {'held', 0} end
local money = redis.call('HMGET', KEYS[2], 'max', 'price', 'spent', 'underway')
if money[1] then
  local underway = tonumber(money[4] or '0')
  if tonumber(money[3] or '0') + (underway + 1) * tonumber(money[2]) > tonumber(money[1]) then
    return {underway > 0 and 'full' or 'over', 0}
  end
  redis.call('HINCRBY', KEYS[2], 'underway', 1)
end
return claim()`;

/** Withdraws a line for its run. After `taken`, no worker has sent the line or ever will. */
export const withdrawScript = `${replicasSource}
if redis.call('HEXISTS', KEYS[2], 'begun') == 0 then return {'gone', 0} end
local by = redis.call('HGET', KEYS[2], ARGV[1]) or ''
if by ~= '' and by ~= 'run' then return {'held', 0} end
redis.call('HSET', KEYS[2], ARGV[1], 'run')
return {'taken', replicas()}`;

/** Deletes the entries of lines that no worker may take any more. */
export const dropScript = `
for _, id in ipairs(ARGV) do
  redis.call('XACK', KEYS[1], '${group}', id)
  redis.call('XDEL', KEYS[1], id)
end
return 1`;

/** Resets the idle time of a worker's entries. */
export const keepAliveScript = `
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
return #redis.call('XCLAIM', KEYS[1], '${group}', ARGV[1], 0, unpack(ARGV, 2), 'JUSTID')`;

/** Finds the entries whose workers have been silent for this long. */
export const pendingScript = `
local found = {}
if redis.call('EXISTS', KEYS[1]) == 0 then return found end
for _, one in ipairs(redis.call('XPENDING', KEYS[1], '${group}', 'IDLE', ARGV[1], '-', '+', 1000)) do
  local entry = redis.call('XRANGE', KEYS[1], one[1], one[1])[1]
  if entry then table.insert(found, {one[1], entry[2][2]}) end
end
return found`;

/**
 * Ends the claims on a run's lines, and returns who claimed each line. Only deletes, and sets an expiry, because Redis
 * allows this even when it is full. Always sets the expiry, so that WAIT has a write to wait for.
 */
export const endScript = `${replicasSource}
redis.call('HDEL', KEYS[2], 'open')
redis.call('EXPIRE', KEYS[2], ARGV[2])
if ARGV[1] == '1' then redis.call('DEL', KEYS[1]) end
return {redis.call('HGETALL', KEYS[2]), replicas()}`;

/**
 * Defines `bill()`. It counts the cost of a line in progress once: the billed amount, or the expected price if the
 * amount is unknown.
 */
const billSource = `
local function bill(job, cents)
  local price = redis.call('HGET', KEYS[2], 'price')
  if not price or redis.call('HSETNX', KEYS[2], 'billed:' .. job, '1') == 0 then return end
  redis.call('HINCRBY', KEYS[2], 'underway', -1)
  redis.call('HINCRBYFLOAT', KEYS[2], 'spent', cents or price)
  if cents and tonumber(cents) > tonumber(price) then redis.call('HSET', KEYS[2], 'price', cents) end
end`;

/** Counts the lines of silent workers as billed. */
export const billLostScript = `${billSource}
for _, job in ipairs(ARGV) do bill(job) end
return 1`;

/** Ends a line once, with its result and its billed amount. Does nothing if too many bytes of results are waiting. */
export const reportScript = `${nowSource}
${replicasSource}
${billSource}
local isThere = redis.call('EXISTS', KEYS[1]) == 1
local knows = redis.call('HEXISTS', KEYS[2], 'begun') == 1
if isThere and knows and tonumber(redis.call('HGET', KEYS[2], 'bytes') or '0') > tonumber(ARGV[5]) then
  return {0, 0}
end
local by = knows and redis.call('HGET', KEYS[2], ARGV[2])
if by == 'ended' then
  redis.call('HSET', KEYS[2], ARGV[2], 'ended')
  return {1, replicas()}
end
if by and by ~= '' and by ~= 'run' then
  redis.call('HSET', KEYS[2], ARGV[2], 'ended')
  bill(ARGV[2], ARGV[6])
end
redis.call('XADD', KEYS[3], '*', 'job', ARGV[2], 'result', ARGV[3])
redis.call('EXPIRE', KEYS[3], ARGV[4])
local minute = KEYS[4] .. math.floor(now / 60000)
redis.call('INCR', minute)
redis.call('EXPIRE', minute, 120)
if knows then redis.call('HINCRBY', KEYS[2], 'bytes', #ARGV[3]) end
if isThere then
  redis.call('XACK', KEYS[1], '${group}', ARGV[1])
  redis.call('XDEL', KEYS[1], ARGV[1])
end
return {1, replicas()}`;

/** Deletes lines and results that are in the journal of their run. */
export const deleteNotedScript = `
local bytes = 0
for at = 1, #ARGV, 3 do
  redis.call('HDEL', KEYS[2], ARGV[at + 1], 'billed:' .. ARGV[at + 1])
  if redis.call('XDEL', KEYS[3], ARGV[at]) == 1 then bytes = bytes + tonumber(ARGV[at + 2]) end
end
if bytes > 0 and redis.call('HEXISTS', KEYS[2], 'begun') == 1 then
  redis.call('HINCRBY', KEYS[2], 'bytes', -bytes)
end
return 1`;

/**
 * Lists the runs with lines. Skips a run without a stream, because reading from one such run would fail for all of
 * them.
 */
export const runsScript = `
local runs = {}
for _, run in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
  if redis.call('EXISTS', ARGV[1] .. run) == 1 then table.insert(runs, run) end
end
return runs`;

export const statusScript = `${nowSource}
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
local workers = redis.call('ZRANGE', KEYS[2], 0, 999)
local runs = redis.call('ZRANGEBYSCORE', KEYS[1], now, '+inf')
local lines, taken = 0, 0
for _, run in ipairs(runs) do
  local own = ARGV[1] .. run
  lines = lines + redis.call('XLEN', own)
  if redis.call('EXISTS', own) == 1 then taken = taken + redis.call('XPENDING', own, '${group}')[1] end
end
local minute = math.floor(now / 60000)
local part = 1 - (now % 60000) / 60000
local before = redis.call('GET', KEYS[3] .. (minute - 1)) or 0
local ended = (redis.call('GET', KEYS[3] .. minute) or 0) + math.floor(before * part)
return {workers, #runs, lines, taken, ended}`;
