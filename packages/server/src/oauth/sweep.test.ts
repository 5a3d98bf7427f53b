import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startSignInSweep } from './sweep.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const unexpected = (fault: unknown) => {
  throw fault;
};

const isTrusted = async () => true;

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

describe('the sign-in sweep', () => {
  it('continues in portions until nothing is left, once a minute', async () => {
    const store = storeOf(35);
    const stop = startSignInSweep({ sweeps: [store.sweep], now: Date.now, isTrusted, onFault: unexpected });
    await vi.advanceTimersByTimeAsync(59_999);
    expect(store.sweeps).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(store).toMatchObject({ expired: 0, sweeps: 5 });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(store.sweeps).toBe(6);
    stop();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(store.sweeps).toBe(6);
  });

  it('finishes each kind of record before the next', async () => {
    const stores = [storeOf(15), storeOf(25)];
    const stop = startSignInSweep({
      sweeps: stores.map(({ sweep }) => sweep),
      now: Date.now,
      isTrusted,
      onFault: unexpected,
    });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(stores).toMatchObject([
      { expired: 0, sweeps: 3 },
      { expired: 0, sweeps: 4 },
    ]);
    stop();
  });

  it('never runs twice at the same time', async () => {
    let sweeps = 0;
    const sweep = () => {
      sweeps += 1;
      return new Promise<number>(() => {});
    };
    const stop = startSignInSweep({ sweeps: [sweep], now: Date.now, isTrusted, onFault: unexpected });
    await vi.advanceTimersByTimeAsync(600_000);
    expect(sweeps).toBe(1);
    stop();
  });

  it('reports a fault and tries again', async () => {
    const store = storeOf(5);
    const faults: unknown[] = [];
    const sweep = store.sweep;
    store.sweep = () => Promise.reject(new Error('down'));
    const stop = startSignInSweep({
      sweeps: [() => store.sweep()],
      now: Date.now,
      isTrusted,
      onFault: (fault) => faults.push(fault),
    });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(faults).toEqual([new Error('down')]);
    store.sweep = sweep;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(store.expired).toBe(0);
    stop();
  });

  it('deletes nothing while the clock is untrusted, and passes the earlier time to all sweeps', async () => {
    const times: number[] = [];
    const asked: number[] = [];
    const sweep = async (time: number) => Number(times.push(time) === 1);
    let believed = false;
    let time = 1_000;
    const stop = startSignInSweep({
      sweeps: [sweep, sweep],
      now: () => time++,
      isTrusted: async (at) => {
        asked.push(at);
        return believed;
      },
      onFault: unexpected,
    });
    await vi.advanceTimersByTimeAsync(60_000);
    expect([asked, times]).toEqual([[1_000, 1_001], []]);
    believed = true;
    await vi.advanceTimersByTimeAsync(60_000);
    expect([asked.at(-1), times]).toEqual([1_002, [1_002, 1_002, 1_002]]);
    stop();
  });

  it.each([false, true])(
    'reports that the clock cannot be noted at the start, unless it has stopped (%j)',
    async (stops) => {
      const faults: unknown[] = [];
      const noting = Promise.withResolvers<boolean>();
      const stop = startSignInSweep({
        sweeps: [],
        now: Date.now,
        isTrusted: () => noting.promise,
        onFault: (fault) => faults.push(fault),
      });
      if (stops) stop();
      noting.reject(new Error('the store is closed'));
      await vi.advanceTimersByTimeAsync(0);
      expect(faults).toHaveLength(stops ? 0 : 1);
      stop();
    },
  );
});
