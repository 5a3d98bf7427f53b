/**
 * A thousand clients that send their headers or body a few bytes at a time, or hardly read the response, by slowhttptest; and a healthy
 * client, which must not notice.
 */

import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { serverCore, takeLoadCore } from '../tooling/child-processes.ts';
import { type Credentials, publicStatePath, withServer } from '../tooling/credentials.ts';
import { offer } from '../tooling/load/open-loop.ts';
import { requireProgram } from '../tooling/programs.ts';
import { mebibytes } from '../tooling/readings.ts';
import { quantile } from '../tooling/statistics.ts';

/**
 * The options of each kind of slowness, with a suitable anonymous route, since it sends no credential. By default slowhttptest sends a
 * piece every ten seconds, on all connections together.
 */
const modes = {
  headers: { path: '/healthz', options: ['-H', '-i', '10', '-x', '24'] },
  body: { path: '/v1/auth/token', options: ['-B', '-i', '10', '-x', '10', '-s', '8192'] },
  reading: { path: '/openapi.json', options: ['-X', '-w', '256', '-y', '512', '-n', '1', '-z', '16', '-k', '1'] },
} as const;
type SlowMode = keyof typeof modes;

const healthyPerSecond = 200;
/** The last of this many tries of a mode counts, after ones with faults: a busy machine spoils one, not all. */
const triesMax = 3;
/** Connections that slowhttptest opens per second, and the time for all of them, with a reserve. */
const connectingPerSecond = 500;
const connectingSeconds = (connections: number) => Math.ceil(connections / connectingPerSecond) + 1;

export interface SlowConnectionsReport {
  readonly baselineP99Milliseconds: number;
  readonly modes: readonly {
    readonly mode: SlowMode;
    readonly p99Milliseconds: number;
    readonly residentMebibytes: number;
  }[];
  readonly faults: readonly string[];
}

export interface SlowConnectionsOptions {
  readonly connections: number;
  /** Duration of each mode, and of the baseline. */
  readonly seconds: number;
  /** How much the 99th percentile may exceed twice its baseline, which doubles by chance if it is below a millisecond. */
  readonly toleranceMilliseconds: number;
}

/** Attacks a separate server in each mode in turn. Rejects if slowhttptest cannot be installed. */
export function slowConnections(options: SlowConnectionsOptions): Promise<SlowConnectionsReport> {
  requireProgram('slowhttptest', 'slowhttptest');
  requireProgram('chrt', 'util-linux');
  takeLoadCore();
  return withServer({ core: serverCore }, async (server, credentials) => {
    const healthy = () => measureHealthy(credentials, options.seconds);
    await healthy(); // warms up hot code
    let baseline = await healthy();
    const faults: string[] = [...baseline.faults];
    const found: SlowConnectionsReport['modes'][number][] = [];
    for (const mode of Object.keys(modes) as SlowMode[]) {
      let seen = await besiege(mode, server.baseUrl, baseline.p99, healthy, options);
      for (let tried = 1; seen.faults.length > 0 && tried < triesMax; tried++) {
        baseline = await healthy();
        seen = await besiege(mode, server.baseUrl, baseline.p99, healthy, options);
      }
      found.push({ mode, p99Milliseconds: seen.p99, residentMebibytes: mebibytes(server.residentBytes()) });
      faults.push(...seen.faults);
    }
    if (!server.isRunning()) faults.push(`the server ended:\n${server.output()}`);
    return { baselineP99Milliseconds: baseline.p99, modes: found, faults };
  });
}

/** Attacks in one mode, and returns the healthy client's 99th percentile and the faults. */
async function besiege(
  mode: SlowMode,
  baseUrl: string,
  baselineP99: number,
  healthy: () => ReturnType<typeof measureHealthy>,
  options: SlowConnectionsOptions,
): Promise<{ readonly p99: number; readonly faults: readonly string[] }> {
  const attack = attackWith(mode, baseUrl, options);
  await sleep(connectingSeconds(options.connections) * 1000);
  const { p99, faults } = await healthy();
  const isSlow = p99 > 2 * baselineP99 + options.toleranceMilliseconds;
  const times = `the 99th percentile is ${p99.toFixed(1)} ms, of a baseline of ${baselineP99.toFixed(1)} ms`;
  return { p99, faults: [...faults, ...(isSlow ? [`slow ${mode}: ${times}`] : []), ...(await attack)] };
}

async function measureHealthy(credentials: Credentials, seconds: number) {
  const { port, host, apiKey } = credentials;
  const path = publicStatePath(credentials, 'development');
  const wire = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ApiKey ${apiKey}\r\n\r\n`;
  const load = { port, perSecond: healthyPerSecond, seconds, connectionsMax: 16, next: () => ({ wire }) };
  const { accepted, refused, lost, faults } = await offer(load);
  const missed = refused.length + lost;
  return {
    p99: quantile(accepted, 0.99),
    faults: missed === 0 ? faults : [...faults, `${missed} healthy requests were refused`],
  };
}

/** Resolves when the attack has ended, with its faults: refused connections are not slow ones. */
async function attackWith(
  mode: SlowMode,
  baseUrl: string,
  { connections, seconds }: SlowConnectionsOptions,
): Promise<string[]> {
  const { path, options } = modes[mode];
  const totalSeconds = seconds + connectingSeconds(connections) + 1;
  const load = ['-c', String(connections), '-r', String(connectingPerSecond), '-l', String(totalSeconds), '-p', '5'];
  // It has the core to itself while the measuring healthy client is idle.
  const attack = ['--idle', '0', 'slowhttptest', ...options, ...load, '-u', `${baseUrl}${path}`];
  const { stdout } = await promisify(execFile)('chrt', attack);
  return /Connection refused/i.test(stdout) ? [`slow ${mode}: connections were refused`] : [];
}
