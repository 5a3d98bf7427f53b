/** The part of the disk-full run that may mount, started by disk-full.ts in a separate mount namespace. */

import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../packages/server/src/free-port.fixture.ts';
import { readCredentials } from '../tooling/credentials.ts';
import { createRandom, type Random } from '../tooling/random.ts';
import { type ServerProcess, startServerProcess, withDataDir } from '../tooling/server-process.ts';
import { sumOf } from '../tooling/statistics.ts';
import { expectOutage, pause, untilReadiness } from './outage.ts';
import { createChains, verifyChain, type WriteChain, writeThroughFaults } from './write-chain.ts';

const projects = 4;
/** Free space of the disk in addition to the stored writes. It grows with them, or the disk would fill up some rounds later. */
const roomMebibytes = 48;
const fullMilliseconds = { from: 200, to: 600 };
const roomMilliseconds = { from: 200, to: 500 };

export interface DiskFullReport {
  /** How often the disk was full. */
  readonly rounds: number;
  readonly acknowledgedWrites: number;
  readonly refusedWrites: number;
  /** Stored writes that were refused, which is allowed. */
  readonly storedUnanswered: number;
  /** The longest time from free space on the disk to readiness. */
  readonly recoveryMilliseconds: number;
  readonly faults: readonly string[];
}

function run({ rounds, seed }: { rounds: number; seed: number }): Promise<DiskFullReport> {
  return withDataDir(async (dataDir) => {
    mount(dataDir, `size=${roomMebibytes}m,mode=700`);
    const random = createRandom(seed);
    const options = { dataDir, port: await freePort() };
    let server = await startServerProcess(options);
    try {
      const chains = await createChains(await readCredentials(dataDir, server.baseUrl), projects, random);
      const written = await writeWhileFull(server, dataDir, chains, { rounds, random });
      const faults = await verify(chains, 'before the restart');
      await server.kill();
      server = await startServerProcess(options);
      faults.push(...(await verify(chains, 'after the restart')));
      for (const { api } of chains) api.close();
      const stored = sumOf(chains, ({ acknowledged }) => acknowledged.length);
      const storedUnanswered = sumOf(chains, (chain) => chain.storedUnanswered);
      return { rounds, ...written, acknowledgedWrites: stored - storedUnanswered, storedUnanswered, faults };
    } finally {
      await server.kill();
      execFileSync('umount', ['--lazy', dataDir]);
    }
  });
}

async function verify(chains: readonly WriteChain[], when: string): Promise<string[]> {
  const verdicts = await Promise.all(chains.map(verifyChain));
  return verdicts.flatMap(({ faults }) => faults).map((fault) => `${when}: ${fault}`);
}

/** Runs all write chains, alternately with the disk full and not full. */
async function writeWhileFull(
  server: ServerProcess,
  dataDir: string,
  chains: readonly WriteChain[],
  { rounds, random }: { readonly rounds: number; readonly random: Random },
): Promise<{ refusedWrites: number; recoveryMilliseconds: number }> {
  let isOver = false;
  let recoveryMilliseconds = 0;
  const filler = join(dataDir, 'filler');
  const fillAgain = async () => {
    for (let round = 1; round <= rounds; round++) {
      await pause(random, roomMilliseconds);
      fill(filler);
      await Promise.all([pause(random, fullMilliseconds), expectOutage(server, chains)]);
      rmSync(filler);
      makeRoom(dataDir);
      recoveryMilliseconds = Math.max(recoveryMilliseconds, await untilReadiness(server, 200));
    }
    await pause(random, roomMilliseconds);
    isOver = true;
  };
  const [refused] = await Promise.all([
    Promise.all(chains.map((chain) => writeThroughFaults(chain, () => isOver))),
    fillAgain(),
  ]);
  return { refusedWrites: sumOf(refused, (count) => count), recoveryMilliseconds };
}

/** Gives the disk its initial space. */
function makeRoom(dataDir: string): void {
  const { blocks, bfree, bsize } = statfsSync(dataDir);
  const size = (blocks - bfree) * bsize + roomMebibytes * 2 ** 20;
  mount(dataDir, `remount,size=${size}`);
}

/** Type and source are named for a remount too. Otherwise the previous options are repeated, which only root may do. */
function mount(directory: string, options: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', directory]);
}

/** Writes a file until the disk is full. */
function fill(path: string): void {
  const file = openSync(path, 'w');
  for (let bytes = 2 ** 20; bytes >= 4_096; bytes /= 2) {
    try {
      for (;;) writeSync(file, Buffer.alloc(bytes));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }
  closeSync(file);
}

process.stdout.write(JSON.stringify(await run(JSON.parse(process.argv[2] as string))));
process.exit();
