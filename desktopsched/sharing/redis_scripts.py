"""The steps as Lua scripts: each runs alone in the server, so that no other step can come between.

A row is a hash; instants are whole microseconds, written out in full (Lua's own way of writing them drops digits).
KEYS: 1 the row, 2 the set of open rows, 3 the rows by due instant, 4 the floors by task, 5 the list itself.
What a step changed nothing for is judged by `verdicts`, from the row, the floor and the time that it returns.
"""

_BEGIN = """
local t = redis.call('TIME')
local now = t[1] * 1000000 + t[2]
local function write(n) return string.format('%.0f', n) end
local function row(name) return redis.call('HGET', KEYS[1], name) end
local function set(...) redis.call('HSET', KEYS[1], ...) end
local function ours(token, nonce) return row('token') == token and row('nonce') == nonce end
local function open(state) return state == 'claimed' or state == 'started' end
local function seen(done)
  return {done, write(now), redis.call('HGETALL', KEYS[1]), redis.call('HGET', KEYS[4], TASK) or ''}
end
"""


def _script(body: str) -> str:
    """ARGV[1] is the task, ARGV[2] the member that stands for the row in the sets."""
    return f"local TASK, MEMBER = ARGV[1], ARGV[2]\n{_BEGIN}{body}"


CLAIM = _script("""
local due, owner, nonce, lease = ARGV[3], ARGV[4], ARGV[5], ARGV[6]
local floor = redis.call('HGET', KEYS[4], TASK)
if redis.call('EXISTS', KEYS[1]) == 1 then return seen(0) end
if due == '' then due = write(now)
elseif tonumber(due) > now or (floor and tonumber(due) <= tonumber(floor)) then return seen(0) end
set('due', due, 'owner', owner, 'nonce', nonce, 'token', '1', 'state', 'claimed', 'stamp', '',
  'lease_end', write(now + lease), 'claimed_at', write(now), 'reason', '')
redis.call('SADD', KEYS[2], MEMBER)
redis.call('ZADD', KEYS[3], due, MEMBER)
return seen(1)
""")

START = _script("""
local token, nonce, stamp, lease = ARGV[3], ARGV[4], ARGV[5], ARGV[6]
local again = row('state') == 'started' and row('stamp') == stamp  -- the answer was lost
if not ours(token, nonce) or not (row('state') == 'claimed' or again) then return seen(0) end
if not again then set('state', 'started', 'stamp', stamp, 'started_at', write(now)) end
set('lease_end', write(now + lease))
return seen(1)
""")

HEARTBEAT = _script("""
local token, nonce, lease = ARGV[3], ARGV[4], ARGV[5]
if not ours(token, nonce) or not open(row('state')) then return seen(0) end
set('lease_end', write(now + lease))
return seen(1)
""")

FINISH = _script("""
local token, nonce, state, exit_code, reason = ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7]
if not ours(token, nonce) or row('state') ~= 'started' then return seen(0) end
set('state', state, 'finished_at', write(now), 'exit_code', exit_code, 'reason', reason)
redis.call('SREM', KEYS[2], MEMBER)
return seen(1)
""")

RELEASE = _script("""
local token, nonce = ARGV[3], ARGV[4]
if not ours(token, nonce) or row('state') ~= 'claimed' then return seen(0) end
set('lease_end', write(now))
return seen(1)
""")

TAKE_OVER = _script("""
local token, owner, nonce, lease, started = ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7]
local state = row('state')
local may = state == 'claimed' or (state == 'started' and started == '1')
if not may or row('token') ~= token or tonumber(row('lease_end')) > now then return seen(0) end
set('token', write(token + 1), 'owner', owner, 'nonce', nonce, 'state', 'claimed', 'stamp', '',
  'lease_end', write(now + lease), 'claimed_at', write(now), 'started_at', '')
return seen(1)
""")

LOSE = _script("""
local token = ARGV[3]
if not open(row('state')) or row('token') ~= token or tonumber(row('lease_end')) > now then return seen(0) end
set('state', 'lost', 'finished_at', write(now))
redis.call('SREM', KEYS[2], MEMBER)
return seen(1)
""")

READ = _script("return seen(0)")

UNFINISHED = """
local t = redis.call('TIME')
local found = {}
for i, member in ipairs(redis.call('SMEMBERS', KEYS[2])) do
  found[i] = {member, redis.call('HGETALL', KEYS[5] .. ':claim:' .. member)}
end
return {string.format('%.0f', t[1] * 1000000 + t[2]), found}
"""

PRUNE = """
local t = redis.call('TIME')
local cut = string.format('%.0f', t[1] * 1000000 + t[2] - ARGV[1])
local deleted, passed = 0, 0
local found = redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', cut, 'LIMIT', ARGV[3], ARGV[2])
for _, member in ipairs(found) do
  local place = KEYS[5] .. ':claim:' .. member
  local state = redis.call('HGET', place, 'state')
  if state == 'claimed' or state == 'started' then passed = passed + 1 else
    local due = redis.call('HGET', place, 'due')
    local task = string.match(member, '^([^ ]+) ')
    local floor = redis.call('HGET', KEYS[4], task)
    if due and (not floor or tonumber(floor) < tonumber(due)) then redis.call('HSET', KEYS[4], task, due) end
    redis.call('DEL', place)
    redis.call('ZREM', KEYS[3], member)
    deleted = deleted + 1
  end
end
return {deleted, passed}
"""
"""ARGV: how long rows are kept, how many are looked at, and how many open ones are passed over at the beginning."""

SCRIPTS = {
    "CLAIM": CLAIM,
    "START": START,
    "HEARTBEAT": HEARTBEAT,
    "FINISH": FINISH,
    "RELEASE": RELEASE,
    "TAKE_OVER": TAKE_OVER,
    "LOSE": LOSE,
    "READ": READ,
    "UNFINISHED": UNFINISHED,
    "PRUNE": PRUNE,
}
