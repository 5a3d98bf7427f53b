/** The processes that a benchmark measures end with it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startProcess, withProcesses } from '../bench/server-process.ts';
import { withFolder } from '../tooling/workspace.ts';

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Starts a server, adds its process to `pids`, and does `last`. */
function runWith(last: () => void, pids: number[]): Promise<void> {
  return withFolder('bench', (folder) => {
    const bodyFile = join(folder, 'body');
    writeFileSync(bodyFile, 'a body');
    const settings = { status: 200, headers: [], bodyFile, keepAliveSeconds: 5, readsBody: false };
    return withProcesses(async () => {
      const { pid } = await startProcess('floors/floor-server.ts', settings);
      pids.push(pid);
      expect(isAlive(pid)).toBe(true);
      last();
    });
  });
}

it('whether it succeeds or fails', async () => {
  const pids: number[] = [];
  await runWith(() => {}, pids);
  const fails = () => {
    throw new Error('a failed measurement');
  };
  await expect(runWith(fails, pids)).rejects.toThrow('a failed measurement');
  expect(pids.map(isAlive)).toEqual([false, false]);
});
