import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ExpirySweepOptions, startExpirySweep } from './expiry-sweep.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Run = (now: number) => Promise<number>;

/** Starts a sweep with jobs named by their letters. Returns what it reported, and what stops it. */
function start(
  runs: Readonly<Record<string, Run>>,
  trial: Partial<Pick<ExpirySweepOptions<string>, 'now' | 'isTrusted'>> = {},
) {
  const faults: [name: string, fault: unknown][] = [];
  const successes: string[] = [];
  const stop = startExpirySweep({
    jobs: Object.entries(runs).map(([name, run]) => ({ name, run })),
    now: Date.now,
    isTrusted: async () => true,
    onFault: (name, fault) => faults.push([name, fault]),
    onSuccess: (name) => successes.push(name),
    ...trial,
  });
  return { faults, successes, stop };
}

/** A store that deletes expired records 10 at a time. */
function storeOf(expired: number) {
  const store = {
    expired,
    sweeps: 0,
    async sweep(): Promise<number> {
      store.sweeps += 1;
      const gone = Math.min(10, store.expired);
      store.expired -= gone;
      return gone;
    },
  };
  return store;
}

describe('the expiry sweep', () => {
  it('continues in portions until nothing is left, once a minute', async () => {
    const store = storeOf(35);
    const { faults, stop } = start({ a: store.sweep });
    await vi.advanceTimersByTimeAsync(59_999);
    expect(store.sweeps).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(store).toMatchObject({ expired: 0, sweeps: 5 });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(store.sweeps).toBe(6);
    stop();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(store.sweeps).toBe(6);
    expect(faults).toEqual([]);
  });

  it('finishes each kind of record before the next', async () => {
    const [a, b] = [storeOf(15), storeOf(25)];
    const { successes, stop } = start({ a: a.sweep, b: b.sweep });
    await vi.advanceTimersByTimeAsync(60_000);
    expect([a, b]).toMatchObject([
      { expired: 0, sweeps: 3 },
      { expired: 0, sweeps: 4 },
    ]);
    expect(successes).toEqual(['clock_check', 'clock_check', 'a', 'b']);
    stop();
  });

  it('never runs twice at the same time', async () => {
    let sweeps = 0;
    const sweep = () => {
      sweeps += 1;
      return new Promise<number>(() => {});
    };
    const { stop } = start({ a: sweep });
    await vi.advanceTimersByTimeAsync(600_000);
    expect(sweeps).toBe(1);
    stop();
  });

  it('reports a job that always fails under its name, and runs the next', async () => {
    const store = storeOf(15);
    const fails: Run = () => Promise.reject(new Error('down'));
    const { faults, successes, stop } = start({ a: fails, b: store.sweep });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(faults).toEqual([['a', new Error('down')]]);
    expect(store.expired).toBe(0);
    store.expired = 5;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(store.expired).toBe(0);
    expect(faults.map(([name]) => name)).toEqual(['a', 'a']);
    expect(successes).not.toContain('a');
    stop();
  });

  it('tries a job again that has failed', async () => {
    const store = storeOf(5);
    let run: Run = () => Promise.reject(new Error('down'));
    const { faults, stop } = start({ a: (time) => run(time) });
    await vi.advanceTimersByTimeAsync(60_000);
    run = store.sweep;
    await vi.advanceTimersByTimeAsync(60_000);
    expect([store.expired, faults.length]).toEqual([0, 1]);
    stop();
  });

  it('deletes nothing while the clock is untrusted, and passes the earlier time to all sweeps', async () => {
    const times: number[] = [];
    const asked: number[] = [];
    const sweep = async (time: number) => Number(times.push(time) === 1);
    let believed = false;
    let time = 1_000;
    const { faults, stop } = start(
      { a: sweep, b: sweep },
      {
        now: () => time++,
        isTrusted: async (at) => {
          asked.push(at);
          return believed;
        },
      },
    );
    await vi.advanceTimersByTimeAsync(60_000);
    expect([asked, times]).toEqual([[1_000, 1_001], []]);
    believed = true;
    await vi.advanceTimersByTimeAsync(60_000);
    expect([asked.at(-1), times]).toEqual([1_002, [1_002, 1_002, 1_002]]);
    expect(faults).toEqual([]);
    stop();
  });

  it.each([false, true])(
    'reports that the clock cannot be noted at the start, unless it has stopped (%j)',
    async (stops) => {
      const noting = Promise.withResolvers<boolean>();
      const { faults, stop } = start({}, { isTrusted: () => noting.promise });
      if (stops) stop();
      noting.reject(new Error('the store is closed'));
      await vi.advanceTimersByTimeAsync(0);
      expect(faults.map(([name]) => name)).toEqual(stops ? [] : ['clock_check']);
      stop();
    },
  );
});
