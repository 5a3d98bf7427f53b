/**
 * Repeated `kill -9` under a write load on the same data. After each restart every acknowledged write is stored unchanged, versions run
 * from 1 without a gap or repetition, and at most the pending write has been added.
 */

import { freePort } from '../packages/server/src/free-port.fixture.ts';
import { firstCredentials } from '../tooling/credentials.ts';
import { createRandom, type Random } from '../tooling/random.ts';
import { type ServerProcess, startServerProcess, withDataDir } from '../tooling/server-process.ts';
import { sumOf } from '../tooling/statistics.ts';
import { pause } from './outage.ts';
import { createChains, verifyChain, type WriteChain } from './write-chain.ts';

const projects = 4;
const killAfterMilliseconds = { from: 300, to: 800 };

export interface CrashReport {
  readonly rounds: number;
  /** Writes acknowledged with 200, all of them found again. */
  readonly acknowledgedWrites: number;
  /** Stored writes that a crash left unanswered, which is allowed. */
  readonly storedUnanswered: number;
  /** Each begins with its round. Empty if all promises held. */
  readonly faults: readonly string[];
}

interface CrashOptions {
  readonly rounds: number;
  readonly seed: number;
  /** Variables of the server, for example of another store. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs the rounds and reports; rejects if the server refuses a write or does not start again. */
export function crash({ rounds, seed, env = {} }: CrashOptions): Promise<CrashReport> {
  return withDataDir(async (dataDir) => {
    const random = createRandom(seed);
    const port = await freePort();
    let server = await startServerProcess({ dataDir, port, env });
    const chains: WriteChain[] = [];
    let storedUnanswered = 0;
    let round = 0;
    const faults: string[] = [];
    try {
      chains.push(...(await createChains(await firstCredentials(dataDir, server.baseUrl, env), projects, random)));
      while (round < rounds && faults.length === 0) {
        round++;
        await writeUntilKilled(server, chains, random);
        server = await startServerProcess({ dataDir, port, env });
        const verdicts = await Promise.all(chains.map(verifyChain));
        faults.push(...verdicts.flatMap((verdict) => verdict.faults).map((fault) => `round ${round}: ${fault}`));
        storedUnanswered += verdicts.filter(({ hasUnanswered }) => hasUnanswered).length;
      }
    } finally {
      await server.kill();
      for (const { api } of chains) api.close();
    }
    const stored = sumOf(chains, ({ acknowledged }) => acknowledged.length);
    return { rounds: round, acknowledgedWrites: stored - storedUnanswered, storedUnanswered, faults };
  });
}

/** Runs all write chains in parallel, and kills the server meanwhile. */
async function writeUntilKilled(server: ServerProcess, chains: readonly WriteChain[], random: Random): Promise<void> {
  let isGone = false;
  const writers = Promise.all(chains.map((chain) => chain.writeUntil(() => isGone)));
  await Promise.race([pause(random, killAfterMilliseconds), writers]);
  isGone = true;
  await server.kill();
  await writers;
}
