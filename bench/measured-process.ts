/** The measured side of a server process: it reports to the run over their channel. */
import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { LoadReport } from '../tooling/load/wrk.ts';

export interface LoopDelay {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** Measured between `begin` and `end`. */
export interface Usage {
  /** Processor time of all its threads. */
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  /** The delays of turns of the event loop. */
  readonly loopDelayMilliseconds: LoopDelay;
}

/** The shortest interval of the runtime's timers. A sample includes it with the delay. */
const resolutionMilliseconds = 1;

/** Sends `ready` with data for the run, then responds to `begin`, `end` and `stop`. Exits when the run ends. */
export function answerRun(ready: object, stop: () => Promise<void>): void {
  const loopDelay = monitorEventLoopDelay({ resolution: resolutionMilliseconds });
  let cpuAtBegin = process.cpuUsage();
  let wallAtBegin = performance.now();
  const leave = () => void stop().finally(() => process.exit());

  process.on('message', (message) => {
    if (message === 'begin') {
      loopDelay.reset();
      loopDelay.enable();
      cpuAtBegin = process.cpuUsage();
      wallAtBegin = performance.now();
      process.send?.({ begun: true });
    } else if (message === 'end') {
      loopDelay.disable();
      const { user, system } = process.cpuUsage(cpuAtBegin);
      const delay = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - resolutionMilliseconds);
      const usage: Usage = {
        cpuSeconds: (user + system) / 1e6,
        wallSeconds: (performance.now() - wallAtBegin) / 1000,
        loopDelayMilliseconds: {
          p50: delay(loopDelay.percentile(50)),
          p99: delay(loopDelay.percentile(99)),
          max: delay(loopDelay.max),
        },
      };
      process.send?.(usage);
    } else if (message === 'stop') leave();
  });
  process.on('disconnect', leave);
  process.send?.(ready);
}

/** Returns the time to sync a few new bytes in a folder: the shortest of several, since other work disturbs it least. */
export function measureSyncMilliseconds(folder: string): number {
  const path = join(folder, 'sync-probe');
  const file = openSync(path, 'w');
  const times: number[] = [];
  for (let i = 0; i < 21; i++) {
    writeSync(file, 'x'.repeat(4096));
    const begun = performance.now();
    fdatasyncSync(file);
    times.push(performance.now() - begun);
  }
  closeSync(file);
  rmSync(path);
  return Math.min(...times);
}

/** The report of a load without HTTP and faults. */
export function plainReport(requests: number, microseconds: number): LoadReport {
  const latencyMicroseconds = { p50: 0, p99: 0, max: 0 };
  return { requests, microseconds, bytes: 0, conflicts: 0, refused: 0, socketErrors: 0, latencyMicroseconds };
}
