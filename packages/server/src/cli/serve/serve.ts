/** `holdfast serve`: starts the service, prints the banner, and stops the service on a signal. */

import { flushCompileCache } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { releaseStartupMemory } from '../../common/program/startup-memory.ts';
import { type Config, type Environment, isTracingWanted } from '../../config/config.ts';
import type { ServeOptions } from '../../main.ts';
import { createLog, type Log } from '../../observe/log.ts';
import { recordBaseUrl } from '../base-url.ts';
import { type Announcement, banner, goodbye, readyRecord } from './banner.ts';
import { type Demo, ensureDemo } from './demo.ts';
import { listenFault } from './listen-fault.ts';

interface Started {
  readonly announcement: Announcement;
  readonly log: Log;
  drain(): void;
  stop(): Promise<void>;
}

/** Resolves when the service is ready. The process then runs until SIGTERM or SIGINT. */
export async function serveCommand(config: Config, environment: Environment): Promise<void> {
  const starting = start(config, environment);
  const isStopping = stopInOrder(starting, config, environment);
  const { announcement, log } = await starting;
  if (isStopping()) return;
  if (isForPrograms(config)) log.info(readyRecord(announcement), 'ready');
  else process.stdout.write(banner(announcement));
  // A killed process writes nothing.
  flushCompileCache();
  await releaseStartupMemory();
}

/** Whether standard output is a stream of JSON lines, like the log. If so, start and stop are lines of it, and there is no banner. */
const isForPrograms = ({ logFormat }: Config): boolean =>
  logFormat === 'json' || (logFormat === 'auto' && !process.stdout.isTTY);

/**
 * How much the heap may grow before garbage collection, as a percentage of the used heap. The runtime would let the event loop's heap grow
 * four times as much: a stranger who reads large states could enlarge the process by 100 MB of garbage. This value is the runtime's default
 * for the smaller heaps of other threads.
 */
const heapGrowthPercent = 32;

/** Starts the service and updates the files in its data folder. */
async function start(config: Config, environment: Environment): Promise<Started> {
  setFlagsFromString(`--heap-growing-percent=${heapGrowthPercent}`);
  const { serve } = await import('../../main.ts');
  let demo: Demo | undefined;
  const prepare: ServeOptions['prepare'] = async ({ store, baseUrl }) => {
    recordBaseUrl(config.dataDir, baseUrl);
    demo = await ensureDemo(store, config, baseUrl);
  };
  const running = await serve(config, { traces: isTracingWanted(environment), prepare }).catch((error: unknown) => {
    throw listenFault(error, config);
  });
  const { baseUrl, store, log, drain, stop } = running;
  const isEmpty = await store.isEmpty();
  const isTerminal = process.stdout.isTTY ?? false;
  const isColored = isTerminal && process.stdout.hasColors();
  const announcement = { config, isTerminal, isColored, baseUrl, demo, isEmpty, environment, cwd: process.cwd() };
  return { announcement, log, drain, stop };
}

/**
 * Stops the process cleanly at the first reason, but not before the start has finished: it drains, unless somebody waits at a terminal,
 * then stops. Another signal ends the drain. Returns whether stopping has begun.
 */
function stopInOrder(starting: Promise<Started>, config: Config, environment: Environment): () => boolean {
  let isStopping = false;
  const hurry = new AbortController();
  const stop = async (reason: StopReason): Promise<void> => {
    const { log, drain, stop } = await starting;
    const drainSeconds = reason === 'SIGINT' ? 0 : config.drainSeconds;
    if (isForPrograms(config)) log.info({ reason, drainSeconds }, 'stopping');
    else if (process.stdout.isTTY) process.stdout.write(`\n${stopping(drainSeconds)}\n`);
    if (drainSeconds > 0) {
      drain();
      await sleep(drainSeconds * 1000, undefined, { signal: hurry.signal }).catch(() => undefined);
    }
    await stop();
    if (!isForPrograms(config)) process.stdout.write(goodbye);
    else createLog(config.logLevel, { write: (line) => process.stdout.write(line) }).info('stopped');
  };
  const begin = (reason: StopReason) => {
    isStopping = true;
    stop(reason).then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(`holdfast: the service did not stop in order: ${error instanceof Error ? error.message : error}`);
        process.exit(1);
      },
    );
  };
  onStop(environment, begin, () => hurry.abort());
  return () => isStopping;
}

const stopping = (drainSeconds: number): string => {
  const grace = 'requests in flight have 10 s to end';
  if (drainSeconds === 0) return `Stopping: ${grace}.`;
  return `Draining: /readyz is 503, everything else is served for ${drainSeconds} s (a second signal ends that). Then ${grace}.`;
};

/** Why the service stops. */
type StopReason = 'SIGTERM' | 'SIGINT' | 'npm_ended';

const pollMilliseconds = 500;

/**
 * Calls `stop` at the first SIGTERM or SIGINT, and `onRepeat` at each further one. Under `npx` and `npm start`, also calls `stop` when the
 * parent process ends: npm starts a shell in between, and a SIGTERM ends npm and that shell, but does not reach this process.
 */
function onStop(environment: Environment, stop: (reason: StopReason) => void, onRepeat: () => void): void {
  let isStopping = false;
  const stopOnce = (reason: StopReason) => {
    if (isStopping) return reason === 'npm_ended' ? undefined : onRepeat();
    isStopping = true;
    stop(reason);
  };
  process.on('SIGTERM', stopOnce).on('SIGINT', stopOnce);
  if (environment.npm_command === undefined) return;
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && stopOnce('npm_ended'), pollMilliseconds).unref();
}
