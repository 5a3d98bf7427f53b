/** What must hold while storage cannot be written, and once it can again. */

import { setTimeout as sleep } from 'node:timers/promises';
import { createApi, expectStatus } from '../tooling/api.ts';
import type { Random } from '../tooling/random.ts';
import { startUnhindered } from '../tooling/readings.ts';
import type { ServerProcess } from '../tooling/server-process.ts';
import { sumOf } from '../tooling/statistics.ts';
import { expectUnavailable, type WriteChain } from './write-chain.ts';

/** How long readiness may lag behind. */
const readinessMillisecondsMax = 3_000;
/** How long writes may still succeed during an outage: the log has reserved space for some. */
const lastWritesMillisecondsMax = 60_000;
const probeMilliseconds = 10;

/** Throws unless readiness is refused, in the right form, soon after the last stored write, and the process runs and serves reads. */
export async function expectOutage(server: ServerProcess, chains: readonly WriteChain[]): Promise<void> {
  await untilReadiness(server, 503, () => sumOf(chains, ({ acknowledged }) => acknowledged.length));
  const api = createApi(server.baseUrl, '');
  try {
    expectStatus(await api.send('GET', '/healthz'), 200);
    for (const { api: own, path } of chains) expectStatus(await own.send('GET', path), 200, 204);
  } finally {
    api.close();
  }
}

/**
 * Resolves with the unhindered milliseconds until `/readyz` returned `status`; rejects if that takes too long since `stored`, a count of
 * writes, last grew.
 */
export async function untilReadiness(
  { baseUrl, pid }: ServerProcess,
  status: 200 | 503,
  stored: () => number = () => 0,
): Promise<number> {
  const api = createApi(baseUrl, '');
  const elapsed = startUnhindered(pid, 'self');
  let last = { count: stored(), at: 0 };
  try {
    for (;;) {
      const answer = await api.send('GET', '/readyz');
      const now = elapsed();
      if (answer.status === 503) expectUnavailable(answer);
      if (answer.status === status) return now;
      const count = stored();
      if (count !== last.count) last = { count, at: now };
      const isLate = now - last.at > readinessMillisecondsMax || now > lastWritesMillisecondsMax;
      if (isLate) {
        const since = `${Math.round(now)} ms, ${Math.round(now - last.at)} ms after the last write`;
        throw new Error(`/readyz still answers ${answer.status} after ${since}: ${answer.text}`);
      }
      await sleep(probeMilliseconds);
    }
  } finally {
    api.close();
  }
}

/** Resolves after a time derived from the seed. */
export function pause(random: Random, { from, to }: { readonly from: number; readonly to: number }): Promise<void> {
  return sleep(from + random.below(to - from));
}
