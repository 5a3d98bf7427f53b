/** Whether two nodes over one PostgreSQL serve twice the load of one, while the database is not the limit. */

import { loadCore } from '../../tooling/child-processes.ts';
import { type Load, readLoad } from '../../tooling/load/wrk.ts';
import { rationCpu } from '../../tooling/readings.ts';
import { spread } from '../../tooling/statistics.ts';
import { compare } from '../compare.ts';
import type { Flags } from '../flags.ts';
import { startOverPostgres } from '../over-postgres.ts';
import { digits, medianOf, type Report, rate, verdict } from '../report.ts';
import { joinMeasurements, type Measurement } from '../server-process.ts';
import { type Service, startService } from '../servers.ts';

const documents = 64;
/** Per node: another node needs as many additional clients to show its effect. */
const connections = 32;
/** The share of a core per node: two nodes, the load and the database together take less than two cores. */
const share = 0.25;
const target = 1.5;

/** GET of 64 documents from one node and from two, each limited to a quarter of a core. */
export async function measurePostgresNodes(flags: Flags): Promise<Report> {
  const contest = await startOverPostgres(documents, flags);
  const { place } = contest.database;
  const second = await startService(
    { stores: true, projects: 0, apiKeys: 0, document: 'small', place },
    { core: loadCore, profileFolder: flags.profileFolder },
  );
  const first = contest.service;
  const { apiKeys } = first.ready;
  const onNodes = (nodes: readonly Service[]) => {
    const loads = nodes.map((node) => [node, readLoad(node.ready.baseUrl, apiKeys, connections)] as const);
    return (seconds: number) =>
      contest.measure(async () =>
        joinMeasurements(await Promise.all(loads.map(([node, load]) => measureRationed(node, load, seconds)))),
      );
  };
  const measurements = await compare({ one: onNodes([first]), two: onNodes([first, second]) }, flags);
  return makeReport(measurements);
}

async function measureRationed(node: Service, load: Load, seconds: number): Promise<Measurement> {
  const release = rationCpu(node.pid, share);
  try {
    return await node.measure(load, seconds);
  } finally {
    release();
  }
}

function makeReport(measurements: Readonly<Record<'one' | 'two', readonly Measurement[]>>): Report {
  const { one, two } = measurements;
  const gain = spread(
    two.map(({ requestsPerSecond }, round) => requestsPerSecond / (one[round] as Measurement).requestsPerSecond),
  );
  const row = (name: string, nodes: readonly Measurement[], ...rest: readonly string[]) => [
    name,
    rate(nodes),
    `${digits(medianOf(nodes, (node) => node.cpuMicrosecondsPerRequest))} µs`,
    `${digits(medianOf(nodes, (node) => node.databaseMicrosecondsPerRequest ?? Number.NaN))} µs`,
    digits(medianOf(nodes, ({ cpuSeconds, wallSeconds }) => cpuSeconds / wallSeconds)),
    ...rest,
  ];
  const ratios = [digits(gain.median), `${digits(gain.low)} – ${digits(gain.high)}`];
  return {
    title: 'Two nodes over one PostgreSQL',
    columns: ['case', 'requests/s', 'CPU of nodes', 'CPU of database', 'cores of nodes', 'ratio', 'spread', 'target'],
    rows: [
      row('one node', one, '', '', ''),
      row('two nodes', two, ...ratios, verdict(`≥ ${target}`, gain.median >= target)),
    ],
    notes: [
      `GET of ${documents} documents in turn with an API key, ${connections} connections for each node. Processor time is that of one request.`,
      `On two cores, two nodes, the load and the database would take processor time from each other. So each node is held to ${share * 100} % of a core for its main thread: it is stopped whenever that has had more. What is shown is that nodes do not hold each other up, neither in the database nor otherwise; not what two whole cores would do.`,
    ],
    measurements,
  };
}
