/** Evaluations of flags that do not end in time. */
import { afterEach, expect, test, vi } from 'vitest';
import { FlagThread } from './flag-thread.ts';
import * as threadTime from './thread-time.ts';

/** Rules of one flag take milliseconds, and all flags some seconds. */
const slow = { some: [{ var: 'list' }, { some: [{ var: '../../list' }, { '>': [{ var: '' }, 1e9] }] }] };
const flag = { state: 'ENABLED', variants: { on: true }, defaultVariant: 'on', targeting: slow };
const text = JSON.stringify({ flags: Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`f${n}`, flag])) });
const context = { list: Array.from({ length: 3_000 }, (_, number) => number) };
const request = {
  kind: 'evaluation',
  at: 0,
  body: Buffer.from(JSON.stringify({ context })),
  key: undefined,
  targetingKey: undefined,
  skipped: [],
  document: 'slow',
  text: undefined,
} as const;

let thread: FlagThread;
afterEach(async () => {
  vi.restoreAllMocks();
  await thread.end();
});

test('end at a flag if they use too much processor time', async () => {
  thread = new FlagThread({ isOfLowPriority: false });
  let outcome: unknown;
  // A busy machine refuses, and blames no flag.
  do outcome = await thread.evaluate(request, text).catch(({ code }: { code?: string }) => code);
  while (outcome === 'service_unavailable');
  expect(outcome).toMatchObject({ kind: 'ended' });
  expect((outcome as { index: number }).index).toBeGreaterThanOrEqual(0);
});

test('are refused, and blame no flag, if the machine has no processor for them', async () => {
  vi.spyOn(threadTime, 'timeIn').mockReturnValue(0);
  thread = new FlagThread({ isOfLowPriority: false });
  await expect(thread.evaluate(request, text)).rejects.toMatchObject({ code: 'service_unavailable' });
});
