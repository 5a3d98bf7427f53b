import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { passedOnTrace, readTraceParent, tracedFetch, withinTrace } from './trace-context.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';
const valid = `00-${traceId}-${spanId}-01`;

test('a valid header is split into its parts', () => {
  expect(readTraceParent({ traceparent: valid, tracestate: 'vendor=1' })).toEqual({
    traceId,
    spanId,
    flags: 1,
    state: 'vendor=1',
  });
  expect(readTraceParent({ traceparent: `00-${traceId}-${spanId}-00` })?.flags).toBe(0);
});

test('the known parts of a later version are read', () => {
  for (const traceparent of [`01-${traceId}-${spanId}-01`, `cc-${traceId}-${spanId}-01-what-comes-then`]) {
    expect(readTraceParent({ traceparent })?.traceId).toBe(traceId);
  }
});

test.each([
  ['missing', undefined],
  ['empty', ''],
  ['upper case', valid.toUpperCase()],
  ['version ff', `ff-${traceId}-${spanId}-01`],
  ['trace id of zeros', `00-${'0'.repeat(32)}-${spanId}-01`],
  ['span id of zeros', `00-${traceId}-${'0'.repeat(16)}-01`],
  ['trace id too short', `00-${traceId.slice(1)}-${spanId}-01`],
  ['more fields than version 00 has', `${valid}-more`],
  ['leading space', ` ${valid}`],
  ['trailing line break', `${valid}\n`],
  ['sent twice', `${valid}, ${valid}`],
  ['missing flags', `00-${traceId}-${spanId}`],
])('a malformed header is ignored: %s', (_, traceparent) => {
  expect(readTraceParent({ traceparent })).toBeUndefined();
});

test('an outgoing request carries the trace, but only within it', async () => {
  const seen: unknown[] = [];
  const server = createServer(({ headers }, response) => {
    seen.push([headers.traceparent, headers.tracestate, headers.accept]);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const trace = passedOnTrace({ traceparent: valid, tracestate: 'vendor=1' });
  const ask = async () => {
    await Promise.resolve();
    await (await tracedFetch(url, { headers: { Accept: 'text/html' } })).text();
  };
  await withinTrace(trace as NonNullable<typeof trace>, ask);
  await ask();
  server.close();
  expect(seen).toEqual([
    [valid, 'vendor=1', 'text/html'],
    [undefined, undefined, 'text/html'],
  ]);
});
