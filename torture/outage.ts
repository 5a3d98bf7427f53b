/** What holds while storage cannot be written to, and when it can again. */
import { createApi, expectStatus } from './api.ts';
import type { Random } from './random.ts';
import type { ServerProcess } from './server-process.ts';
import { expectUnavailable, type WriteChain } from './write-chain.ts';

/** How long readiness may take to follow the truth. */
const readinessMillisecondsMax = 3_000;
const probeMilliseconds = 10;

/** Throws unless readiness is refused, in the right form, while the process lives and documents can be read as before. */
export async function expectOutage(server: ServerProcess, chains: readonly WriteChain[]): Promise<void> {
  await untilReadiness(server, 503);
  const api = createApi(server.baseUrl, '');
  try {
    expectStatus(await api.send('GET', '/healthz'), 200);
    for (const { api: own, path } of chains) expectStatus(await own.send('GET', path), 200, 204);
  } finally {
    api.close();
  }
}

/** Resolves with the milliseconds that it took until `/readyz` answered `status`; rejects when that takes too long. */
export async function untilReadiness({ baseUrl }: ServerProcess, status: 200 | 503): Promise<number> {
  const api = createApi(baseUrl, '');
  const begunAt = performance.now();
  try {
    for (;;) {
      const answer = await api.send('GET', '/readyz');
      const milliseconds = performance.now() - begunAt;
      if (answer.status === 503) expectUnavailable(answer);
      if (answer.status === status) return milliseconds;
      if (milliseconds > readinessMillisecondsMax) {
        throw new Error(`/readyz still answers ${answer.status} after ${Math.round(milliseconds)} ms: ${answer.text}`);
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
