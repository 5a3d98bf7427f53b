/** Whether reads cost more if the store has more data, and if more is read than fits into memory. */

import { pathOf } from '../../tooling/load/seed.ts';
import { type Load, sendLoad, writeSpreadPlan } from '../../tooling/load/wrk.ts';
import { seededRandom } from '../../tooling/statistics.ts';
import { compare } from '../compare.ts';
import type { Flags } from '../flags.ts';
import { count, digits, medianOf, type Report, ratioColumns, ratioRow, verdict } from '../report.ts';
import type { Measurement } from '../server-process.ts';
import { type Service, startService } from '../servers.ts';

const connections = 64;
/** Clients that read one document while 64 connections read many. */
const otherConnections = 8;
const othersMillisecondsMax = 20;

/** GET of random documents of 2 KB, with 100,000 projects in the store compared with 1,000. */
export async function measureProjects(flags: Flags): Promise<Report> {
  const [many, few, widely] = flags.smoke ? [2_000, 200, 2_000] : [100_000, 1_000, 50_000];
  const start = (projects: number) => startService({ stores: true, projects, apiKeys: 0, document: 'small' });
  const [large, small] = await Promise.all([start(many), start(few)]);
  const inTurn = (service: Service, projects: number, documents: number): Load => {
    const random = seededRandom(documents);
    const paths = Array.from({ length: documents }, () => pathOf(Math.floor(random() * projects)));
    return { kind: 'spread', url: service.ready.baseUrl, connections, planFile: writeSpreadPlan(paths), ...as(service) };
  };
  const fewOfMany = inTurn(large, many, few);
  const manyOfMany = inTurn(large, many, widely);
  const fewOfFew = inTurn(small, few, few);
  const measurements = await compare(
    {
      large: (seconds) => large.measure(fewOfMany, seconds),
      small: (seconds) => small.measure(fewOfFew, seconds),
      widely: (seconds) => large.measure(manyOfMany, seconds),
      beside: (seconds) => measureOthers(large, manyOfMany, seconds),
      besideFew: (seconds) => measureOthers(large, fewOfMany, seconds),
    },
    flags,
  );
  return {
    title: `GET with ${count(many)} projects in the store, against ${count(few)}`,
    columns: ratioColumns,
    rows: [
      ratioRow(`${count(few)} documents in turn`, measurements.large, measurements.small, { target: 0.9 }),
      ratioRow(`${count(widely)} documents in turn`, measurements.widely, measurements.small, { target: 0.5 }),
    ],
    notes: [
      `Bearer token, ${connections} connections. Every project has a document of 2 KB; those that are read were chosen at random.`,
      `The second row reads so many that they do not all stay in memory; its responses took ${digits(p99(measurements.widely))} ms at the 99th percentile.`,
      `Meanwhile, ${otherConnections} other connections got one document in ${printOthers(measurements.beside, measurements.besideFew, few)}.`,
    ],
    measurements,
  };
}

const as = ({ ready }: Service) => ({ headers: { Authorization: `Bearer ${ready.developerToken}` } });

/** Measures other clients' reads of one cached document during `load`. */
async function measureOthers(service: Service, load: Load, seconds: number): Promise<Measurement> {
  const url = service.ready.baseUrl + pathOf(0);
  const others: Load = { kind: 'fixed', url, connections: otherConnections, ...as(service) };
  const [measurement] = await Promise.all([service.measure(others, seconds), sendLoad(load, seconds)]);
  return measurement;
}

/** The 99th percentile of the responses, in milliseconds. */
const p99 = (measurements: readonly Measurement[]): number =>
  medianOf(measurements, ({ report }) => report.latencyMicroseconds.p99) / 1000;

function printOthers(beside: readonly Measurement[], besideFew: readonly Measurement[], few: number): string {
  const reached = verdict(`< ${othersMillisecondsMax} ms`, p99(beside) < othersMillisecondsMax);
  return `${digits(p99(beside))} ms at the 99th percentile; ${reached}. Beside ${count(few)} documents in turn it was ${digits(p99(besideFew))} ms`;
}
