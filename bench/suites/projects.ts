/** Whether reading costs more when the store holds more. */
import { compare } from '../compare.ts';
import type { Flags } from '../flags.ts';
import { writeSpreadPlan } from '../load.ts';
import { count, digits, type Report, ratioColumns, ratioRow } from '../report.ts';
import { pathOf } from '../seed.ts';
import { type Service, startService } from '../servers.ts';
import { seededRandom } from '../statistics.ts';

const connections = 64;

/** GET of 1,000 documents chosen at random, with 100,000 projects in the store against 1,000; all have a 2 KB document. */
export async function measureProjects(flags: Flags): Promise<Report> {
  const [many, few, widely] = flags.smoke ? [2_000, 200, 2_000] : [100_000, 1_000, 50_000];
  const start = (projects: number) => startService({ stores: true, projects, apiKeys: 0, document: 'small' });
  const [large, small] = await Promise.all([start(many), start(few)]);
  const load = (service: Service, projects: number, documents: number) => {
    const random = seededRandom(documents);
    const paths = Array.from({ length: documents }, () => pathOf(Math.floor(random() * projects)));
    const planFile = writeSpreadPlan(paths);
    const headers = { Authorization: `Bearer ${service.ready.developerToken}` };
    const { baseUrl: url } = service.ready;
    return (seconds: number) => service.measure({ kind: 'spread', url, connections, headers, planFile }, seconds);
  };
  const measurements = await compare(
    { large: load(large, many, few), small: load(small, few, few), widely: load(large, many, widely) },
    flags,
  );
  await Promise.all([large.stop(), small.stop()]);
  return {
    title: `GET with ${count(many)} projects in the store, against ${count(few)}`,
    columns: ratioColumns,
    rows: [
      ratioRow(`${count(few)} documents in turn`, measurements.large, measurements.small, { target: 0.9 }),
      ratioRow(`${count(widely)} documents in turn`, measurements.widely, measurements.small),
    ],
    notes: [
      `Bearer token, ${connections} connections. Every project has a document of 2 KB; those that are read were chosen at random.`,
      `The second row reads so many that they do not all stay in memory; its responses took ${digits(
        (measurements.widely.at(-1)?.report.latencyMicroseconds.p99 ?? 0) / 1000,
      )} ms at the 99th percentile.`,
    ],
    measurements,
  };
}
