/** Replacing documents over PostgreSQL, compared with the driver alone and the embedded store. */

import { replacementBody, revisionMark, smallDocument } from '../../tooling/load/documents.ts';
import { pathOf } from '../../tooling/load/seed.ts';
import { type Chain, type Load, writeChainPlan } from '../../tooling/load/wrk.ts';
import { compare } from '../compare.ts';
import type { Flags } from '../flags.ts';
import { printCpu, startOverPostgres } from '../over-postgres.ts';
import { digits, medianOf, type Report, ratioColumns, ratioRow } from '../report.ts';
import type { Measurement } from '../server-process.ts';
import { type Service, startService } from '../servers.ts';

const connections = 64;
/** By processor time: the rate also depends on the database, which is not pinned to a core. */
const target = { target: 0.7, moonshot: 0.9, byCpu: true };

/** PUT of 2 KB to 64 projects at once. */
export async function measurePostgresPut(flags: Flags): Promise<Report> {
  const contest = await startOverPostgres(connections, flags);
  const seed = { projects: connections, apiKeys: connections, document: 'small' } as const;
  const embedded = await startService({ ...seed, stores: true });
  const measurements = await compare(
    {
      postgres: contest.load(chainLoad(contest.service)),
      floor: contest.floor({ kind: 'write', loops: connections, documents: connections }),
      embedded: (seconds) => embedded.measure(chainLoad(embedded), seconds),
    },
    flags,
  );
  await Promise.all([contest.stop(), embedded.stop()]);
  return {
    title: 'PUT over PostgreSQL, each connection to a project of its own',
    columns: ratioColumns,
    rows: [
      ratioRow('2 KB, 64 connections, PostgreSQL', measurements.postgres, measurements.floor, target),
      ratioRow('the same load on the embedded store', measurements.embedded, measurements.floor),
    ],
    notes: [
      `The floor is the driver alone: ${connections} loops, each of which awaits the same prepared statement with a document of 2 KB, over as many connections to the same database. PostgreSQL syncs every commit.`,
      `Processor time of a PUT: ${printCpu(measurements.postgres)}; of a statement of the driver alone: ${printCpu(measurements.floor)}.`,
      `Responses: over PostgreSQL ${printLatency(measurements.postgres)}; from the embedded store ${printLatency(measurements.embedded)}.`,
    ],
    measurements,
  };
}

function chainLoad({ ready: { baseUrl: url, apiKeys } }: Service): Load {
  const bodies = [replacementBody(smallDocument)];
  const chains = apiKeys.map(
    (apiKey, index): Chain => ({
      method: 'PUT',
      path: pathOf(index),
      authorization: `ApiKey ${apiKey}`,
      bodies,
    }),
  );
  return { kind: 'chain', url, connections, planFile: writeChainPlan(chains, revisionMark) };
}

function printLatency(measurements: readonly Measurement[]): string {
  const latency = (name: 'p50' | 'p99') => medianOf(measurements, ({ report }) => report.latencyMicroseconds[name]) / 1000;
  return `p50 ${digits(latency('p50'))} ms, p99 ${digits(latency('p99'))} ms`;
}
