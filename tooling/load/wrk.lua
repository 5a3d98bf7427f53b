-- Requests and report of wrk. HOLDFAST_LOAD is the kind of load:
--   fixed    the request on wrk's command line, repeatedly
--   spread   GET of the plan's paths in turn, with the headers on the command line; a tab after a path separates its
--            credential
--   chain    each thread has one connection and one document: it sends the entity tag of each response with the next
--            write, and reads the current one after a conflict. Writes take turns at the bodies, with a new number in
--            each: with a single body, only that number changes
--   refresh  each thread has one connection and one session: it spends the refresh token of each response next
-- The first argument is the plan: one path per line, or a Lua file that returns one table for each chain.
local kind = os.getenv("HOLDFAST_LOAD")
local threads = {}

function setup(thread)
  table.insert(threads, thread)
  thread:set("id", #threads)
end

if kind == "spread" then
  local requests = {}
  local next = 0

  function init(args)
    for line in io.lines(args[1]) do
      local path, authorization = line:match("^([^\t]+)\t(.+)$")
      if authorization then wrk.headers["Authorization"] = authorization end
      table.insert(requests, wrk.format("GET", path or line))
    end
  end

  function request()
    next = next % #requests + 1
    return requests[next]
  end
elseif kind == "chain" then
  local mine
  local tag
  conflicts = 0 -- global, so that `done` can read it
  written = 100000000

  function init(args)
    local plan = dofile(args[1])
    mine = plan[(id - 1) % #plan + 1]
    -- Each run starts at another number, so that no document is written twice in a row.
    written = written + os.time() % 100000000
  end

  function request()
    if tag == nil then return mine.read end
    written = written + 1
    local write = mine.writes[written % #mine.writes + 1]
    return write.head .. tag .. "\r\n\r\n" .. write.before .. written .. write.after
  end

  function response(status, headers)
    if status == 200 then
      tag = headers["ETag"]
    else
      tag = nil
      if status == 412 then conflicts = conflicts + 1 end
    end
  end
end

if kind == "refresh" then
  local token

  function init(args)
    local plan = dofile(args[1])
    token = plan[(id - 1) % #plan + 1]
  end

  function request()
    local form = "grant_type=refresh_token&client_id=svc-developer&refresh_token=" .. token
    return "POST /v1/auth/token HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\n" ..
      "Content-Length: " .. #form .. "\r\n\r\n" .. form
  end

  function response(status, headers, body)
    token = body:match('"refresh_token":"([^"]+)"') or token
  end
end

function done(summary, latency)
  local conflicted = 0
  if kind == "chain" then
    for _, thread in ipairs(threads) do conflicted = conflicted + thread:get("conflicts") end
  end
  local errors = summary.errors
  io.write(string.format(
    '\nREPORT {"requests":%d,"microseconds":%d,"bytes":%d,"conflicts":%d,"refused":%d,"socketErrors":%d,' ..
    '"latencyMicroseconds":{"p50":%d,"p99":%d,"max":%d}}\n',
    summary.requests, summary.duration, summary.bytes, conflicted, errors.status - conflicted,
    errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50), latency:percentile(99), latency.max))
end
