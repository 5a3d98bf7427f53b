/** The refresh grant, compared with one thread that only signs and syncs. */

import { writeRefreshPlan } from '../../tooling/load/wrk.ts';
import { temporaryPath } from '../../tooling/workspace.ts';
import { compare } from '../compare.ts';
import type { Flags } from '../flags.ts';
import type { RefreshFloor } from '../floors/refresh-floor.ts';
import { plainReport } from '../measured-process.ts';
import { type Report, ratioColumns, ratioRow } from '../report.ts';
import { type Measurement, measurementOf, runProcess } from '../server-process.ts';
import { startService } from '../servers.ts';

const connections = 64;

/** Refreshes of 64 sessions in parallel. Every measurement begins with new sessions, since a token works once. */
export async function measureRefresh(flags: Flags): Promise<Report> {
  const measurementsMax = flags.rounds + 1;
  const seed = { projects: 1, apiKeys: 0, refreshTokens: connections * measurementsMax, document: 'small' } as const;
  const service = await startService({ ...seed, stores: true }, { profileFolder: flags.profileFolder });
  let used = 0;
  const refresh = (seconds: number) => {
    const planFile = writeRefreshPlan(service.ready.refreshTokens.slice(used, used + connections));
    used += connections;
    return service.measure({ kind: 'refresh', url: service.ready.baseUrl, connections, planFile }, seconds);
  };
  const measurements = await compare({ refresh, floor: signAndSync }, flags);
  return {
    title: 'Refresh grant',
    columns: ratioColumns,
    rows: [ratioRow('64 sessions at once', measurements.refresh, measurements.floor, { target: 2.8 })],
    notes: ['The floor is one thread without HTTP that makes the same ES256 signature and one durable write, in turn.'],
    measurements,
  };
}

async function signAndSync(seconds: number): Promise<Measurement> {
  const settings = { seconds, path: temporaryPath('synced') };
  const { requests, microseconds, cpuSeconds } = await runProcess<RefreshFloor>('floors/refresh-floor.ts', settings);
  return measurementOf(plainReport(requests, microseconds), {
    cpuSeconds,
    wallSeconds: microseconds / 1e6,
    loopDelayMilliseconds: { p50: 0, p99: 0, max: 0 },
  });
}
