/** How long a client can delay the exit of a process. */
import { expect, test } from 'vitest';
import { inProcess, startPut } from './stopping.ts';

// Fast enough for the minimum rate.
test('a client that never finishes delays the shutdown by ten seconds at most', { timeout: 40_000 }, () =>
  inProcess(async (running, credentials) => {
    const stuck = await startPut(running, credentials, 100_000);
    const drip = setInterval(() => stuck.isOpen() && stuck.send(' '.repeat(20)), 50);
    const startedAt = performance.now();
    const code = await running.stop();
    clearInterval(drip);
    stuck.close();
    expect(code).toBe(0);
    const seconds = (performance.now() - startedAt) / 1000;
    expect(seconds).toBeGreaterThan(9);
    expect(seconds).toBeLessThan(19);
  }),
);
