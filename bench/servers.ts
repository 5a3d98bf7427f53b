/** Starts the measured servers, each in a process on one core, and measures one under load. */

import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { get as httpGet } from 'node:http';
import { isClean, type Load, sendLoad } from '../tooling/load/wrk.ts';
import { requireProgram } from '../tooling/programs.ts';
import { temporaryPath } from '../tooling/workspace.ts';
import type { FloorSettings } from './floors/floor-server.ts';
import { type Measurement, type ProcessOptions, startProcess } from './server-process.ts';
import type { ServiceReady, ServiceSettings } from './service-server.ts';

interface MeasuredServer<Ready> {
  readonly ready: Ready;
  readonly pid: number;
  /** Loads the server for some seconds. */
  measure(load: Load, seconds: number): Promise<Measurement>;
}

export type Service = MeasuredServer<ServiceReady>;
export type Floor = MeasuredServer<{ readonly baseUrl: string }>;

/** Starts the service on an empty data folder and fills it. `slowSync` adds a millisecond to every sync of the disk. */
export function startService(
  settings: Omit<ServiceSettings, 'dataDir'>,
  options: { readonly slowSync?: boolean } & Pick<ProcessOptions, 'profileFolder' | 'core' | 'checkout'> = {},
): Promise<Service> {
  const env: Record<string, string> = options.slowSync
    ? { LD_PRELOAD: compileSlowSync(), HOLDFAST_SLOW_SYNC_MICROSECONDS: '1000' }
    : {};
  const { slowSync: _, ...process } = options;
  return start('service-server.ts', { ...settings, dataDir: temporaryPath('data') }, { ...process, env });
}

/** Starts a bare server that sends the service's response at `url`, byte for byte except the date. */
export async function startFloor(url: string, authorization: string, readsBody = false): Promise<Floor> {
  const answer = await capture(url, authorization);
  const bodyFile = temporaryPath('body');
  writeFileSync(bodyFile, answer.body);
  const { status, headers, keepAliveSeconds } = answer;
  const settings: FloorSettings = { status, headers, bodyFile, keepAliveSeconds, readsBody };
  const floor = await start<Floor['ready']>('floors/floor-server.ts', settings);
  const replay = await capture(floor.ready.baseUrl, authorization);
  if (JSON.stringify(replay) !== JSON.stringify(answer)) throw new Error(`the floor does not send what ${url} sends`);
  return floor;
}

interface Captured {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: string;
  readonly keepAliveSeconds: number;
}

/** Headers that the runtime adds to every response. */
const addedByRuntime = new Set(['date', 'connection', 'keep-alive']);

function capture(url: string, authorization: string): Promise<Captured> {
  return new Promise((resolve, reject) => {
    const request = httpGet(url, { headers: { Authorization: authorization, Connection: 'keep-alive' } }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (piece: string) => (body += piece));
      response.on('end', () => {
        const { statusCode: status = 0, rawHeaders } = response;
        if (status !== 200) return reject(new Error(`${url} answered ${status}: ${body.slice(0, 200)}`));
        const isKept = (index: number) => !addedByRuntime.has((rawHeaders[index] as string).toLowerCase());
        const headers = rawHeaders.filter((_, index) => isKept(index - (index % 2)));
        const keepAliveSeconds = Number(/timeout=(\d+)/.exec(String(response.headers['keep-alive']))?.[1]);
        resolve({ status, headers, body, keepAliveSeconds });
      });
    });
    request.on('error', reject);
  });
}

async function start<Ready extends object>(
  script: string,
  settings: object,
  options: ProcessOptions = {},
): Promise<MeasuredServer<Ready>> {
  const { ready, pid, measure } = await startProcess<Ready>(script, settings, options);
  return {
    ready,
    pid,
    async measure(load, seconds) {
      const measurement = await measure(() => sendLoad(load, seconds));
      const { report } = measurement;
      if (!isClean(report, load)) {
        throw new Error(`the ${load.kind} load on ${script} met faults: ${JSON.stringify(measurement)}`);
      }
      return measurement;
    },
  };
}

let slowSyncLibrary: string | undefined;

function compileSlowSync(): string {
  if (slowSyncLibrary === undefined) {
    requireProgram('gcc', 'gcc');
    const library = temporaryPath('slow-sync.so');
    execFileSync('gcc', ['-shared', '-fPIC', '-O2', '-o', library, `${import.meta.dirname}/slow-sync.c`, '-ldl']);
    slowSyncLibrary = library;
  }
  return slowSyncLibrary;
}
