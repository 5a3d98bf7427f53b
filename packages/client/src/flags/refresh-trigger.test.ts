/** When flags are requested again, by a clock that the tests move. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { apiKeyAuth } from '../auth/auth.ts';
import { HoldfastError, isHoldfastError } from '../errors.ts';
import type { Snapshot, SubscribeOptions } from '../live/snapshot.ts';
import { listen } from './refresh-trigger.ts';
import type { FlagParts } from './types.ts';

type State = Record<string, unknown>;

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Changes of a document made by a test, and whether the next evaluation is due. */
function triggerOf(more: Partial<FlagParts['options']> = {}) {
  let tell: (snapshot: Snapshot<State>) => void = () => {};
  let onError: SubscribeOptions['onError'];
  const auth = apiKeyAuth({ apiKey: 'svcp_x' });
  const parts: FlagParts = {
    options: { baseUrl: 'http://127.0.0.1', ...more },
    path: '/x',
    auth,
    reader: auth,
    feed: {
      subscribe(listener, options) {
        tell = listener;
        onError = options?.onError;
        return () => {};
      },
    },
  };
  const { signal } = new AbortController();
  const trigger = listen(parts, signal);
  return {
    trigger,
    write: (state: State, stale = false) => tell({ state, version: 1, stale }),
    refuse(code: 'forbidden' | 'invalid_state') {
      const error = new HoldfastError(code, 'no');
      if (isHoldfastError(error)) onError?.(error);
    },
    /** Milliseconds until flags are requested again. */
    async waited(spreadMs = 10_000): Promise<() => number | undefined> {
      trigger.take();
      const begunAt = Date.now();
      let endedAt: number | undefined;
      void trigger.next(begunAt, spreadMs, signal).then(() => {
        endedAt = Date.now();
      });
      return () => (endedAt === undefined ? undefined : endedAt - begunAt);
    },
  };
}

const after = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

test('a change triggers a request at a random time within the spread, never earlier after the previous one', async () => {
  const { write, waited } = triggerOf();
  write({ flags: { a: 1 } });
  const soon = await waited();
  await after(2_000);
  write({ flags: { a: 2 } });
  await after(60_000);
  expect(soon()).toBe(10_000); // half of the spread would be too soon after the last evaluation
  const later = await waited();
  await after(30_000);
  write({ flags: { a: 3 } });
  write({ flags: { a: 4 } });
  await after(60_000);
  expect(later()).toBe(35_000);
});

test('changes to other parts of the document do not count, nor do cached versions', async () => {
  const { write, waited } = triggerOf();
  write({ flags: { a: 1 }, motd: 'x' });
  const elapsed = await waited();
  write({ motd: 'y', flags: { a: 1 } });
  write({ flags: { a: 0 } }, true);
  await after(3_600_000);
  expect(elapsed()).toBeUndefined();
  write({ flags: { a: 1 }, $evaluators: {} });
  await after(10_000);
  expect(elapsed()).toBe(3_605_000);
});

test('with a schema, which may hide flags, every version is a change, even an invalid one', async () => {
  const { write, refuse, waited } = triggerOf({
    schema: { publicState: { '~standard': { version: 1, vendor: 'test', validate: () => ({ value: {} }) } } },
  });
  write({});
  const first = await waited(100);
  write({});
  await after(100);
  expect(first()).toBe(100);
  const second = await waited(100);
  refuse('invalid_state');
  await after(100);
  expect(second()).toBe(100);
});

test('with defaults for flags every version is a change too, as they may replace removed ones', async () => {
  const { write, waited } = triggerOf({ defaults: { publicState: { flags: {} } } });
  write({ flags: {} });
  const elapsed = await waited(100);
  write({ flags: {} });
  await after(100);
  expect(elapsed()).toBe(100);
});

test('without a stream the flags are requested every minute, until a stream is open again', async () => {
  const { write, refuse, waited, trigger } = triggerOf();
  refuse('forbidden');
  await trigger.begin(500, new AbortController().signal);
  const polled = await waited();
  await after(200_000);
  expect(polled()).toBe(60_000);
  write({ flags: {} });
  const followed = await waited();
  await after(200_000);
  expect(followed()).toBeUndefined();
});
