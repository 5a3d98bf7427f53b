/**
 * A disk whose syncs repeatedly fail for a while under a write load, and which loses what a failed sync should have stored. In between the
 * power fails: the process is killed, and unsynced data is lost. After each restart every acknowledged write is there, and versions run
 * without a gap or repetition.
 */

import { execFileSync } from 'node:child_process';
import { closeSync, copyFileSync, mkdirSync, openSync, readdirSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../packages/server/src/free-port.fixture.ts';
import { readCredentials } from '../tooling/credentials.ts';
import { requireProgram } from '../tooling/programs.ts';
import { createRandom, type Random } from '../tooling/random.ts';
import { type ServerProcess, startServerProcess, withDataDir } from '../tooling/server-process.ts';
import { sumOf } from '../tooling/statistics.ts';
import { temporaryPath } from '../tooling/workspace.ts';
import { expectOutage, pause, untilReadiness } from './outage.ts';
import { createChains, verifyChain, type WriteChain, writeThroughFaults } from './write-chain.ts';

const projects = 4;
const outagesPerRound = 3;
const outageMilliseconds = { from: 50, to: 300 };
const healthMilliseconds = { from: 100, to: 300 };

/** Values of the first byte of the control file, for lossy-disk.c. */
const mode = { healthy: '0', syncsFail: '1', writesFail: '2' } as const;
type Mode = (typeof mode)[keyof typeof mode];

export interface SyncErrorReport {
  readonly rounds: number;
  readonly outages: number;
  readonly acknowledgedWrites: number;
  readonly refusedWrites: number;
  /** Stored writes that were refused or unanswered, which is allowed. */
  readonly storedUnanswered: number;
  /** The longest time from the end of an outage to readiness. */
  readonly recoveryMilliseconds: number;
  readonly faults: readonly string[];
}

/** Runs the rounds, each ending with a loss of power. Rejects if the server gives a forbidden response, or exits. */
export function syncError({ rounds, seed }: { rounds: number; seed: number }): Promise<SyncErrorReport> {
  return withDataDir(async (dataDir) => {
    const random = createRandom(seed);
    const disk = createLossyDisk(dataDir);
    const options = { dataDir, port: await freePort(), env: disk.env };
    let server = await startServerProcess(options);
    const chains: WriteChain[] = [];
    const faults: string[] = [];
    const sum = { rounds: 0, outages: 0, refusedWrites: 0, storedUnanswered: 0, recoveryMilliseconds: 0 };
    try {
      chains.push(...(await createChains(await readCredentials(dataDir, server.baseUrl), projects, random)));
      while (sum.rounds < rounds && faults.length === 0) {
        sum.rounds++;
        const round = await writeThroughOutages(server, disk, chains, random);
        sum.outages += outagesPerRound;
        sum.refusedWrites += round.refusedWrites;
        sum.recoveryMilliseconds = Math.max(sum.recoveryMilliseconds, round.recoveryMilliseconds);
        disk.losePower();
        server = await startServerProcess(options);
        const verdicts = await Promise.all(chains.map(verifyChain));
        faults.push(...verdicts.flatMap((verdict) => verdict.faults).map((fault) => `round ${sum.rounds}: ${fault}`));
        sum.storedUnanswered += verdicts.filter(({ hasUnanswered }) => hasUnanswered).length;
      }
    } finally {
      await server.kill();
      for (const { api } of chains) api.close();
    }
    const stored = sumOf(chains, ({ acknowledged }) => acknowledged.length);
    sum.storedUnanswered += sumOf(chains, (chain) => chain.storedUnanswered);
    return { ...sum, acknowledgedWrites: stored - sum.storedUnanswered, faults };
  });
}

interface LossyDisk {
  readonly env: Readonly<Record<string, string>>;
  set(mode: Mode): void;
  /** Restores the data folder to its state after a loss of power. No process may be using it. */
  losePower(): void;
}

function createLossyDisk(dataDir: string): LossyDisk {
  requireProgram('gcc', 'gcc');
  const library = temporaryPath('lossy-disk.so');
  execFileSync('gcc', ['-shared', '-fPIC', '-O2', '-o', library, join(import.meta.dirname, 'lossy-disk.c'), '-ldl']);
  const shadow = temporaryPath('shadow');
  mkdirSync(shadow);
  const controlFile = temporaryPath('control');
  writeFileSync(controlFile, mode.healthy);
  const set = (mode: Mode) => {
    const control = openSync(controlFile, 'r+'); // never shorter than a byte: the server has it mapped into memory
    writeSync(control, mode, 0);
    closeSync(control);
  };
  return {
    env: { LD_PRELOAD: library, LOSSY_DISK_SHADOW: shadow, LOSSY_DISK_CONTROL: controlFile },
    set,
    losePower() {
      for (const name of readdirSync(dataDir)) {
        if (name.startsWith('holdfast.sqlite')) rmSync(join(dataDir, name));
      }
      for (const name of readdirSync(shadow)) copyFileSync(join(shadow, name), join(dataDir, name));
      set(mode.healthy);
    },
  };
}

/** Runs all write chains during the disk's outages, and kills the server, during an outage or after it. */
async function writeThroughOutages(
  server: ServerProcess,
  disk: LossyDisk,
  chains: readonly WriteChain[],
  random: Random,
): Promise<{ refusedWrites: number; recoveryMilliseconds: number }> {
  let isOver = false;
  const writing = Promise.all(chains.map((chain) => writeThroughFaults(chain, () => isOver)));
  let recoveryMilliseconds = 0;
  const outages = async () => {
    for (let outage = 1; outage <= outagesPerRound; outage++) {
      await pause(random, healthMilliseconds);
      disk.set(random.oneIn(2) ? mode.syncsFail : mode.writesFail);
      await Promise.all([pause(random, outageMilliseconds), expectOutage(server, chains)]);
      if (outage === outagesPerRound && random.oneIn(2)) return; // the power fails with the disk
      disk.set(mode.healthy);
      recoveryMilliseconds = Math.max(recoveryMilliseconds, await untilReadiness(server, 200));
    }
    await pause(random, healthMilliseconds);
  };
  try {
    await Promise.race([outages(), writing]);
  } finally {
    isOver = true;
    await server.kill();
  }
  const refused = await writing;
  return { refusedWrites: sumOf(refused, (count) => count), recoveryMilliseconds };
}
