/** What holds while storage cannot be written to, and when it can again. */
import { createApi, expectStatus } from './api.ts';
import type { Random } from './random.ts';
import type { ServerProcess } from './server-process.ts';
import { expectUnavailable, type WriteChain } from './write-chain.ts';

/** How long readiness may take to follow the truth. */
const readinessMillisecondsMax = 3_000;
/** How long writes may go on where none is expected to succeed: what the log has already been given holds some of them. */
const lastWritesMillisecondsMax = 60_000;
const probeMilliseconds = 10;

/** Throws unless readiness is refused, in the right form, soon after the last write that was stored, while the process lives and documents can be read as before. */
export async function expectOutage(server: ServerProcess, chains: readonly WriteChain[]): Promise<void> {
  await untilReadiness(server, 503, () => chains.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0));
  const api = createApi(server.baseUrl, '');
  try {
    expectStatus(await api.send('GET', '/healthz'), 200);
    for (const { api: own, path } of chains) expectStatus(await own.send('GET', path), 200, 204);
  } finally {
    api.close();
  }
}

/**
 * Resolves with the milliseconds that it took until `/readyz` answered `status`; rejects when that takes too long, from the last time on
 * that `stored`, a count of writes, has grown.
 */
export async function untilReadiness(
  { baseUrl }: ServerProcess,
  status: 200 | 503,
  stored: () => number = () => 0,
): Promise<number> {
  const api = createApi(baseUrl, '');
  const begunAt = performance.now();
  let last = { count: stored(), at: begunAt };
  try {
    for (;;) {
      const answer = await api.send('GET', '/readyz');
      const now = performance.now();
      if (answer.status === 503) expectUnavailable(answer);
      if (answer.status === status) return now - begunAt;
      const count = stored();
      if (count !== last.count) last = { count, at: now };
      const isLate = now - last.at > readinessMillisecondsMax || now - begunAt > lastWritesMillisecondsMax;
      if (isLate) {
        const since = `${Math.round(now - begunAt)} ms, ${Math.round(now - last.at)} ms after the last write`;
        throw new Error(`/readyz still answers ${answer.status} after ${since}: ${answer.text}`);
      }
      await new Promise((resolve) => setTimeout(resolve, probeMilliseconds));
    }
  } finally {
    api.close();
  }
}

/** Resolves after a time that the seed chooses. */
export function pause(random: Random, { from, to }: { readonly from: number; readonly to: number }): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, from + random.below(to - from)));
}
