/** A measured process on a separate core, and its resource use under load. */

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { serverCore, spawnPinned } from '../tooling/child-processes.ts';
import type { LoadReport } from '../tooling/load/wrk.ts';
import { temporaryPath } from '../tooling/workspace.ts';
import type { Usage } from './measured-process.ts';

export interface Measurement extends Usage {
  readonly report: LoadReport;
  readonly requestsPerSecond: number;
  readonly cpuMicrosecondsPerRequest: number;
  /** Processor time of the database per request, if it has separate processes. */
  readonly databaseMicrosecondsPerRequest?: number;
}

export interface ServerProcess<Ready> {
  readonly ready: Ready;
  readonly pid: number;
  /** Settles when the process has ended. */
  readonly gone: Promise<unknown>;
  /** Sends a message and waits for the response. Throws if the process exits instead. */
  ask<Answer>(message: string | object): Promise<Answer>;
  /** Measures the process during `load`, which returns its own results. */
  measure(load: () => Promise<LoadReport>): Promise<Measurement>;
}

export interface ProcessOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly profileFolder?: string | undefined;
  /** The servers' core by default. */
  readonly core?: number | undefined;
  /** The checkout whose `bench` folder contains the script; this one by default. */
  readonly checkout?: string | undefined;
}

const root = join(import.meta.dirname, '..');

/** Shared by the servers of a run, as `holdfast` keeps one between starts. */
const compileCache = temporaryPath('compiled');

/** The running processes, each with a promise of its end. */
const running = new Map<ChildProcess, Promise<unknown>>();

/** Runs `work`, then ends all processes: immediately if it fails, otherwise after they have written their profiles. Rejects like `work`. */
export async function withProcesses<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    const result = await work();
    for (const child of running.keys()) if (child.connected) child.send('stop');
    return result;
  } catch (error) {
    for (const child of running.keys()) child.kill('SIGKILL');
    throw error;
  } finally {
    await Promise.all(running.values());
  }
}

/** Runs a script of the `bench` folder with its settings until it ends, and returns what it sends. */
export async function runProcess<Result extends object>(script: string, settings: object): Promise<Result> {
  const { ready, gone } = await startProcess<Result>(script, settings);
  await gone;
  return ready;
}

/** Starts a script of a `bench` folder with its settings, and waits until it is ready. Call it within `withProcesses`. */
export async function startProcess<Ready extends object>(
  script: string,
  settings: object,
  { env = {}, profileFolder, core = serverCore, checkout = root }: ProcessOptions = {},
): Promise<ServerProcess<Ready>> {
  const profiling = profileFolder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`];
  const command = [process.execPath, ...profiling, join(checkout, 'bench', script), JSON.stringify(settings)];
  const child = spawnPinned(core, command, {
    // Server logs are written to standard error, not into the tables.
    stdio: ['ignore', 2, 2, 'ipc'],
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache, ...env },
  });
  const gone = once(child, 'exit').finally(() => running.delete(child));
  running.set(child, gone);
  const answer = async <Answer>(message?: string | object): Promise<Answer> => {
    const answered = once(child, 'message');
    if (message !== undefined) child.send(message);
    const first = await Promise.race([answered, gone.then(() => undefined)]);
    if (first === undefined) throw new Error(`the process of ${script} ended by itself; its last words are above`);
    return first[0] as Answer;
  };
  return {
    ready: await answer<Ready>(),
    // taskset replaces itself by the program.
    pid: child.pid as number,
    gone,
    ask: answer,
    async measure(load) {
      await answer('begin');
      const report = await load();
      return measurementOf(report, await answer<Usage>('end'));
    },
  };
}

/** Combines the load's results with the resource use. */
export function measurementOf(report: LoadReport, usage: Usage): Measurement {
  return {
    ...usage,
    report,
    requestsPerSecond: (report.requests / report.microseconds) * 1e6,
    cpuMicrosecondsPerRequest: (usage.cpuSeconds / report.requests) * 1e6,
  };
}

/** Combines several simultaneous processes into one result; the delays are those of the first. */
export function joinMeasurements(measurements: readonly Measurement[]): Measurement {
  const [first] = measurements as readonly [Measurement];
  const sum = (value: (one: Measurement) => number) => measurements.reduce((total, one) => total + value(one), 0);
  const report = { ...first.report, requests: sum((one) => one.report.requests), bytes: sum((one) => one.report.bytes) };
  return measurementOf(report, { ...first, cpuSeconds: sum((one) => one.cpuSeconds) });
}
