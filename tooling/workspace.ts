/** One temporary folder per run, removed at its end, and folders for single tasks. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Created on first use, since some importers only start programs. */
let folder: string | undefined;
let names = 0;

/** Returns an unused path in the folder of this run. */
export function temporaryPath(name: string): string {
  folder ??= mkdtempSync(join(tmpdir(), 'holdfast-bench-'));
  return join(folder, `${++names}-${name}`);
}

/** Makes the run clean up, even if it is interrupted or fails. Call it once, first. */
export function cleanUpAtExit(): void {
  process.once('exit', () => {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      console.error(`ended by ${signal}`);
      process.exit(1);
    });
  }
}

/** Runs `work` with an empty folder, which is removed afterwards. Its name begins with `holdfast-` and this. */
export async function withFolder<Result>(
  name: string,
  work: (folder: string) => Result | Promise<Result>,
  place = tmpdir(),
): Promise<Result> {
  const own = mkdtempSync(join(place, `holdfast-${name}-`));
  try {
    return await work(own);
  } finally {
    rmSync(own, { recursive: true, force: true, maxRetries: 5 });
  }
}
