import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createDueWork, type DueWork } from './due-work.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Work whose items are due at each look while `isDue` says so. Each of them takes `milliseconds`. */
function busyWork(isDue: () => boolean, milliseconds = 5) {
  const looks: number[] = [];
  const work: DueWork = createDueWork<string>({
    runningMax: 4,
    sharesOf: (name) => [{ name, max: 1 }],
    look() {
      looks.push(performance.now());
      return { due: isDue() ? ['one'] : [], nextIn: undefined };
    },
    carryOut: () => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    onFault(error) {
      throw error;
    },
  });
  work.start();
  return { work, looks };
}

/** Wakes the work every millisecond. */
async function wakeFor(work: DueWork, milliseconds: number): Promise<void> {
  for (let i = 0; i < milliseconds; i++) {
    work.wake();
    await vi.advanceTimersByTimeAsync(1);
  }
}

it('looks at most every ten milliseconds while there is something to begin', async () => {
  const { work, looks } = busyWork(() => true);
  await wakeFor(work, 1_000);
  expect(looks.length).toBeGreaterThan(60);
  expect(looks.length).toBeLessThanOrEqual(101);
});

it('looks less and less often while it is woken and nothing begins', async () => {
  const { work, looks } = busyWork(() => false);
  await wakeFor(work, 1_000);
  expect(looks.length).toBeGreaterThan(10);
  expect(looks.length).toBeLessThan(20);
});

it('looks at once when it is woken after a pause, however little began before', async () => {
  let isDue = false;
  const { work, looks } = busyWork(() => isDue);
  await wakeFor(work, 500);
  await vi.advanceTimersByTimeAsync(900);
  isDue = true;
  const wokenAt = performance.now();
  await wakeFor(work, 11);
  expect((looks.at(-1) ?? 0) - wokenAt).toBeGreaterThanOrEqual(0);
  expect((looks.at(-1) ?? 0) - wokenAt).toBeLessThanOrEqual(11);
});

it('looks soon after work has ended, since what waited for its room may begin', async () => {
  const { work, looks } = busyWork(() => true, 400);
  await wakeFor(work, 400);
  const before = looks.length;
  await vi.advanceTimersByTimeAsync(25);
  expect(looks.length).toBeGreaterThan(before);
});
