/** How long a client can delay the exit of a process. */
import { expect, test } from 'vitest';
import { startUnhindered } from '../../tooling/readings.ts';
import { inProcess, startPut } from './stopping.ts';

// Fast enough for the minimum rate.
test('a client that never finishes delays the shutdown by ten seconds at most', () =>
  inProcess(async (running, credentials) => {
    const stuck = await startPut(running, credentials, 100_000);
    const drip = setInterval(() => stuck.isOpen() && stuck.send(' '.repeat(20)), 50);
    const [startedAt, elapsed] = [performance.now(), startUnhindered('self', running.pid)];
    const code = await running.stop();
    clearInterval(drip);
    stuck.close();
    expect(code).toBe(0);
    expect(performance.now() - startedAt).toBeGreaterThan(9_000);
    expect(elapsed()).toBeLessThan(19_000);
  }));
