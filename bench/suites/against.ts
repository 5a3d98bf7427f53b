/** This checkout and another commit of the service under the same loads, in turn, so that one round disturbs both alike. */
import { checkOutCommit } from '../../tooling/check-out.ts';
import { openRunDatabase, type RunDatabase } from '../../tooling/database.ts';
import { replacementBody, revisionMark, smallDocument } from '../../tooling/load/documents.ts';
import { chainLoad, type Load, readLoad, writeRefreshPlan } from '../../tooling/load/wrk.ts';
import { median, quantile } from '../../tooling/statistics.ts';
import { temporaryPath } from '../../tooling/workspace.ts';
import { compare } from '../compare.ts';
import type { AgainstFlags, Flags, StoreName } from '../flags.ts';
import { digits, medianOf, type Report } from '../report.ts';
import { type Measurement, withProcesses } from '../server-process.ts';
import { type Service, startService } from '../servers.ts';

export const connections = 32;
const loadNames = ['GET of 2 KB', 'PUT of 2 KB', 'PATCH of one member', 'refresh'] as const;
type LoadName = (typeof loadNames)[number];

/** A measured service with an empty database of its own. */
export interface Side {
  measure(load: LoadName, seconds: number): Promise<Measurement>;
}

/**
 * Measures GET, PUT, PATCH and refresh of this checkout and of `flags.against`, over each of the stores. Rejects with the errors of
 * `checkOutCommit`, or if one of the services does not start.
 */
export async function measureAgainst(flags: AgainstFlags): Promise<Report[]> {
  const checkout = temporaryPath('checkout');
  checkOutCommit(flags.against, checkout);
  const reports: Report[] = [];
  for (const store of flags.stores) reports.push(await withProcesses(() => measureOver(store, checkout, flags)));
  return reports;
}

async function measureOver(store: StoreName, checkout: string, flags: AgainstFlags): Promise<Report> {
  const sides = { ours: await startSide(store, flags), theirs: await startSide(store, flags, { checkout }) };
  const measurements: Record<string, Record<keyof typeof sides, Measurement[]>> = {};
  for (const name of loadNames) {
    const of = (side: Side) => (seconds: number) => side.measure(name, seconds);
    measurements[name] = await compare({ ours: of(sides.ours), theirs: of(sides.theirs) }, flags);
  }
  return {
    title: `${store === 'postgres' ? 'PostgreSQL' : 'The embedded store'}: this checkout against ${flags.against}`,
    columns: pairColumns,
    rows: Object.entries(measurements).map(([name, { ours, theirs }]) => pairRow(name, ours, theirs)),
    notes: [
      `${connections} connections, ${flags.rounds} × ${flags.seconds} s each, in turn. Above 1, this checkout is faster; single rounds scatter, so read the middle half.`,
      'Processor time is that of one request, in the service and, over PostgreSQL, in the database.',
    ],
    measurements,
  };
}

/** Starts a side, by default of this checkout. `webhookUrl`: where webhooks of its projects send. */
export async function startSide(
  store: StoreName,
  flags: Pick<Flags, 'rounds'>,
  { checkout, webhookUrl }: { readonly checkout?: string; readonly webhookUrl?: string } = {},
): Promise<Side> {
  const database = store === 'postgres' ? await openRunDatabase() : undefined;
  const seed = { projects: connections, apiKeys: connections, refreshTokens: connections * (flags.rounds + 1) };
  const place = { ...(database && { place: database.place }), ...(webhookUrl !== undefined && { webhookUrl }) };
  const service = await startService({ ...seed, stores: true, document: 'small', ...place }, { checkout });
  const loadOf = loadsOf(service);
  return {
    measure: (name, seconds) => withDatabase(database, () => service.measure(loadOf(name), seconds)),
  };
}

/** Returns a function that prepares a load on the service; each refresh load takes sessions that no other has used. */
function loadsOf({ ready: { baseUrl, apiKeys, refreshTokens } }: Service): (name: LoadName) => Load {
  let used = 0;
  const patch = `{"ops":[{"op":"replace","path":"/revision","value":${revisionMark}}]}`;
  const loads: Readonly<Record<LoadName, () => Load>> = {
    'GET of 2 KB': () => readLoad(baseUrl, apiKeys, connections),
    'PUT of 2 KB': () => chainLoad(baseUrl, apiKeys, 'PUT', [replacementBody(smallDocument)]),
    'PATCH of one member': () => chainLoad(baseUrl, apiKeys, 'PATCH', [patch]),
    refresh: () => {
      const planFile = writeRefreshPlan(refreshTokens.slice(used, used + connections));
      used += connections;
      return { kind: 'refresh', url: baseUrl, connections, planFile };
    },
  };
  return (name) => loads[name]();
}

/** Adds the processor time of the database to a measurement. */
async function withDatabase(database: RunDatabase | undefined, work: () => Promise<Measurement>): Promise<Measurement> {
  const before = database?.cpuSeconds() ?? 0;
  const measurement = await work();
  const microseconds = ((database?.cpuSeconds() ?? 0) - before) * 1e6;
  return { ...measurement, databaseMicrosecondsPerRequest: microseconds / measurement.report.requests };
}

const cpu = ({ cpuMicrosecondsPerRequest: own, databaseMicrosecondsPerRequest: database = 0 }: Measurement): number =>
  own + database;

export const pairColumns = [
  'load',
  'CPU',
  'there',
  'ratio by CPU',
  'middle half',
  'ratio of rates',
  'p99',
  'there',
] as const;

/** Compares the measurements of two services, round by round. */
export function pairRow(name: string, ours: readonly Measurement[], theirs: readonly Measurement[]): string[] {
  const ratios = (value: (one: Measurement) => number) =>
    ours.map((one, round) => value(one) / value(theirs[round] as Measurement));
  const byCpu = ratios((one) => 1 / cpu(one)).toSorted((a, b) => a - b);
  const p99 = (all: readonly Measurement[]) =>
    `${digits(medianOf(all, ({ report }) => report.latencyMicroseconds.p99) / 1000)} ms`;
  return [
    name,
    `${digits(medianOf(ours, cpu))} µs`,
    `${digits(medianOf(theirs, cpu))} µs`,
    digits(median(byCpu)),
    `${digits(quantile(byCpu, 0.25))} – ${digits(quantile(byCpu, 0.75))}`,
    digits(median(ratios(({ requestsPerSecond }) => requestsPerSecond))),
    p99(ours),
    p99(theirs),
  ];
}
