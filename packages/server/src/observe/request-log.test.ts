import { expect, test, vi } from 'vitest';
import type { CompletedRequest } from './completed-request.ts';
import { createFlood } from './flood.ts';
import { createLog } from './log.ts';
import { createPrinter } from './pretty.ts';
import { createRequestLog, type LogRequests } from './request-log.ts';

const route = { id: 'readPublicState', operation: { path: '/v1/{accountId}/projects/{slug}/public-state/{env}' } };
const completed: CompletedRequest = {
  auditRequestId: undefined,
  requestId: 'r-1',
  request: { method: 'GET' },
  route,
  principal: { accountId: 'acc_1', slug: 'own' },
  params: { accountId: 'acc_1', slug: 'game' },
  lookedUp: false,
  trace: undefined,
};

function createLines(options: { requests?: LogRequests; isDebug?: boolean; isTerminal?: boolean } = {}) {
  const lines: string[] = [];
  let time = 0;
  const withheld: unknown[] = [];
  const flood = createFlood(
    (...of) => withheld.push(of),
    () => time,
  );
  const output = { write: (line: string) => lines.push(line) };
  const write = createRequestLog({ output, flood, requests: 'all', isDebug: false, ...options });
  return { lines, write, withheld, flood, pass: (milliseconds: number) => (time += milliseconds) };
}

test("a line equals pino's output for the same fields", () => {
  const { lines, write } = createLines();
  const requestId = 'quote " backslash \\ slash / brace {';
  write(
    { ...completed, requestId, trace: { traceId: 'ab', headers: {} } },
    { status: 412, code: 'version_conflict' },
    1.23456,
  );
  createLog('info', { write: (line) => lines.push(line) }).info(
    {
      requestId,
      method: 'GET',
      route: route.operation.path,
      operation: route.id,
      status: 412,
      code: 'version_conflict',
      durationMilliseconds: 1.235,
      account: 'acc_1',
      project: 'game',
      traceId: 'ab',
    },
    'answered',
  );
  const [own, byPino] = lines.map((line) => line.replace(/"time":"[^"]+"/, ''));
  expect(own).toBe(byPino);
});

test("unknown fields are left out, and the caller's account stands in for the requested one", () => {
  const { lines, write } = createLines();
  write({ ...completed, route: undefined, params: undefined, principal: undefined }, { status: 404 }, 1);
  write({ ...completed, params: undefined }, { status: 400 }, 1);
  expect(Object.keys(JSON.parse(lines[0] as string))).toEqual([
    'level',
    'time',
    'requestId',
    'method',
    'status',
    'durationMilliseconds',
    'msg',
  ]);
  expect(JSON.parse(lines[1] as string)).toMatchObject({ account: 'acc_1', project: 'own' });
});

test('an overlong account id is cut', () => {
  const { lines, write } = createLines();
  write({ ...completed, params: { accountId: `acc_${'x'.repeat(10_000)}` } }, { status: 403 }, 1);
  expect((lines[0] as string).length).toBeLessThan(500);
});

const probe = { ...completed, route: { id: 'readReadiness', operation: { path: '/readyz' } } };

test('probes are logged if they fail', () => {
  const { lines, write } = createLines();
  write(probe, { status: 200 }, 1);
  expect(lines).toHaveLength(0);
  write(probe, { status: 503 }, 1);
  expect(lines).toHaveLength(1);
});

test('at level refused only refused and failed requests are logged', () => {
  const { lines, write } = createLines({ requests: 'refused' });
  for (const status of [200, 204, 304, 404, 500]) write(completed, { status }, 1);
  expect(lines.map((line) => (JSON.parse(line) as { status: number }).status)).toEqual([404, 500]);
});

test('at level debug every request is logged', () => {
  const { lines, write } = createLines({ requests: 'refused', isDebug: true });
  write(probe, { status: 200 }, 1);
  for (let i = 0; i < 100; i++) write(completed, { status: 429, code: 'rate_limited' }, 1);
  expect(lines).toHaveLength(101);
});

test('ten lines of a flood are written in ten seconds and the others counted, each code separately', () => {
  const { lines, write, withheld, flood, pass } = createLines();
  const many = (code: string, status: number) => {
    for (let i = 0; i < 100; i++) write(completed, { status, code }, 1);
  };
  many('rate_limited', 429);
  many('service_unavailable', 503);
  many('QUOTA_API_REQUESTS', 402);
  many('not_found', 404);
  expect(lines).toHaveLength(10 + 10 + 10 + 100);
  pass(10_000);
  many('rate_limited', 429);
  expect(lines).toHaveLength(140);
  expect(withheld).toEqual([['rate_limited', 90]]);
  flood.close();
  expect(withheld).toEqual([
    ['rate_limited', 90],
    ['service_unavailable', 90],
    ['QUOTA_API_REQUESTS', 90],
    ['rate_limited', 90],
  ]);
});

test('the count is written after the flood, whether or not another line follows', () => {
  vi.useFakeTimers();
  try {
    const { write, withheld } = createLines();
    for (let i = 0; i < 11; i++) write(completed, { status: 429, code: 'rate_limited' }, 1);
    vi.advanceTimersByTime(9_999);
    expect(withheld).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(withheld).toEqual([['rate_limited', 1]]);
  } finally {
    vi.useRealTimers();
  }
});

test('people see a request as a sentence', () => {
  const { lines, write } = createLines();
  write(completed, { status: 412, code: 'version_conflict' }, 1.5);
  createLog('info', { write: (line) => lines.push(line) }).error(
    { error: new Error('disk full') },
    'storage is unavailable',
  );
  const print = createPrinter(false);
  const [answered, failed] = lines.map(print);
  expect(answered).toMatch(
    /^\[\d\d:\d\d:\d\d\.\d{3}\] INFO: GET \/v1\/\{accountId\}\/projects\/\{slug\}\/public-state\/\{env\} 412 version_conflict 1\.5 ms \{"requestId":"r-1","account":"acc_1","project":"game"\}\n$/,
  );
  expect(failed).toContain('ERROR: storage is unavailable');
  expect(failed).toContain('disk full');
  expect(failed).toContain('request-log.test.ts');
});

test('on a terminal, files of the console and preflights are logged only if refused or slow', () => {
  const file = { ...completed, route: { id: 'readConsole', operation: { path: '/console/{consolePath}' } } };
  const preflight = { ...completed, route: undefined, request: { method: 'OPTIONS' } as never };
  const [terminal, stream] = [createLines({ isTerminal: true }), createLines()];
  for (const { write } of [terminal, stream]) {
    write(file, { status: 200 }, 5);
    write(file, { status: 304 }, 5);
    write(file, { status: 404, code: 'not_found' }, 5);
    write(file, { status: 200 }, 600);
    write(preflight, { status: 204 }, 1);
    write(preflight, { status: 429, code: 'rate_limited' }, 1);
    write(completed, { status: 200 }, 5);
  }
  const shown = terminal.lines.map((line) => JSON.parse(line)).map(({ operation, status }) => [operation, status]);
  expect(shown).toEqual([
    ['readConsole', 404],
    ['readConsole', 200],
    [undefined, 429],
    ['readPublicState', 200],
  ]);
  expect(stream.lines).toHaveLength(7);
});
