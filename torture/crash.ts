/**
 * `kill -9` during a write load, again and again on the same data: after each restart every acknowledged write is there with
 * its very content, versions run from 1 without a gap or repetition, and at most the write under way has been added.
 */
import { environments } from '@holdfast/contract';
import { createApi, expectStatus } from './api.ts';
import { createProject, readCredentials } from './credentials.ts';
import { judgeHistory } from './history.ts';
import { createRandom, type Random } from './random.ts';
import { freePort, type ServerProcess, startServerProcess, withDataDir } from './server-process.ts';
import { createWriteChain, hashOf, type WriteChain } from './write-chain.ts';

const projects = 4;
const killAfterMilliseconds = { from: 300, to: 800 };

export interface CrashReport {
  readonly rounds: number;
  /** Writes that were answered with 200, all of them found again. */
  readonly acknowledgedWrites: number;
  /** Writes without an answer at a crash that had been stored nevertheless, as they may be. */
  readonly storedUnanswered: number;
  /** Each begins with its round. Empty when all held. */
  readonly faults: readonly string[];
}

/** Runs the rounds and reports; rejects when the server refuses a write or does not start again. */
export function crash({ rounds, seed }: { rounds: number; seed: number }): Promise<CrashReport> {
  return withDataDir(async (dataDir) => {
    const random = createRandom(seed);
    const port = await freePort();
    let server = await startServerProcess({ dataDir, port });
    const chains: WriteChain[] = [];
    let storedUnanswered = 0;
    let round = 0;
    const faults: string[] = [];
    try {
      chains.push(...(await createChains(server, dataDir, random)));
      while (round < rounds && faults.length === 0) {
        round++;
        await writeUntilKilled(server, chains, random);
        server = await startServerProcess({ dataDir, port });
        const verdicts = await Promise.all(chains.map(verify));
        faults.push(...verdicts.flatMap((verdict) => verdict.faults).map((fault) => `round ${round}: ${fault}`));
        storedUnanswered += verdicts.filter(({ hasUnanswered }) => hasUnanswered).length;
      }
    } finally {
      await server.kill();
      for (const { api } of chains) api.close();
    }
    const stored = chains.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0);
    return { rounds: round, acknowledgedWrites: stored - storedUnanswered, storedUnanswered, faults };
  });
}

/** One chain for each environment of some fresh projects, each with an API key, which outlives any token. */
async function createChains({ baseUrl }: ServerProcess, dataDir: string, random: Random): Promise<WriteChain[]> {
  const credentials = await readCredentials(dataDir, baseUrl);
  const chains: WriteChain[] = [];
  for (let index = 1; index <= projects; index++) {
    const slug = `crash-${index}`;
    const api = createApi(baseUrl, `ApiKey ${await createProject(credentials, slug)}`);
    for (const environment of environments) {
      const path = `/v1/${credentials.accountId}/projects/${slug}/public-state/${environment}`;
      chains.push(createWriteChain(api, path, createRandom(random.below(2 ** 31))));
    }
  }
  return chains;
}

/** Lets all chains write at once, and kills the server under them. */
async function writeUntilKilled(server: ServerProcess, chains: readonly WriteChain[], random: Random): Promise<void> {
  let isGone = false;
  const writers = Promise.all(chains.map((chain) => chain.writeUntil(() => isGone)));
  const { from, to } = killAfterMilliseconds;
  const alarm = new Promise((resolve) => setTimeout(resolve, from + random.below(to - from)));
  await Promise.race([alarm, writers]);
  isGone = true;
  await server.kill();
  await writers;
}

/** Compares what the server lists now with what the chain was promised, and lets the chain go on from there. */
async function verify(chain: WriteChain): Promise<{ faults: string[]; hasUnanswered: boolean }> {
  const answer = expectStatus(await chain.api.send('GET', `${chain.path}/versions`), 200);
  const records = JSON.parse(answer.text) as { version: number; state: unknown }[];
  const found = records.map(({ version, state }) => ({ version, contentHash: hashOf(state) }));
  const { acknowledged, inFlight } = chain;
  const faults = judgeHistory({ acknowledged, inFlight, found }).map((fault) => `${chain.path}: ${fault}`);
  const hasUnanswered = inFlight !== undefined && found[0]?.version === inFlight.version;
  if (faults.length === 0) chain.resume(records);
  return { faults, hasUnanswered };
}
