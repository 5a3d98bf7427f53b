/** Starts the measured servers, each in a process of its own on one core, and measures one under load. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { get as httpGet } from 'node:http';
import type { FloorSettings } from './floor-server.ts';
import { isClean, type Load, type LoadReport, sendLoad } from './load.ts';
import type { Usage } from './measured-process.ts';
import type { ServiceReady, ServiceSettings } from './service-server.ts';
import { requireProgram, serverCore, spawnPinned, temporaryPath } from './workspace.ts';

export interface MeasuredServer<Ready> {
  readonly ready: Ready;
  /** Puts load on the server for some seconds. */
  measure(load: Load, seconds: number): Promise<Measurement>;
  stop(): Promise<void>;
}

export interface Measurement extends Usage {
  readonly report: LoadReport;
  readonly requestsPerSecond: number;
  readonly cpuMicrosecondsPerRequest: number;
}

interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly profileFolder?: string | undefined;
}

export type Service = MeasuredServer<ServiceReady>;
export type Floor = MeasuredServer<{ readonly baseUrl: string }>;

/** Starts the service on an empty data folder and fills it. `slowSync` adds a millisecond to every sync of the disk. */
export function startService(
  settings: Omit<ServiceSettings, 'dataDir'>,
  options: { readonly slowSync?: boolean; readonly profileFolder?: string | undefined } = {},
): Promise<Service> {
  const env: Record<string, string> = options.slowSync
    ? { LD_PRELOAD: compileSlowSync(), HOLDFAST_SLOW_SYNC_MICROSECONDS: '1000' }
    : {};
  const { profileFolder } = options;
  return start('service-server.ts', { ...settings, dataDir: temporaryPath('data') }, { env, profileFolder });
}

/** Starts a bare server that sends what the service answers at `url`, byte for byte but for the date. */
export async function startFloor(url: string, authorization: string, readsBody = false): Promise<Floor> {
  const answer = await capture(url, authorization);
  const bodyFile = temporaryPath('body');
  writeFileSync(bodyFile, answer.body);
  const { status, headers, keepAliveSeconds } = answer;
  const settings: FloorSettings = { status, headers, bodyFile, keepAliveSeconds, readsBody };
  const floor = await start<Floor['ready']>('floor-server.ts', settings, {});
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

/** Headers that the runtime adds to whatever a server sends. */
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

/** Shared by the servers of a run, as `holdfast` keeps one between starts. */
const compileCache = temporaryPath('compiled');

async function start<Ready extends object>(
  script: string,
  settings: object,
  { env = {}, profileFolder }: StartOptions,
): Promise<MeasuredServer<Ready>> {
  const profiling = profileFolder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`];
  const command = [process.execPath, ...profiling, `${import.meta.dirname}/${script}`, JSON.stringify(settings)];
  const child = spawnPinned(serverCore, command, {
    // What a server logs goes beside the tables, not into them.
    stdio: ['ignore', 2, 2, 'ipc'],
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache, ...env },
  });
  const gone = once(child, 'exit');
  const answer = async <Answer>(message?: string): Promise<Answer> => {
    const answered = once(child, 'message');
    if (message !== undefined) child.send(message);
    const first = await Promise.race([answered, gone.then(() => undefined)]);
    if (first === undefined) throw new Error(`the process of ${script} ended by itself; its last words are above`);
    return first[0] as Answer;
  };
  const ready = await answer<Ready>();
  return {
    ready,
    async measure(load, seconds) {
      await answer('begin');
      const report = await sendLoad(load, seconds);
      const usage = await answer<Usage>('end');
      if (!isClean(report, load)) {
        throw new Error(`the ${load.kind} load on ${script} met faults: ${JSON.stringify({ ...report, ...usage })}`);
      }
      const requestsPerSecond = (report.requests / report.microseconds) * 1e6;
      return { ...usage, report, requestsPerSecond, cpuMicrosecondsPerRequest: (usage.cpuSeconds / report.requests) * 1e6 };
    },
    async stop() {
      if (child.connected) child.send('stop');
      await gone;
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
