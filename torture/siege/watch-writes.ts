/** Writes versions in sequence as somebody else, and measures the memory of the server. */

import { setTimeout as sleep } from 'node:timers/promises';
import { createApi, writesAfter } from '../../tooling/api.ts';
import { publicStatePath } from '../../tooling/credentials.ts';
import { residentBytes, watchMemory } from '../../tooling/readings.ts';
import type { SeenWrites } from './watch.ts';
import { obey, order, stopwatch } from './watcher.ts';

const pauseMilliseconds = 60;
const refusedPauseMilliseconds = 50;
const memoryMilliseconds = 10;
const patienceMilliseconds = 60_000;
/** Every second write is so large that it leaves the event loop. */
const largeCharacters = 80_000;

const { pid, other, apiKeys } = order;
const path = publicStatePath(other, 'production');
const apis = apiKeys.map((apiKey) => createApi(other.baseUrl, `ApiKey ${apiKey}`));
const bodies = ['', 'x'.repeat(largeCharacters)].map((text) => JSON.stringify({ state: { text } }));
let version = 0;
let turn = 0;

await obey(async (isWatching): Promise<SeenWrites> => {
  const tally = { writes: 0, longestWriteMilliseconds: 0 };
  const peak = watchMemory({ residentBytes: () => residentBytes(pid) }, memoryMilliseconds);
  while (isWatching()) {
    const elapsed = stopwatch(true);
    if (await write(isWatching)) tally.writes++;
    tally.longestWriteMilliseconds = Math.max(tally.longestWriteMilliseconds, elapsed());
    await sleep(pauseMilliseconds);
  }
  return { ...tally, residentBytesPeak: peak() };
});

/** Writes one version, repeating it while refused. Returns whether it succeeded before patience or the watch ended. */
async function write(isWatching: () => boolean): Promise<boolean> {
  const startedAt = performance.now();
  const body = bodies[++turn % bodies.length] as string;
  const api = apis[turn % apis.length] as (typeof apis)[number];
  do {
    // After a broken connection the write is repeated, as by a client.
    const answer = await api.send('PUT', path, { headers: writesAfter(version), body }).catch(() => undefined);
    if (answer?.status === 200) {
      version++;
      return true;
    }
    if (answer?.status === 412)
      version = (JSON.parse(answer.text) as { currentVersion: number | null }).currentVersion ?? 0;
    else await sleep(refusedPauseMilliseconds);
  } while (isWatching() && performance.now() - startedAt < patienceMilliseconds);
  return false;
}
